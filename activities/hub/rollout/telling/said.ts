// What the status of an object with many sites says of its rollout, and why it does nothing more at present.
// Pure.
import type { RolloutFields, RolloutReason } from '../../../../crds/rollout/status.ts';
import type { RolloutMemory } from '../../../../workflows/stages/memory.ts';
import type { StagePlan } from '../../../../workflows/stages/types.ts';
import type { Saying } from './conditions.ts';
import type { Decision } from '../decision.ts';
import { heldSetOf, rememberedIn } from '../memory.ts';
import type { ReleasedCopies } from '../removing/removals.ts';
import { whyRefused, type RefusedRemoval } from '../removing/unremoved.ts';

/** How a rollout stands after a look at it. */
export interface RolloutCourse extends Pick<Decision, 'undecided'> {
  readonly plan: StagePlan;
  readonly memory: RolloutMemory;
  /** Removals that wait for a person. */
  readonly held: number;
  /**
   * So many would go if a person let those go that still count because they were lost; absent if none does.
   */
  readonly offered?: number;
  /** The last Ready copy, on a site that is no longer selected. */
  readonly last: ReleasedCopies['last'];
  readonly unremoved: readonly RefusedRemoval[];
  /** Requests that have counted just now. */
  readonly asked: NonNullable<RolloutFields['asked']>;
}

/** How many of the requests that counted a status names. */
const MOST_ASKED = 20;

/** Reasons to wait that end by themselves, or with the rollout. */
export const UNDER_WAY: ReadonlySet<string> = new Set([
  'SitesUnderWay',
  'Soaking',
  'Verifying',
  'RollingBack',
  'LastCopy',
]);
/** Reasons with which nothing goes on before somebody acts. */
export const STALLED: ReadonlySet<string> = new Set([
  'SitesFailed',
  'VerificationInconclusive',
  'RolledBack',
  'NoSites',
  'RemovalRefused',
]);
/** Reasons that come and go while a stage goes on: they are no events. */
export const QUIET: ReadonlySet<string> = new Set(['SitesUnderWay', 'Soaking', 'Verifying', 'Unproven']);

export function rolloutSaid(
  { plan, memory, held, offered = 0, asked: now }: Omit<RolloutCourse, 'last' | 'unremoved' | 'undecided'>,
  before: RolloutFields,
): RolloutFields {
  const asked = allAsked(before, now);
  const count = Math.max(held, offered);
  const open = plan.stages.find(({ state }) => state !== 'Passed') ?? plan.stages.at(-1);
  return {
    ...(open === undefined ? {} : { stage: `${open.name} ${open.ready}/${open.sites}` }),
    stages: plan.stages.map((stage) => ({ ...stage })),
    ...rememberedIn(memory, before),
    ...(count === 0 ? {} : { heldRemoval: { count, set: heldSetOf(memory) } }),
    ...(asked.length === 0 ? {} : { asked }),
  };
}

/** Requests that have counted just now, after those that the status names already. */
export function allAsked({ asked = [] }: RolloutFields, now: RolloutCourse['asked']): RolloutCourse['asked'] {
  return [...asked, ...now].slice(-MOST_ASKED);
}

/** To which revision the sites go now. */
export function leadsTo({ rollout }: Pick<StagePlan, 'rollout'>): string {
  return rollout.direction === 'Back' && rollout.settled !== null ? rollout.settled : rollout.revision;
}

export interface Spoken {
  /** What would be removed, such as `Capps`. */
  readonly copies: string;
  /** The kind's name in commands of kubectl. */
  readonly resource: string;
}

/** Why no more is done: what a person must know first. */
export function heldBy(
  { held, offered = 0, last, undecided, plan, memory, unremoved }: Omit<RolloutCourse, 'asked'>,
  { copies, resource }: Spoken,
): readonly [reason: RolloutReason, message: string] {
  const permitFor = (count: number): string =>
    `kubectl annotate ${resource} <name> rcs.dana.io/approve-removal='${permissionFor(count, memory)}' --overwrite`;
  const permit = permitFor(held);
  if (held > 0 && last === null)
    return [
      'RemovalHeld',
      `${held} ${copies} would be removed, because their sites are no longer selected. That is more than a tenth within ten minutes, than numberOfClusters was lowered by, or than a person has allowed of them, so nothing is removed before a person says so: ${permit}, or select the sites again.`,
    ];
  if (last !== null && (held > 0 || plan.hold === null)) return lastHeld(last, plan, permit);
  if (undecided !== null) return [undecided.reason, undecided.message];
  const { hold } = plan;
  const refused = whyRefused(unremoved);
  const isSecond = hold !== null && (UNDER_WAY.has(hold.reason) || STALLED.has(hold.reason));
  if (refused !== null && !isSecond)
    return [
      'RemovalRefused',
      `${unremoved.length} ${copies} on sites that are no longer selected cannot be removed: ${refused}`,
    ];
  const offer =
    offered === 0
      ? ''
      : ` Of sites that are no longer selected, a copy counts until it goes. To let it go: ${permitFor(offered)}.`;
  if (hold !== null) return [hold.reason, `${hold.message}${offer}`];
  return memory.rollout?.paused === true ? ['Paused', 'The rollout is paused.'] : ['Done', ''];
}

/** A request counts once, so for the same sites as last time it has another word behind them. */
function permissionFor(held: number, memory: RolloutMemory): string {
  const request = `${held}#${heldSetOf(memory)}`;
  return memory.handled.removal === request ? `${request}/again` : request;
}

function lastSaid({ cluster, isOverdue }: NonNullable<ReleasedCopies['last']>): string {
  const late = isOverdue ? ', and none has become Ready in time' : '';
  return `The copy on ${cluster}, which is no longer selected, is the last Ready one${late}. It stays until a copy on a selected site is Ready.`;
}

/** While sites have failed, none becomes Ready before somebody acts on that. */
function lastHeld(
  last: NonNullable<ReleasedCopies['last']>,
  { hold }: StagePlan,
  permit: string,
): readonly [reason: RolloutReason, message: string] {
  const stays = `${lastSaid(last)} To let it go before that: ${permit}.`;
  return hold?.reason === 'SitesFailed' ? ['SitesFailed', `${hold.message} ${stays}`] : ['LastCopy', stays];
}

/** What condition Progressing says. */
export function progressOf(course: Omit<RolloutCourse, 'asked'>, spoken: Spoken): Saying<RolloutReason> {
  const { plan, held, undecided } = course;
  const [reason, message] = heldBy(course, spoken);
  if (plan.done && held === 0) return [false, 'Done', doneSaid(plan)];
  const isGoing = !plan.done && held === 0 && undecided === null && UNDER_WAY.has(reason);
  return [isGoing, reason, message];
}

/**
 * What has failed within the bounds, or after the end, may lack the revision: a name can be taken, for one.
 */
export function doneSaid({ stages }: Pick<StagePlan, 'stages'>): string {
  const failed = stages.reduce((sum, stage) => sum + stage.failed, 0);
  if (failed === 0) return 'Every site that can be reached has the revision.';
  const those =
    failed === 1 ? '1 that has failed with it or does' : `${failed} that have failed with it or do`;
  return `Every site that can be reached has the revision, but for ${those} not take it: status.failing says why.`;
}

/** Whether nothing goes on before somebody acts. */
export function isStalled(course: Omit<RolloutCourse, 'asked'>, spoken: Spoken): boolean {
  const [reason] = heldBy(course, spoken);
  return course.held > 0 || course.undecided !== null || STALLED.has(reason);
}
