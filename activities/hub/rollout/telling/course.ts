// How a rollout stands after a turn. Pure.
import type { TurnOutcome } from '../kind.ts';
import type { RolloutMember } from '../look.ts';
import type { RolloutCourse } from './said.ts';

/**
 * Those that were lost with the revision, but for barred ones: of these the status says why they are barred.
 */
export function lostBeside<M extends RolloutMember>({
  lost,
  barred,
}: {
  readonly lost: readonly M[];
  readonly barred: readonly { readonly cluster: string }[];
}): readonly M[] {
  const isBarred = new Set(barred.map(({ cluster }) => cluster));
  return lost.filter(({ site }) => !isBarred.has(site.cluster));
}

export function courseOf<C, M extends RolloutMember, B>({
  after,
  unremoved,
  asked,
}: Pick<TurnOutcome<C, M, B>, 'after' | 'unremoved' | 'asked'>): RolloutCourse {
  const { plan, memory, undecided, released } = after;
  const { held, last, lost, clusters, later } = released;
  const offered = lost.length === 0 ? 0 : clusters.length + later.length;
  return { plan, memory, held, offered, last, unremoved, undecided, asked };
}
