// What the planner would do from now on, if every site became Ready as soon as it is changed and people
// approved each stage: the same planner, asked again and again.
import type { HoldReason } from '../../crds/rollout/stages.ts';
import { stagesOf, type StageSites } from './membership.ts';
import { plan } from './plan/plan.ts';
import { approve } from './rollout.ts';
import { deadlineOf } from './sites.ts';
import type { Hold, StagePlan, PlanInput, Rollout, Target } from './types.ts';

/** What has to happen before a step. */
export interface Wait {
  readonly reason: HoldReason;
  /** The stage that waits. */
  readonly stage: string;
  /** When it ends at the earliest, in milliseconds since the epoch; null when that is not known. */
  readonly until: number | null;
}

/** Sites of one stage that get one revision, without a gate between them. */
export interface ForecastStep {
  readonly stage: string;
  /** So many of them at once. */
  readonly atOnce: number;
  readonly revision: string;
  readonly after: readonly Wait[];
  /** In order. */
  readonly sites: readonly string[];
}

export interface Forecast {
  readonly steps: readonly ForecastStep[];
  /** Gates behind the last step: the stages have passed only then. */
  readonly last: readonly Wait[];
  /** Why it does not come to its end; null if it does. */
  readonly stop: Hold | null;
}

/**
 * A stage is looked through in so many rounds at most, so that a thousand sites one by one take no second.
 */
const ROUNDS_OF_A_STAGE = 20;
const MOST_ROUNDS = 1_000;

interface Course {
  targets: readonly Target[];
  rollout: Rollout;
  now: number;
  readonly steps: ForecastStep[];
  after: Wait[];
}

/**
 * The steps that the rollout would take from now, the gates between them, and the hold at which it stops.
 * Pure.
 */
export function forecast(input: PlanInput, now: number): Forecast {
  const stages = stagesOf(input);
  const faster = { ...input, strategy: inFewRounds(input, stages) };
  const targets = input.targets.map(withoutLeaving);
  const course: Course = { targets, rollout: input.rollout, now, steps: [], after: [] };
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = plan({ ...faster, targets: course.targets, rollout: course.rollout }, course.now);
    course.rollout = next.rollout;
    if (next.advance.length > 0) advanced(course, next.advance, stages);
    else if (settles(course, faster)) continue;
    else if (next.hold === null) return ended(course, null);
    else if (!passes(course, next, next.hold)) return ended(course, next.hold);
  }
  return ended(course, null);
}

/** The site as if its copy, which is being deleted, were gone already. */
function withoutLeaving({ leavingSince: _gone, ...target }: Target): Target {
  return target;
}

function ended({ steps, after }: Course, stop: Hold | null): Forecast {
  return { steps, last: after, stop };
}

/** More at once than the strategy says changes neither who comes nor in which order within a stage. */
function inFewRounds({ strategy }: PlanInput, all: readonly StageSites[]): PlanInput['strategy'] {
  const atOnce = (name: string): number => {
    const stage = all.find((one) => one.name === name);
    return Math.max(stage?.maxConcurrent ?? 1, Math.ceil((stage?.sites.length ?? 0) / ROUNDS_OF_A_STAGE));
  };
  const rest = all.at(-1)?.name ?? '';
  const { stages } = strategy;
  return {
    ...strategy,
    maxConcurrent: atOnce(rest),
    ...(stages === undefined
      ? {}
      : { stages: stages.map((stage) => ({ ...stage, maxConcurrent: atOnce(stage.name) })) }),
  };
}

function advanced(course: Course, advance: StagePlan['advance'], stages: readonly StageSites[]): void {
  for (const { cluster, revision } of advance) {
    const stage = stages.find(({ sites }) => sites.some((site) => site.cluster === cluster));
    const { name = '', maxConcurrent = 1 } = stage ?? {};
    const last = course.steps.at(-1);
    if (last?.stage === name && last.revision === revision && course.after.length === 0)
      course.steps[course.steps.length - 1] = { ...last, sites: [...last.sites, cluster] };
    else {
      const { after } = course;
      course.steps.push({ stage: name, atOnce: maxConcurrent, revision, after, sites: [cluster] });
      course.after = [];
    }
  }
  const given = new Map(advance.map(({ cluster, revision }) => [cluster, revision]));
  course.targets = course.targets.map((target) => {
    const revision = given.get(target.cluster);
    if (revision === undefined) return target;
    const { isStale: _stale, isMisdated: _date, ...fit } = target;
    const { isDisabled: _before, isToBeDisabled: isDisabled, ...rest } = fit;
    const off = isDisabled === true ? { isDisabled, isToBeDisabled: isDisabled } : {};
    return { ...rest, ...off, revision, verdict: 'Ready', since: course.now };
  });
}

/** Does what ends the hold; false where only what nobody knows would. */
function passes(course: Course, next: StagePlan, hold: Hold): boolean {
  const { reason, until } = hold;
  const stage = next.stages.find(({ state }) => state !== 'Passed')?.name ?? '';
  switch (reason) {
    case 'AwaitsApproval':
      course.after.push({ reason, stage, until });
      course.rollout = approve(course.rollout, stage);
      return true;
    case 'Soaking':
    case 'OutsideWindow':
      if (until === null || until <= course.now) return false;
      course.after.push({ reason, stage, until });
      course.now = until;
      return true;
    case 'Verifying':
      course.after.push({ reason, stage, until: null });
      course.targets = verified(course.targets, next.verify ?? []);
      return true;
    case 'SitesUnderWay':
    case 'RollingBack':
      return later(course, until);
    default:
      return false;
  }
}

/** The sites as if all checks had passed: those that are under way, and those that begin. */
function verified(targets: readonly Target[], asks: NonNullable<StagePlan['verify']>): readonly Target[] {
  return targets.map((target) => {
    const { cluster: _cluster, ...ask } = asks.find(({ cluster }) => cluster === target.cluster) ?? {};
    const given = 'round' in ask ? { ...ask, until: 0, result: null } : target.verification;
    if (given === undefined || given.result !== null) return target;
    return { ...target, verification: { ...given, result: { verdict: 'Passed', at: 0, says: '' } } };
  });
}

/** Sites that are under way already become Ready, while they have time. False if there is none. */
function settles(course: Course, input: PlanInput): boolean {
  const { rollout, now } = course;
  const { revision, settled, direction } = rollout;
  const goals = direction === 'Back' ? [settled] : [revision, settled];
  const isComing = (target: Target): boolean =>
    target.reachable &&
    target.verdict === 'Progressing' &&
    target.revision !== null &&
    goals.includes(target.revision) &&
    now < deadlineOf(target, { ...input, rollout });
  if (!course.targets.some(isComing)) return false;
  course.targets = course.targets.map((target) =>
    isComing(target) ? { ...target, verdict: 'Ready', since: course.now } : target,
  );
  return true;
}

/** Goes on to the deadline of what is under way. False if there is none ahead. */
function later(course: Course, until: number | null): boolean {
  if (until === null || until <= course.now) return false;
  course.now = until;
  return true;
}
