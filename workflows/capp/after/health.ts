// How the health of a copy changes with what its agent says. Only of Capps that leave when they are
// unhealthy. Pure.
import { rungFor } from '../../types/ring.ts';
import type { State } from '../state.ts';
import type { Copy } from '../../types/copy.ts';
import { illFrom, isSeen } from '../facts/health.ts';
import { unseen, withHealthOf, withoutHealing, withoutLeave } from './moving/healing.ts';
import { withRing } from './rings.ts';

/** After so long without trouble, what was tried before has healed it, in milliseconds. */
const HEALED_MS = 86_400_000;

/** The agent has reported on the copy. */
export function withHealth(state: State, cluster: string, now: number): State {
  const copy = state.copies[cluster];
  if (state.unhealthyMs === undefined || copy === undefined || copy.finding === null) return state;
  if (!isSeen(copy.finding)) return unseen(state, cluster);
  const before = copy.health;
  if (copy.finding.verdict === 'Ready') {
    const well = withHealthOf(state, cluster, { readySince: before?.readySince ?? now, illSince: null });
    return before?.lookedAt !== undefined && cluster === state.serving ? recovered(well) : well;
  }
  if (before === undefined || before.illSince !== null) return state;
  const isHealed = before.readySince !== null && now - before.readySince >= HEALED_MS;
  const ill = withHealthOf(state, cluster, { readySince: null, illSince: now });
  return isHealed && cluster === state.serving ? withoutHealing(ill) : ill;
}

/** It is Ready again: it need not leave for that, and a review says whether anything else is to be said. */
function recovered(state: State): State {
  const isOurs = state.stays?.reason === 'FleetUnhealthy' || state.stays?.reason === 'Unhealed';
  const well = withoutLeave(state);
  return withRing(isOurs ? { ...well, stays: null } : well, rungFor('decision'));
}

/**
 * What was shipped or refused may have taken the ground from a leave that is on its way: who waits for it,
 * such as a drain, must not wait for ever. How the copy is, is counted anew.
 */
export function groundless(state: State): State {
  const { leave, serving } = state;
  if (leave?.reason !== 'Unhealthy' || serving === null || illFrom(state) !== null) return state;
  return withoutLeave(unseen(state, serving));
}

/** What is shipped says how long the Capp bears to be unhealthy. */
export function withBearing(
  { unhealthyMs: _before, ...state }: State,
  unhealthyMs: number | undefined,
): State {
  return unhealthyMs === undefined ? state : { ...state, unhealthyMs };
}

/** Of another stamp nothing is known. */
export function withoutHealth({ health: _before, ...copy }: Copy): Copy {
  return copy;
}
