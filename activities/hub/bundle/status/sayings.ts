// What the conditions of a Bundle say. Pure.
import type { BundleReason } from '../../../../crds/bundle/status.ts';
import type { Saying as OneSaying } from '../../rollout/telling/conditions.ts';
import { heldBy, isStalled, progressOf, type RolloutCourse } from '../../rollout/telling/said.ts';
import type { BundleVerdict } from './verdicts.ts';

type Saying = OneSaying<BundleReason>;

/** Sites by how they stand; `verdicts` are all of them. */
type BySite = Readonly<
  Record<'verdicts' | 'ready' | 'progressing' | 'failed' | 'waiting' | 'offline', readonly BundleVerdict[]>
>;

export interface Tally extends BySite {
  readonly course: RolloutCourse;
  /** Sites on which the revision has been on its way for longer than it may. */
  readonly late: readonly string[];
}

const SPOKEN = { copies: 'works', resource: 'bundle' } as const;

/** Holds of which the sites themselves say more. */
const OF_SITES: ReadonlySet<string> = new Set([
  'SitesUnderWay',
  'Unproven',
  'SitesOffline',
  'Done',
  'Soaking',
]);

/** All that can be reached are ready: those that cannot get the revision when they are back. */
export function readiness(tally: Tally): Saying {
  const { ready, offline, verdicts, course } = tally;
  const [held, why] = heldBy(course, SPOKEN);
  const lost =
    offline.length === 0 ? '' : ` ${countOf(offline)} cannot be reached, and get it when they are back.`;
  if (course.plan.done && ready.length > 0 && ready.length + offline.length === verdicts.length)
    return [true, 'Ready', `All manifests are applied and ready on ${countOf(ready)}.${lost}`];
  const worst = worstOf(tally, held);
  const share = `Ready on ${ready.length} of ${countOf(verdicts)}.`;
  const waits = OF_SITES.has(held) || why === '' ? '' : ` ${why}`;
  if (worst === undefined) return [false, held, `${share}${waits === '' ? ` ${why}` : waits}`.trim()];
  const { cluster, reason, problems, executor } = worst;
  const [first] = problems;
  const what =
    first === undefined || first.kind === '' ? cluster : `${first.kind} ${first.name} on ${cluster}`;
  const said = `${what}: ${first?.message ?? reason}`.replace(/[.\s]*$/, '.');
  const help = helpFor(reason, executor);
  return [false, reason, `${share} ${said}${help === '' ? '' : ` ${help}`}${waits}`];
}

/** Sites that cannot be reached are what is worst only while nothing else goes on. */
function worstOf({ failed, progressing, offline }: Tally, held: string): BundleVerdict | undefined {
  return failed[0] ?? progressing[0] ?? (OF_SITES.has(held) ? offline[0] : undefined);
}

export function progress({ course }: Tally): Saying {
  return progressOf(course, SPOKEN);
}

export function stalling(tally: Tally, [isReady, reason, message]: Saying): Saying {
  const { course, failed, late } = tally;
  const [held, why] = heldBy(course, SPOKEN);
  if (course.held > 0 || course.undecided !== null) return [true, held, why];
  if (failed.length > 0) return [true, reason, message];
  if (isStalled(course, SPOKEN) || (late.length > 0 && !isReady)) {
    const said = `The deadline of this revision has passed on ${named(late)}. ${message}`;
    return late.length > 0 ? [true, 'DeadlinePassed', said] : [true, held, why];
  }
  return [false, 'Progressing', 'Nothing waits for a person.'];
}

function countOf(verdicts: readonly BundleVerdict[]): string {
  return verdicts.length === 1 ? '1 site' : `${verdicts.length} sites`;
}

/** The executor is that of the work, which may have the name of an earlier setting. */
function helpFor(reason: BundleReason, executor: string | undefined): string {
  switch (reason) {
    case 'NotAllowed':
      return executor === undefined
        ? "OCM's work agent has no rights for it on the site: give it a ClusterRole labelled open-cluster-management.io/aggregate-to-work."
        : `An admin of the site must give ServiceAccount ${executor} get, create, update, patch and delete of it, by a RoleBinding; it is tried again each minute. docs/bundles.md has an example.`;
    case 'Conflict':
      return 'Somebody else on the site has set that field, and it stays as it is. Take the field out of the Bundle, or have the other give it up.';
    default:
      return '';
  }
}

/** Ten names at most. */
export function named(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(', ');
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}
