// The status of a set from what a turn has seen and planned. Pure.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Happening } from '../../../crds/kubernetes/event.ts';
import type { CappSet } from '../../../crds/set/cappset.ts';
import {
  MOST_FAILING,
  type CappSetStatus,
  type FailingSite,
  type SetConditionType,
  type SetReason,
} from '../../../crds/set/status.ts';
import { shownRevision } from '../../../crds/rollout/revision.ts';
import { lostMessage } from '../rollout/lost.ts';
import { conditionsOf, type Saying } from '../rollout/telling/conditions.ts';
import { courseOf, lostBeside } from '../rollout/telling/course.ts';
import type { TurnOutcome, RolloutRefusal, FleetNews } from '../rollout/kind.ts';
import {
  heldBy,
  isStalled,
  leadsTo,
  progressOf,
  QUIET,
  rolloutSaid,
  type RolloutCourse,
} from '../rollout/telling/said.ts';
import { unshippableSaid, waitsBeside } from '../rollout/telling/unshippable.ts';
import type { SetLook } from './carry-out.ts';
import type { ExcludedSite } from './selected.ts';
import type { SetMember } from './targets.ts';

export interface SetTold extends RolloutCourse, Pick<SetLook, 'members' | 'barred' | 'kept'> {}

const LONGEST_MESSAGE = 256;

const SPOKEN = { copies: 'Capps', resource: 'cappset' } as const;

export function toldOf(
  set: CappSet,
  outcome: TurnOutcome<Capp, SetMember, ExcludedSite>,
  now: number,
): FleetNews {
  const told = toldBy(outcome);
  const status = statusOf(set, told, now);
  return { status, happening: happeningOf(set, status), says: saysOf(set, told) };
}

/** Sites that were lost with the revision count, too. */
function toldBy(outcome: TurnOutcome<Capp, SetMember, ExcludedSite>): SetTold {
  const { after } = outcome;
  const lost = lostBeside(after).map((member) => {
    const message = lostMessage(member.site.cluster);
    return { ...member, problem: { reason: 'SiteUnreachable', message } };
  });
  return { ...after, members: [...after.members, ...lost], ...courseOf(outcome) };
}

export function statusOf(set: CappSet, told: SetTold, now: number): CappSetStatus {
  const { members, barred, plan, kept } = told;
  const counts = countsOf(told);
  return {
    observedGeneration: set.metadata.generation ?? 0,
    readySites: `${counts.ready}/${members.length}`,
    ...counts,
    kept,
    excluded: barred.length,
    revision: plan.rollout.revision,
    shortRevision: shownRevision(plan.rollout.revision),
    failing: failingOf(told),
    ...rolloutSaid(told, set.status ?? {}),
    conditions: conditionsOf(set, sayings(told, counts), now),
  };
}

/** Of a set that is on sites and cannot be rolled out as it is now. */
export function unshippableTold(
  set: CappSet,
  outcome: TurnOutcome<Capp, SetMember, ExcludedSite>,
  refusal: RolloutRefusal,
  now: number,
): FleetNews {
  const told = toldBy(outcome);
  const [, , waits] = progressOf(told, SPOKEN);
  const said = unshippableSaid(refusal, waitsBeside(told) ? waits : null);
  const status = { ...statusOf(set, told, now), conditions: conditionsOf(set, said, now) };
  return { status, happening: happeningOf(set, status), says: `${nameOf(set)}: ${said.Ready[2]}` };
}

/** What is told of a set that is on no site and cannot be rolled out as it is. */
export function refusedOf(set: CappSet, { reason, message }: RolloutRefusal, now: number): FleetNews {
  const stays = `${message} No Capp is changed until then.`;
  const conditions = conditionsOf(
    set,
    {
      Ready: [false, reason, stays],
      Progressing: [false, reason, stays],
      Stalled: [true, reason, stays],
    },
    now,
  );
  const status = { ...set.status, observedGeneration: set.metadata.generation ?? 0, conditions };
  return { status, happening: happeningOf(set, status), says: `${nameOf(set)}: ${stays}` };
}

function nameOf({ metadata: { namespace = '', name } }: CappSet): string {
  return `**${namespace}/${name}**`;
}

