// The state after an activity has failed for good. Pure.
import type { ShipRefusal, State } from '../state.ts';
import { backOff } from './backoff.ts';
import type { AskedAt } from './rings.ts';

/**
 * Why an activity failed for good, and for which generation of the Capp; null if the failure does not say.
 */
export type Failed = ShipRefusal & { readonly generation: number | null };

/**
 * Reports a final failure for the generation that was refused, and backs off. A paused Capp is not shipped at
 * all, so it is not refused.
 */
export function afterFailure(state: State, { reason, message, generation }: Failed, asked: AskedAt): State {
  const known = Math.max(state.generation, generation ?? 0);
  return {
    ...state,
    generation: known,
    paused: false,
    refused: { reason, message },
    backoff: backOff(state.backoff, asked, 30_000),
  };
}
