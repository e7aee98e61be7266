// The status of a Bundle, from what is so on its sites. Pure.
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import { MOST_FAILING, type BundleReason, type BundleStatus } from '../../../../crds/bundle/status.ts';
import { shownRevision } from '../../../../crds/rollout/revision.ts';
import type { RolloutRefusal } from '../../rollout/kind.ts';
import type { BundlePlaces } from './places.ts';
import { conditionsOf, type Saying } from '../../rollout/telling/conditions.ts';
import { rolloutSaid, type RolloutCourse } from '../../rollout/telling/said.ts';
import { unshippableSaid, waitsBeside } from '../../rollout/telling/unshippable.ts';
import { whyRefused, type RefusedRemoval } from '../../rollout/removing/unremoved.ts';
import { named, progress, readiness, stalling, type Tally } from './sayings.ts';
import { saidOfUnanswered, type SaidOfUnanswered, type UnansweredSite } from './unanswered.ts';
import type { BundleVerdict } from './verdicts.ts';

export interface JudgedBundle {
  readonly course: RolloutCourse;
  readonly verdicts: readonly BundleVerdict[];
  /** Sites that it leaves, and that have still to clean up. */
  readonly leaving: readonly string[];
  /** Sites that it leaves when they have answered; absent if there is none. */
  readonly unanswered?: readonly UnansweredSite[];
  /** Sites on which the revision has been on its way for longer than it may. */
  readonly late: readonly string[];
  readonly places: BundlePlaces;
}

/** What the status says of a Bundle whose manifests can be shipped. */
export function statusOf(bundle: Bundle, judged: JudgedBundle, now: number): BundleStatus {
  const { course, verdicts, leaving, places } = judged;
  const tally = tallyOf(judged);
  const { ready, progressing, failed, waiting, offline } = tally;
  const isReady = readiness(tally);
  const awaited = saidOfUnanswered(bundle, judged.unanswered ?? []);
  return {
    observedGeneration: bundle.metadata.generation ?? 0,
    revision: course.plan.rollout.revision,
    shortRevision: shownRevision(course.plan.rollout.revision),
    readyOfSites: `${ready.length}/${verdicts.length}`,
    sites: verdicts.length,
    ready: ready.length,
    progressing: progressing.length,
    failed: failed.length,
    waiting: waiting.length,
    offline: offline.length,
    ...listed(
      'failing',
      // Of a Ready site its checks may have failed.
      [...failed, ...progressing, ...offline, ...ready].flatMap(({ problems }) => problems),
    ),
    ...listed('leaving', leaving),
    ...places,
    ...rolloutSaid(course, bundle.status ?? {}),
    conditions: conditionsOf(
      bundle,
      {
        Ready: isReady,
        Progressing: waitingToo(progress(tally), awaited),
        Stalled: stalledBy(stalling(tally, isReady), awaited),
      },
      now,
    ),
  };
}

/** With the sites that are waited for behind what is said anyway. */
function waitingToo(
  [isSo, reason, said]: Saying<BundleReason>,
  waiting: SaidOfUnanswered | null,
): Saying<BundleReason> {
  return [isSo, reason, waiting === null ? said : `${said} ${waiting.message}`.trim()];
}

function stalledBy(stalled: Saying<BundleReason>, waiting: SaidOfUnanswered | null): Saying<BundleReason> {
  if (waiting?.isStuck !== true) return stalled;
  return stalled[0] ? waitingToo(stalled, waiting) : [true, 'StillLeaving', waiting.message];
}

function tallyOf(judged: JudgedBundle): Tally {
  const those = (state: BundleVerdict['state']): BundleVerdict[] =>
    judged.verdicts.filter((one) => one.state === state);
  return {
    ...judged,
    ready: those('Ready'),
    progressing: those('Progressing'),
    failed: those('Failed'),
    waiting: those('Waiting'),
    offline: those('Offline'),
  };
}

/**
 * What is told of a Bundle that is on sites and cannot be shipped as it is now. What waits for a person is
 * said beside it.
 */
