// Temporal's messages and services, as the SDK brings them. The package is CommonJS, whose names Node sees
// only in its default export.
import * as loaded from '@temporalio/proto';

const { temporal, grpc } = (loaded as typeof loaded & { readonly default?: typeof loaded }).default ?? loaded;

export { grpc, temporal };
