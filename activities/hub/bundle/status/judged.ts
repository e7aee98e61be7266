// What is so on each site of a Bundle after a turn. Pure.
import type { Strategy } from '../../../../crds/rollout/stages.ts';
import { deadlineOf } from '../../../../workflows/stages/sites.ts';
import { courseOf, lostBeside } from '../../rollout/telling/course.ts';
import type { TurnOutcome } from '../../rollout/kind.ts';
import { leadsTo } from '../../rollout/telling/said.ts';
import { writtenBy } from '../../rollout/shipped.ts';
import type { BundleMember } from '../members.ts';
import type { BundleSite } from '../sites.ts';
import { placesOf } from './places.ts';
import type { BundleWork } from './seen.ts';
import type { JudgedBundle } from './status.ts';
import type { UnansweredSite } from './unanswered.ts';
import { barredVerdict, lostVerdict, verdictOf } from './verdicts.ts';

export interface BundleOutcome extends TurnOutcome<BundleWork, BundleMember, BundleSite> {
  readonly strategy: Strategy;
}

export function judgedBy(outcome: BundleOutcome, now: number): JudgedBundle {
  const { look, after, shipped } = outcome;
  const { members, barred, plan } = after;
  const goal = leadsTo(plan);
  const verdicts = [
    ...barred.map(barredVerdict),
    ...lostBeside(after).map(lostVerdict),
    ...members.map((member) => verdictOf(member, goal, shipped.get(member.site.cluster))),
  ].toSorted((a, b) => (a.cluster < b.cluster ? -1 : 1));
  return {
    course: courseOf(outcome),
    verdicts,
    leaving: leavingIn(outcome),
    unanswered: unansweredIn(outcome),
    late: lateIn(outcome, goal, now),
    places: placesOf(after, writtenBy(look, shipped)),
  };
}

function lateIn({ after, strategy }: BundleOutcome, goal: string, now: number): string[] {
  const ask = { targets: [], strategy, rollout: after.memory.rollout, seed: '' };
  return after.members
    .filter(
      ({ target }) =>
        target.revision === goal && target.verdict !== 'Ready' && now >= deadlineOf(target, ask),
    )
    .map(({ site }) => site.cluster);
}

function unansweredIn({ after, unanswered = [] }: BundleOutcome): UnansweredSite[] {
  const waiting = new Set(unanswered);
  return after.left.flatMap(({ metadata: { namespace: cluster = '' }, seen: { problems } }) =>
    waiting.has(cluster) ? [{ cluster, problems }] : [],
  );
}

function leavingIn({ look, after }: BundleOutcome): string[] {
  const going = new Set([...look.released.clusters, ...look.released.awaited]);
  return after.left
    .filter(({ metadata }) => metadata.deletionTimestamp !== undefined || going.has(metadata.namespace ?? ''))
    .map(({ metadata }) => metadata.namespace ?? '')
    .toSorted();
}
