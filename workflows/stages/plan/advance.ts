// Which sites of a stage may be changed now: so many that no more than `maxConcurrent` are not Ready because
// of us.
import type { StageView } from '../sites.ts';
import type { Advance, Target } from '../types.ts';

/**
 * `from` are sites that are due, in order. `ours` are revisions that we gave to sites and that have no
 * future: a site that is not Ready with one of them, or with content that no longer fits it, or since a time
 * that is yet to come, has its place already, and goes first. A site that is not Ready with any other
 * revision is not so because of us.
 */
export function advanceOf(
  { stage, goal, due, underWay }: StageView,
  from: readonly Target[],
  ours: readonly string[],
): readonly Advance[] {
  const isBroken = ({ revision, verdict, isStale, isMisdated }: Target): boolean =>
    verdict !== 'Ready' &&
    revision !== null &&
    (isStale === true || isMisdated === true || ours.includes(revision));
  const free = stage.maxConcurrent - underWay.length;
  const freeForOthers = free - due.filter(isBroken).length;
  const first = from.filter(isBroken).slice(0, Math.max(0, free));
  const others = from.filter((target) => !isBroken(target)).slice(0, Math.max(0, freeForOthers));
  return [...first, ...others].map(({ cluster }) => ({ cluster, revision: goal }));
}
