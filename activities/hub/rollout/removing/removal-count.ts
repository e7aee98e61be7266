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
 * Those that still count, the newest first. The clock of another hub worker may be behind: nothing counts for
 * longer.
 */
export function recentAt(recent: readonly RemovedAt[], now: number): readonly RemovedAt[] {
  const isOver = ({ minute, count }: RemovedAt): boolean =>
    count === 0 || now >= endOf(Math.min(minute, now));
  return recent.some(isOver) ? recent.filter((one) => !isOver(one)) : recent;
}

/** With so many more in this minute, of so many copies. */
export function countedAfter(
  recent: readonly RemovedAt[],
  count: number,
  copies: number,
  now: number,
): readonly RemovedAt[] {
  if (count === 0) return recent;
  const minute = Math.floor(now / MINUTE) * MINUTE;
  const { count: before = 0, of = 0 } = recent.find((one) => one.minute === minute) ?? {};
  const others = recent.filter((one) => one.minute !== minute);
  return newestFirst([{ minute, count: before + count, of: Math.max(of, copies) }, ...others]);
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