interface Counts {
  readonly sites: number;
  readonly ready: number;
  readonly failed: number;
  readonly offline: number;
}

/** A site that cannot be reached is offline, whatever was last heard of its Capp: no site counts twice. */
function countsOf({ members, plan }: Pick<SetTold, 'members' | 'plan'>): Counts {
  const revision = leadsTo(plan);
  const isReady = ({ target }: SetMember): boolean =>
    target.reachable && target.revision === revision && target.verdict === 'Ready';
  const sum = (field: 'failed' | 'offline'): number =>
    plan.stages.reduce((total, stage) => total + stage[field], 0);
  return {
    sites: members.length,
    ready: members.filter(isReady).length,
    failed: sum('failed'),
    offline: sum('offline'),
  };
}

/**
 * Those that failed first, then those that are not Ready at the revision that they have, or that may not have
 * one.
 */
function failingOf({ members, barred }: Pick<SetTold, 'members' | 'barred'>): FailingSite[] {
  const rank = ({ target }: SetMember): number => (target.verdict === 'Failed' ? 0 : 1);
  const named = members
    .filter(
      // One without a Capp waits for its turn.
      ({ problem }) => problem !== null && problem.reason !== 'NotWritten',
    )
    .toSorted((a, b) => rank(a) - rank(b) || (a.site.cluster < b.site.cluster ? -1 : 1))
    .map(({ site, name, problem }) => ({
      site: site.cluster,
      capp: name,
      reason: problem?.reason ?? '',
      message: (problem?.message ?? '').slice(0, LONGEST_MESSAGE),
    }));
  const excluded = barred.map((one) => ({
    site: one.cluster,
    capp: '',
    reason: one.reason,
    message: one.message.slice(0, LONGEST_MESSAGE),
  }));
  return [...named, ...excluded].slice(0, MOST_FAILING);
}

function sayings(told: SetTold, counts: Counts): Record<SetConditionType, Saying<SetReason>> {
  const { plan } = told;
  const hold = heldBy(told, SPOKEN);
  const isReady = counts.ready > 0 && counts.ready + counts.offline >= counts.sites && plan.done;
  const ready = `${counts.ready} of ${counts.sites} sites are Ready at revision ${shownRevision(leadsTo(plan))}.`;
  const offline =
    counts.offline === 0 ? '' : ` ${counts.offline} cannot be reached, and get it when they are back.`;
  const reason = plan.done ? 'SitesNotReady' : hold[0];
  return {
    Ready: isReady
      ? [true, 'SitesReady', ready + offline]
      : [false, reason, `${ready}${offline} ${hold[1]}`.trim()],
    Progressing: progressOf(told, SPOKEN),
    Stalled: isStalled(told, SPOKEN)
      ? [true, hold[0], hold[1]]
      : [false, 'Progressing', 'Nothing waits for a person.'],
  };
}

/**
 * What users should hear of a change: what the set waits for, and that it is done; null if that is as it was.
 */
function happeningOf({ metadata, status: before }: CappSet, after: CappSetStatus): Happening | null {
  const of = (status: CappSetStatus | undefined, type: SetConditionType) =>
    status?.conditions?.find((one) => one.type === type);
  const is = of(after, 'Progressing');
  const was = of(before, 'Progressing');
  const isSame = was?.reason === is?.reason && before?.revision === after.revision;
  if (is === undefined || isSame || QUIET.has(is.reason)) return null;
  const type = of(after, 'Stalled')?.status === 'True' ? 'Warning' : 'Normal';
  const occasion = `${after.revision ?? ''}/${metadata.generation ?? 0}/${is.lastTransitionTime}`;
  return { type, reason: is.reason, note: is.message, occasion };
}

/** What people read about a set in the Temporal UI. */
function saysOf(set: CappSet, told: SetTold): string {
  const [reason, message] = heldBy(told, SPOKEN);
  const { ready, sites } = countsOf(told);
  return `${nameOf(set)} is Ready on ${ready} of ${sites} sites at revision ${shownRevision(told.plan.rollout.revision)}. ${reason}${message === '' ? '' : `: ${message}`}`;
}
