// Sites that get the settled revision beside what goes forward or back: new ones, and those that were away.
import { advanceOf } from './advance.ts';
import type { PlanQuestion } from './question.ts';
import { MOST_HALFWAY } from '../rollout.ts';
import { firstDeadline, withoutLost, type StageView } from '../sites.ts';
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
 * First copies in a stage that has its turn, to which sites that are no longer selected have left no place:
 * no app is kept from a site by what was lost elsewhere. They get the settled revision, since the other may
 * be why; before there is one, that. `given`: what the stage gets already.
 */
export function beyondLost(
  asked: PlanQuestion,
  index: number,
  view: StageView,
  given: readonly Advance[],
): readonly Advance[] {
  const seen = withoutLost(view);
  if (seen === view) return [];
  const got = new Set(given.map(({ cluster }) => cluster));
  if (asked.beside !== null) return joining(asked, index).filter(({ cluster }) => !got.has(cluster));
  const going = view.due.filter(({ cluster }) => got.has(cluster));
  const due = view.due.filter(({ cluster }) => !got.has(cluster));
  const left = { ...seen, due, underWay: [...seen.underWay, ...going] };
  return advanceOf(
    left,
    due.filter(({ revision }) => revision === null),
    asked.input.rollout.halfway,
  );
}

/**
 * After an abort: new sites, and those whose revision is older than the settled one, since they were away
 * when that was given.
 */
export function advanceAfterAbort({ beside, input }: PlanQuestion): readonly Advance[] {
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
  return advanceOf(withoutLost(view), view.due.filter(isMeant), []);
}
