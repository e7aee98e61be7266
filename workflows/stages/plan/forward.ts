// A revision on its way forward, stage by stage.
import { backward } from './backward.ts';
import { gateOf, isSettled, isTooBad, settle, type Gate } from '../gates.ts';
import * as holds from '../holds.ts';
import { beyondLost, joinedBy, joining } from './joining.ts';
import { advanceOf } from './advance.ts';
import { withRollout, type PlanQuestion } from './question.ts';
import { progressOf } from '../progress.ts';
import { deadlineOf, firstDeadline, isBusy, lostIn, unselectedIn, viewOf, type StageView } from '../sites.ts';
import type { Advance, Hold, StagePlan, Rollout } from '../types.ts';
import { isOpen, opensAt } from '../windows.ts';
import { earliest } from '../../types/clock.ts';

/** The stages and the first that has not passed. */
interface Front {
  readonly views: readonly StageView[];
  readonly closed: readonly string[];
  /** Index of the first stage that has not passed; the number of stages when all have. */
  readonly at: number;
  /** Of that stage. */
  readonly gate: Gate;
}

export function forward(asked: PlanQuestion): StagePlan {
  const { input } = asked;
  const front = frontOf(asked);
  const bad = isSettled(input.rollout) ? undefined : front.views.find(isTooBad);
  if (bad !== undefined) return failed(asked, front, bad);
  const advance = advanceIn(asked, front);
  const rollout = rolloutAfter(input.rollout, front);
  const done = isSettled(rollout) && !front.views.some(isBusy);
  const hold = holdOf(asked, front, advance);
  const times = [...wakes(asked, front), hold.until, shutOf(asked, front)?.until ?? null];
  const verify = front.gate.is === 'Verifying' ? front.gate.asks : [];
  return {
    advance,
    ...(verify.length === 0 ? {} : { verify }),
    ...checkingIn(front),
    ...lostOf(front, done),
    rollout,
    hold: done ? null : hold,
    wakeAt: done ? null : earliest(times),
    stages: progressOfAll(front),
    done,
  };
}

/**
 * Stages pass in their order; a stage that passed does not open again for this revision, but where a settled
 * one is written once more, when a label changes meanwhile. One without sites holds nobody up while no site
 * comes after it, and has not passed: it proves nothing to a site that comes later.
 */
function frontOf({ input, stages, now }: PlanQuestion): Front {
  const { rollout } = input;
  const isComplete = isSettled(rollout);
  const views: StageView[] = [];
  let { closed } = rollout;
  let at = stages.length;
  let gate: Gate = { is: 'Passed' };
  for (const [index, stage] of stages.entries()) {
    const view = viewOf(stage, input, { goal: rollout.revision, hasTurn: index <= at, now });
    views.push(view);
    if (isReopened(rollout, view, closed)) closed = closed.filter((name) => name !== stage.name);
    if (isComplete || index > at || closed.includes(stage.name)) continue;
    const behind = stages.slice(index + 1);
    const found = isTooBad(view) ? ({ is: 'Working' } as const) : gateOf(view, { input, behind, now });
    if (found.is !== 'Passed') [at, gate] = [index, found];
    else if (stage.sites.length > 0) closed = [...closed, stage.name];
  }
  return { views, closed, at, gate };
}

function isReopened({ isResettling }: Rollout, view: StageView, closed: readonly string[]): boolean {
  return isResettling === true && isPassed(view, closed) && view.due.some(({ isStale }) => isStale === true);
}

function advanceIn(asked: PlanQuestion, { views, closed, at, gate }: Front): readonly Advance[] {
  const { input, now } = asked;
  const { rollout, strategy } = input;
  const isShut = !isOpen(strategy.windows, now);
  return views.flatMap((view, index) => {
    const hasTurn = index < at || (index === at && gate.is !== 'AwaitsApproval') || isPassed(view, closed);
    if (!hasTurn) return joining(asked, index);
    const from = isShut ? view.due.filter(({ revision }) => revision === null) : view.due;
    const given = advanceOf(view, from, rollout.halfway);
    return [...given, ...beyondLost(asked, index, view, given)];
  });
}

