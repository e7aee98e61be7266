// How many copies went within the last ten minutes, minute by minute, so that the ten minutes slide. Pure.
import type { RemovedAt } from '../../../../workflows/stages/memory.ts';
import { HUB_TIMES } from '../../times.ts';

const MINUTE = 60_000;
/** More than ten minutes have. */
const MOST_MINUTES = 12;

export function countIn(recent: readonly RemovedAt[]): number {
  return recent.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Those that still count, the newest first. What a clock has counted far in the future, such as that of
 * another hub worker, is counted now: nothing counts for ever because a clock was wrong.
 */
export function recentAt(recent: readonly RemovedAt[], now: number): readonly RemovedAt[] {
  const isAhead = ({ minute }: RemovedAt): boolean => minute > now + HUB_TIMES.setCounted.ms;
  const isOver = ({ minute, count }: RemovedAt): boolean => count === 0 || now >= endOf(minute);
  if (!recent.some((one) => isAhead(one) || isOver(one))) return recent;
  const known = recent.filter((one) => !isAhead(one) && !isOver(one));
  const minute = minuteOf(now);
  return recent
    .filter(isAhead)
    .reduce<readonly RemovedAt[]>((all, one) => withMore(all, { ...one, minute }), known);
}

/** With so many more in this minute, of so many copies. */
export function countedAfter(
  recent: readonly RemovedAt[],
  count: number,
  copies: number,
  now: number,
): readonly RemovedAt[] {
  return count === 0 ? recent : withMore(recent, { minute: minuteOf(now), count, of: copies });
}

function withMore(recent: readonly RemovedAt[], { minute, count, of }: RemovedAt): readonly RemovedAt[] {
  const same = recent.find((one) => one.minute === minute);
  const others = recent.filter((one) => one.minute !== minute);
  const most = [of, same?.of].filter((one) => one !== undefined);
  const all = { minute, count: count + (same?.count ?? 0) };
  return newestFirst([most.length === 0 ? all : { ...all, of: Math.max(...most) }, ...others]);
}

function minuteOf(time: number): number {
  return Math.floor(time / MINUTE) * MINUTE;
}

/** When the first of them no longer counts, in milliseconds since the epoch; null if there is none. */
export function nextFree(recent: readonly RemovedAt[]): number | null {
  return recent.length === 0 ? null : endOf(Math.min(...recent.map(({ minute }) => minute)));
}

/** The last removal of a minute counts for ten minutes. */
function endOf(minute: number): number {
  return minute + MINUTE + HUB_TIMES.setCounted.ms;
}

function newestFirst(recent: readonly RemovedAt[]): readonly RemovedAt[] {
  return recent.toSorted((a, b) => b.minute - a.minute).slice(0, MOST_MINUTES);
}
