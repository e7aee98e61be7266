// Sites of a Bundle as its status tells of them.
import { statusOf } from '../../../../activities/hub/bundle/status/status.ts';
import { memberOn, type BundleMember } from '../../../../activities/hub/bundle/members.ts';
import type { BundleSite } from '../../../../activities/hub/bundle/sites.ts';
import { verdictOf, type BundleVerdict } from '../../../../activities/hub/bundle/status/verdicts.ts';
import { seenWork, type BundleWork } from '../../../../activities/hub/bundle/status/seen.ts';
import { memoryOf } from '../../../../activities/hub/rollout/memory.ts';
import type { RolloutCourse } from '../../../../activities/hub/rollout/telling/said.ts';
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import type { BundleStatus } from '../../../../crds/bundle/status.ts';
import type { HoldReason } from '../../../../crds/rollout/stages.ts';
import { begin } from '../../../../workflows/stages/rollout.ts';
import { aBundle, rendered, reportedWork, type Reported } from './bundles.ts';

export const NOW = Date.parse('2026-03-01T12:00:00Z');
export const bundle = aBundle();
export const { revision } = rendered(bundle);
export const workOf = (reported?: Reported): BundleWork => seenWork(reportedWork(bundle, reported) as never);
export const site = (cluster: string, isReachable = true): BundleSite => ({
  cluster,
  labels: {},
  refusal: null,
  isReachable,
  lostSince: null,
});
export const memberOf = (cluster: string, work: BundleWork | undefined, isReachable = true): BundleMember =>
  memberOn({ rendered: rendered(bundle), refused: {}, now: NOW }, site(cluster, isReachable), work);
export const of = (cluster: string, reported?: Reported): BundleVerdict =>
  verdictOf(memberOf(cluster, workOf(reported)), revision, undefined);
export const NOT_ALLOWED = {
  refused: {
    settings: 'Failed to apply manifest: not allowed to apply the resource  configmaps, apps settings',
  },
};
/** All have passed all stages. */
export const COURSE: RolloutCourse = {
  plan: {
    advance: [],
    rollout: { ...begin(null, revision, NOW), settled: revision },
    hold: null,
    wakeAt: null,
    stages: [{ name: 'all', state: 'Passed', sites: 2, ready: 2, underWay: 0, failed: 0, offline: 0 }],
    done: true,
  },
  memory: memoryOf(bundle, null),
  held: 0,
  last: null,
  unremoved: [],
  undecided: null,
  asked: [],
};
export const waitingFor = (reason: HoldReason, message = ''): RolloutCourse => ({
  ...COURSE,
  plan: { ...COURSE.plan, done: false, hold: { reason, message, until: null } },
});
export const told = (
  verdicts: readonly BundleVerdict[],
  known: Bundle = bundle,
  { course = COURSE, late = [] as string[], now = NOW } = {},
) => {
  const status = statusOf(known, { course, verdicts, leaving: [], late, places: {} }, now);
  return { status, reason: conditionOf(status, 'Ready')?.reason };
};
export const conditionOf = (status: BundleStatus, type: string) =>
  status.conditions?.find((one) => one.type === type);
