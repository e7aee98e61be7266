// Keeps the newest of very many moments, without sorting those that are not kept.
import type { DatedMoment } from './moment.ts';

export interface Newest {
  /** `all` has its newest first. */
  add(all: readonly DatedMoment[]): void;
  /** The newest first. */
  kept(): readonly DatedMoment[];
}

/** At most so many; `fits` says which count. A moment without a time that can be read is left out. */
export function newestOf(most: number, fits: (one: DatedMoment) => boolean): Newest {
  const kept: DatedMoment[] = [];
  const isTooOld = ({ ms }: DatedMoment): boolean =>
    kept.length === most && ms <= (kept.at(-1)?.ms ?? -Infinity);
  const put = (one: DatedMoment): void => {
    if (kept.length === most) kept.pop();
    kept.splice(placeOf(kept, one.ms), 0, one);
  };
  return {
    add(all) {
      for (const one of all) {
        // Those behind it are older.
        if (isTooOld(one)) return;
        if (!Number.isNaN(one.ms) && fits(one)) put(one);
      }
    },
    kept: () => kept,
  };
}

/** Behind those of the same time, so that the order stays. */
function placeOf(kept: readonly DatedMoment[], ms: number): number {
  let [from, to] = [0, kept.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((kept[middle]?.ms ?? -Infinity) >= ms) from = middle + 1;
    else to = middle;
  }
  return from;
}
