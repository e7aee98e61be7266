// Sites that get the settled revision beside what goes forward or back: new ones, and those that were away.
import { advanceOf } from './advance.ts';
import type { PlanQuestion } from './question.ts';
import { MOST_HALFWAY } from '../rollout.ts';
import { firstDeadline, type StageView } from '../sites.ts';
import type { Advance, Target } from '../types.ts';

/**
 * New sites of the stage with that index. A new site has nothing to lose, so it does not wait for its stage;
 * but before there is a settled revision it does.
 */
export function joining({ beside }: PlanQuestion, index: number): readonly Advance[] {
  const view = beside?.[index];
  return view === undefined ? [] : given(view, ({ revision }) => revision === null);
}

/**
 * After an abort: new sites, and those whose revision is older than the settled one, since they were away
 * when that was given.
 */
export function caughtUp({ beside, input }: PlanQuestion): readonly Advance[] {
  const { revision: aborted, halfway, before } = input.rollout;
  // Of more revisions than are remembered, nobody knows which came after the settled one.
  const isOlder = (revision: string): boolean =>
    halfway.length < MOST_HALFWAY ? !halfway.includes(revision) : revision === before;
  const isMeant = ({ revision }: Target): boolean =>
    revision === null || (revision !== aborted && isOlder(revision));
  return (beside ?? []).flatMap((view) => given(view, isMeant));
}

/** When a place of those sites is free again at the latest; null when none is taken. */
export function joinedBy({ beside, input }: PlanQuestion): number | null {
  return beside === null ? null : firstDeadline(beside, input);
}

function given(view: StageView, isMeant: (target: Target) => boolean): readonly Advance[] {
  return advanceOf(view, view.due.filter(isMeant), []);
}
