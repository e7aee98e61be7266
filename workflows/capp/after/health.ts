// How the health of a copy changes with what its agent says. Only of Capps that leave when they are
// unhealthy. Pure.
import { rungFor } from '../../types/ring.ts';
import type { State } from '../state.ts';
import type { Copy } from '../../types/copy.ts';
import type { Health } from '../../types/health.ts';
import { illFrom, isSeen } from '../facts/health.ts';
import { withHealthUnknown, withHealthOf, withoutHealing, withoutLeave } from './moving/healing.ts';
import { withRing } from './rings.ts';

/** After so long without trouble, what was tried before has healed it, in milliseconds. */
const HEALED_MS = 86_400_000;

/** After so long as Ready, what comes next is another trouble, in milliseconds. */
const OTHER_TROUBLE_MS = 600_000;

/** The agent has reported on the copy. */
export function withHealth(state: State, cluster: string, now: number): State {
  const copy = state.copies[cluster];
  if (state.unhealthyMs === undefined || copy === undefined || copy.finding === null) return state;
  if (!isSeen(copy.finding)) return withHealthUnknown(state, cluster);
  const { health } = copy;
  if (copy.finding.verdict === 'Ready') return readyNow(state, cluster, health, now);
  if (health === undefined) return state;
  return health.illSince === null ? illNow(state, cluster, health, now) : stillIll(state, cluster, health);
}

function readyNow(state: State, cluster: string, before: Health | undefined, now: number): State {
  const readySince = before?.readySince ?? now;
  // Only a trouble begins a count: what restarts while there is none counts for nothing.
  const isCounting = before?.restarts !== undefined;
  const restarts = isCounting ? restartsAfter(state, cluster, now - readySince >= OTHER_TROUBLE_MS) : {};
  const well = withHealthOf(state, cluster, { readySince, illSince: null, ...restarts });
  const isSaid = before?.lookedAt !== undefined || isHeldIll(state);
  return isSaid && cluster === state.serving ? recovered(well) : well;
}

function illNow(state: State, cluster: string, before: Health, now: number): State {
  const readyFor = before.readySince === null ? 0 : now - before.readySince;
  const isHealed = readyFor >= HEALED_MS;
  const isAnother = readyFor >= OTHER_TROUBLE_MS;
  const turnedAt = isAnother ? now : (before.turnedAt ?? now);
  const restarts = restartsAfter(state, cluster, isAnother);
  const ill = withHealthOf(state, cluster, { readySince: null, illSince: now, turnedAt, ...restarts });
  return isHealed && cluster === state.serving ? withoutHealing(ill) : ill;
}

function stillIll(state: State, cluster: string, health: Health): State {
  const restarts = restartsAfter(state, cluster, false);
  return restarts.restarts === undefined ? state : withHealthOf(state, cluster, { ...health, ...restarts });
}

/**
 * With what the last report has counted. Another trouble begins with none: when those before it came, nobody
 * knows. Pods that are gone take their count with them, which makes no other restart undone.
 */
function restartsAfter(state: State, cluster: string, isAnother: boolean): Pick<Health, 'restarts'> {
  const { finding, health } = state.copies[cluster] ?? {};
  const { restarts: before } = health ?? {};
  const seen = finding?.restarts;
  if (seen === undefined) return before === undefined ? {} : { restarts: before };
  if (before === undefined || isAnother) return { restarts: { seen, since: 0 } };
  return { restarts: { seen, since: before.since + Math.max(0, seen - before.seen) } };
}

/** It is Ready again: it need not leave for that, and a review says whether anything else is to be said. */
function recovered(state: State): State {
  const well = withoutLeave(state);
  return withRing(isHeldIll(state) ? { ...well, stays: null } : well, rungFor('decision'));
}

/** Its status says that it stays although it is unhealthy. */
function isHeldIll({ stays }: State): boolean {
  return stays?.reason === 'FleetUnhealthy' || stays?.reason === 'Unhealed';
}

/**
 * What was shipped or refused may have taken the ground from a leave that is on its way: who waits for it,
 * such as a drain, must not wait for ever. How the copy is, is counted anew.
 */
export function groundless(state: State): State {
  const { leave, serving } = state;
  if (leave?.reason !== 'Unhealthy' || serving === null || illFrom(state) !== null) return state;
  return withoutLeave(withHealthUnknown(state, serving));
}

/** What is shipped says how long the Capp bears to be unhealthy. */
export function withBearing(
  { unhealthyMs: _before, unhealthyRestarts: _count, ...state }: State,
  { unhealthyMs, unhealthyRestarts }: Pick<State, 'unhealthyMs' | 'unhealthyRestarts'>,
): State {
  return {
    ...state,
    ...(unhealthyMs === undefined ? {} : { unhealthyMs }),
    ...(unhealthyRestarts === undefined ? {} : { unhealthyRestarts }),
  };
}

/** Of another stamp nothing is known. */
export function withoutHealth({ health: _before, ...copy }: Copy): Copy {
  return copy;
}