export function unshippableStatus(
  bundle: Bundle,
  judged: JudgedBundle,
  refusal: RolloutRefusal,
  now: number,
): BundleStatus {
  const awaited = saidOfUnanswered(bundle, judged.unanswered ?? []);
  const isWaiting = waitsBeside(judged.course) || awaited !== null;
  const [, , waits] = waitingToo(progress(tallyOf(judged)), awaited);
  return {
    ...statusOf(bundle, judged, now),
    conditions: conditionsOf(bundle, unshippableSaid(refusal, isWaiting ? waits : null), now),
  };
}

/** What is told of a Bundle that cannot be shipped as it is, and that is on no site. */
export function refusedStatus(
  bundle: Bundle,
  { reason, message }: RolloutRefusal,
  now: number,
): BundleStatus {
  const { conditions: _conditions, ...known } = bundle.status ?? {};
  return {
    ...known,
    observedGeneration: bundle.metadata.generation ?? 0,
    conditions: conditionsOf(
      bundle,
      {
        Ready: [false, reason, `${message} Nothing is changed on any site until then.`],
        Progressing: [false, reason, 'Nothing is sent to sites.'],
        Stalled: [true, reason, message],
      },
      now,
    ),
  };
}

export interface Left {
  readonly clusters: readonly string[];
  /** Some of these, of which OCM knows no living agent. */
  readonly lost: readonly string[];
  readonly isOrphaning: boolean;
  readonly unremoved: readonly RefusedRemoval[];
  readonly unanswered: readonly UnansweredSite[];
}

const ORPHANING =
  "The Bundle is deleted with --cascade=orphan, and no site is cleaned up before the hub's garbage collector takes finalizer orphan off the Bundle. Where it does not, take it off yourself. What becomes of the objects on sites then is as spec.onRemoval says.";

function reasonToLeave({ lost, unremoved }: Left, isStuck: boolean): BundleReason {
  if (unremoved.length > 0) return 'RemovalRefused';
  if (lost.length > 0) return 'SiteLost';
  return isStuck ? 'StillLeaving' : 'Leaving';
}

/** What is told of a Bundle that is being deleted. */
export function leavingStatus(bundle: Bundle, left: Left, now: number): BundleStatus {
  const { clusters, lost, unremoved, isOrphaning } = left;
  const {
    conditions: _conditions,
    failing: _failing,
    leaving: _leaving,
    revisions: _revisions,
    unselected: _unselected,
    ...known
  } = bundle.status ?? {};
  const what = `These sites have still to clean up: ${named(clusters)}.`;
  const kept = isOrphaning ? [ORPHANING] : [];
  const refused = whyRefused(unremoved);
  const stays = `${unremoved.length} of its works cannot be deleted: ${refused}`;
  const away = `${named(lost)} cannot be reached. To give up what is there, set annotation rcs.dana.io/abandon of the Bundle to ${lost.slice(0, 3).join(',')}.`;
  const waiting = saidOfUnanswered(bundle, left.unanswered);
  const held = waiting?.isStuck === true ? [waiting.message] : [];
  const help = [
    ...kept,
    ...(lost.length > 0 ? [away] : []),
    ...(refused === null ? [] : [stays]),
    ...held,
  ].join(' ');
  const isStuck = help !== '';
  const waits = waiting === null || waiting.isStuck ? '' : waiting.message;
  const message = `${what} ${waits} ${help}`.replaceAll(/ +/g, ' ').trim();
  const reason = reasonToLeave(left, held.length > 0);
  return {
    ...known,
    observedGeneration: bundle.metadata.generation ?? 0,
    ...listed('leaving', clusters),
    conditions: conditionsOf(
      bundle,
      {
        Ready: [false, reason, message],
        Progressing: [!isOrphaning && lost.length + unremoved.length < clusters.length, reason, message],
        Stalled: isStuck ? [true, reason, help] : [false, 'Progressing', 'Nothing is stalled.'],
      },
      now,
    ),
  };
}

function listed<K extends 'failing' | 'leaving', T>(field: K, all: readonly T[]): { [P in K]?: T[] } {
  return (all.length === 0 ? {} : { [field]: all.slice(0, MOST_FAILING) }) as { [P in K]?: T[] };
}