function isPassed({ stage }: StageView, closed: readonly string[]): boolean {
  return closed.includes(stage.name);
}

/** A revision is settled when every stage has passed and no site is left behind in one of them. */
function rolloutAfter(rollout: Rollout, { views, closed, at }: Front): Rollout {
  if (at === views.length && !views.some(isBusy)) return settle(rollout);
  return closed === rollout.closed ? rollout : { ...rollout, closed };
}

/** Back to the settled revision if the strategy says so and there is one; otherwise people decide. */
function failed(asked: PlanQuestion, front: Front, bad: StageView): StagePlan {
  const { rollout, strategy } = asked.input;
  const { revision, settled } = rollout;
  if (strategy.onFailure === 'RollBack' && settled !== null && settled !== revision) {
    const back = { ...rollout, direction: 'Back', cause: holds.failuresOf(bad), retries: {} } as const;
    return backward(withRollout(asked, back));
  }
  return {
    advance: asked.stages.flatMap((_stage, index) => joining(asked, index)),
    ...lostOf(front, false),
    rollout,
    hold: holds.sitesFailed(bad),
    wakeAt: earliest(wakes(asked, front)),
    stages: progressOfAll(front),
    done: false,
  };
}

function checkingIn({ gate }: Front): Pick<StagePlan, 'checking'> {
  if (gate.is !== 'Verifying' && gate.is !== 'VerificationInconclusive') return {};
  return { checking: gate.sites.map(({ cluster }) => cluster) };
}

function lostOf({ views }: Front, done: boolean): Pick<StagePlan, 'lost'> {
  const lost = done ? [] : unselectedIn(views);
  return lost.length === 0 ? {} : { lost };
}

function progressOfAll({ views, closed, at, gate }: Front): StagePlan['stages'] {
  const isWaiting = gate.is === 'AwaitsApproval';
  return views.map((view, index) => {
    const isOver = index < at || closed.includes(view.stage.name);
    return progressOf(view, isOver ? 'Passed' : index === at && !isWaiting ? 'Open' : 'Waiting');
  });
}

function holdOf(asked: PlanQuestion, front: Front, advance: readonly Advance[]): Hold {
  const { input } = asked;
  const { views, at, gate } = front;
  const open = views[at];
  if (open !== undefined) {
    if (gate.is === 'AwaitsApproval') return holds.awaitsApproval(open);
    if (gate.is === 'SitesOffline') return holds.sitesOffline(open);
    if (gate.is === 'Unproven') return holds.unproven(open);
    if (gate.is === 'Unchecked') return holds.unchecked(open);
    if (gate.is === 'Soaking') return holds.soaking(open, gate.until);
    if (gate.is === 'Verifying') return holds.verifying(open, gate.sites, gate.until);
    if (gate.is === 'VerificationInconclusive') return holds.inconclusive(open, gate.sites);
  }
  const going = advance.map(({ cluster }) => cluster);
  const lostUntil = earliest(lostIn(views).map((target) => deadlineOf(target, input)));
  const deadlines = { first: firstDeadline(views, input), lost: lostUntil };
  return shutOf(asked, front) ?? holds.sitesUnderWay(views, going, deadlines);
}

/** Null while a window is open, or when no site waits for one. */
function shutOf({ input, now }: PlanQuestion, { views, at, closed }: Front): Hold | null {
  const { windows } = input.strategy;
  if (windows === undefined || isOpen(windows, now)) return null;
  const isKept = ({ stage, due }: StageView, index: number): boolean =>
    (index <= at || closed.includes(stage.name)) && due.some(({ revision }) => revision !== null);
  return views.some(isKept) ? holds.outsideWindow(opensAt(windows, now)) : null;
}

/** When places are free again at the latest. */
function wakes(asked: PlanQuestion, { views }: Front): readonly (number | null)[] {
  return [firstDeadline(views, asked.input), joinedBy(asked)];
}
