// A call to Temporal that ends soon: with an answer, at a deadline, or when the agent has gone.
import { GATEWAY_TIMES } from '../times.ts';
import type { Temporal } from './call.ts';

export function soon<T>(temporal: Temporal, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  return temporal.withAbortSignal(signal, () =>
    temporal.withDeadline(Date.now() + GATEWAY_TIMES.call.ms, ask),
  );
}
