// Sites that get the settled revision beside what goes forward or back: new ones, and those that were away.
import { advanceOf } from './advance.ts';
import type { StageSites } from '../membership.ts';
import { MOST_HALFWAY } from '../rollout.ts';
import { firstDeadline, viewOf } from '../sites.ts';
import type { Advance, PlanInput, Target } from '../types.ts';

/**
 * A new site has nothing to lose: it does not wait for its stage. Before the first settled revision it waits.
 */
export function joining(stage: StageSites, input: PlanInput, now: number): readonly Advance[] {
  return settledFor(stage, input, { now, isMeant: ({ revision }) => revision === null });
}

/**
 * After an abort also sites whose revision is older than the settled one: they were away when it was given.
 */
export function caughtUp(stage: StageSites, input: PlanInput, now: number): readonly Advance[] {
  const { revision: aborted, halfway, before } = input.rollout;
  // Of more revisions than are remembered, nobody knows which came after the settled one.
  const isOlder = (revision: string): boolean =>
    halfway.length < MOST_HALFWAY ? !halfway.includes(revision) : revision === before;
  const isMeant = ({ revision }: Target): boolean =>
    revision === null || (revision !== aborted && isOlder(revision));
  return settledFor(stage, input, { now, isMeant });
}

/** When a place of those sites is free again at the latest; null when none is taken. */
export function joinedBy(stages: readonly StageSites[], input: PlanInput, now: number): number | null {
  const { settled } = input.rollout;
  if (settled === null) return null;
  const views = stages.map((stage) => viewOf(stage, input, { goal: settled, hasTurn: false, now }));
  return firstDeadline(views, input);
}

function settledFor(
  stage: StageSites,
  input: PlanInput,
  { now, isMeant }: { readonly now: number; readonly isMeant: (target: Target) => boolean },
): readonly Advance[] {
  const { settled } = input.rollout;
  if (settled === null) return [];
  const view = viewOf(stage, input, { goal: settled, hasTurn: false, now });
  return advanceOf(view, view.due.filter(isMeant), []);
}
