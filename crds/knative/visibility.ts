// A Capp that its author has made private: Knative leads to it from within its site alone.
import type { Capp } from '../capp/capp.ts';

export const NETWORKING = 'networking.knative.dev';
/** Knative looks for it among the labels of a Service. */
export const VISIBILITY = `${NETWORKING}/visibility`;
export const CLUSTER_LOCAL = 'cluster-local';

type Written = Pick<Capp, 'metadata'> & {
  readonly spec?: { readonly configurationSpec?: { readonly template?: { readonly metadata?: unknown } } };
};

/**
 * By a label or an annotation, of the Capp or of its template: whoever writes it anywhere means it, and a
 * public app is what nobody who writes it expects.
 */
export function isPrivate(capp: Written): boolean {
  return [capp.metadata, capp.spec?.configurationSpec?.template?.metadata].some((metadata) =>
    (['labels', 'annotations'] as const).some(
      (kind) => fieldOf(fieldOf(metadata, kind), VISIBILITY) === CLUSTER_LOCAL,
    ),
  );
}

function fieldOf(given: unknown, name: string): unknown {
  return typeof given === 'object' && given !== null ? (given as Record<string, unknown>)[name] : undefined;
}
