// What to do about a Capp that its site calls unhealthy: its agent is asked once more when it has been so for
// long enough, and then a review decides. Pure.
import type { Copy } from '../../types/copy.ts';
import type { Leave } from '../../types/moves.ts';
import type { State } from '../state.ts';
import { servingCopy } from '../facts/copies.ts';
import { countAt, illFrom } from '../facts/health.ts';

/** A move begins by a report that is at most this old, in milliseconds. */
const FRESH_MS = 60_000;

type HealthStep = { readonly do: 'report'; readonly cluster: string } | { readonly do: 'choose' };

/** Null: nothing is to be done now. */
export function healthStep(state: State, now: number): HealthStep | null {
  const from = illFrom(state);
  const copy = servingCopy(state);
  const { serving, leave } = state;
  if (from === null || copy === null || serving === null) return null;
  if (now < from) return isCountDue(state, copy, now) ? { do: 'report', cluster: serving } : null;
  if (copy.heardAt < from) return copy.heard ? { do: 'report', cluster: serving } : null;
  const { lookedAt = 0, againAt = Infinity } = copy.health ?? {};
  if (leave !== null) return leave.to === null && againAt <= now ? { do: 'choose' } : null;
  return lookedAt < from || againAt <= now ? { do: 'choose' } : null;
}

/** Nobody rings when a container restarts. */
function isCountDue(state: State, { heard }: Copy, now: number): boolean {
  const at = countAt(state);
  return heard && at !== null && at <= now;
}

/** When something may be to be done, or to be said; null if nothing is to be waited for. */
export function healthAt(state: State, now: number): number | null {
  const from = illFrom(state);
  const copy = servingCopy(state);
  if (from === null || copy === null) return null;
  const times = [from, countAt(state) ?? 0, copy.health?.againAt ?? 0, copy.deadline].filter(
    (time) => time > now,
  );
  return times.length === 0 ? null : Math.min(...times);
}

/**
 * Before an unhealthy Capp leaves, its agent has said so a moment ago, and a review after that has seen who
 * else is unhealthy. Null: both have been done.
 */
export function assuring(
  state: State,
  leave: Leave,
  now: number,
): HealthStep | { readonly do: 'rest'; readonly until: null } | null {
  const copy = servingCopy(state);
  if (leave.reason !== 'Unhealthy') return null;
  if (copy === null || !copy.heard || illFrom(state) === null) return { do: 'rest', until: null };
  if (now - copy.heardAt > FRESH_MS) return { do: 'report', cluster: leave.from };
  return leave.lookedAt < copy.heardAt ? { do: 'choose' } : null;
}
