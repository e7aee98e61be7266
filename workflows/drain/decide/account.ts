// How far a drain is, as the status of a Drain object says it. Pure.
import type { DrainAccount } from '../object.ts';
import type { DecidedDrain } from './plan.ts';
import type { DrainProgress } from './progress.ts';

/** How many Capps that stay are named. */
const NAMED = 50;

export function accountOf(progress: DrainProgress): DrainAccount {
  const { begunAt, waiting, targets, firstMoves, moved, stayed, named } = progress;
  const underWay = Object.values(targets).reduce((sum, count) => sum + count, 0);
  return {
    countedSince: begunAt,
    waiting,
    underWay,
    moved,
    targets,
    going: firstMoves,
    stayed,
    named: named.slice(0, NAMED),
  };
}

/** What would happen: those that would leave wait, and nobody is on the way. */
export function accountOfPlan({
  moves,
  first,
  stays,
}: Pick<DecidedDrain, 'moves' | 'first' | 'stays'>): DrainAccount {
  const rareFirst = stays.toReversed();
  const named = rareFirst.flatMap(({ names, reason }) => names.map((capp) => ({ capp, why: reason })));
  return {
    countedSince: null,
    waiting: Object.values(moves).reduce((sum, count) => sum + count, 0),
    underWay: 0,
    moved: 0,
    targets: moves,
    going: first,
    stayed: Object.fromEntries(stays.map(({ reason, count }) => [reason, count])),
    messages: Object.fromEntries(stays.map(({ reason, message }) => [reason, message])),
    named: named.slice(0, NAMED),
  };
}
