// What is known of the Jobs that check a Bundle on one site. Pure.
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import { checkWorkName } from '../../../../crds/ocm/check-work.ts';
import type { Strategy } from '../../../../crds/rollout/stages.ts';
import { isByJob, jobSecondsOf, type CheckByJob } from '../../../../crds/verification/job.ts';
import { textOf } from '../../../../workflows/parse/fields.ts';
import type { SeenVerification } from '../../../../workflows/stages/types.ts';
import type { HubCaches } from '../../caches.ts';
import { reachableSince } from '../../retire/reach.ts';
import { isAhead } from '../../rollout/ahead.ts';
import { HUB_TIMES } from '../../times.ts';
import type { BundleSite } from '../sites.ts';
import type { BundleProblem } from '../status/problems.ts';
import type { BundleWork } from '../status/seen.ts';
import {
  askedOf,
  isSameAsked,
  isUnsent,
  listDigest,
  notedOn,
  type AskedOfJobs,
  type JobVerdict,
} from '../../../../crds/verification/asked-of-jobs.ts';
import { jobName } from './render.ts';

/** What a look at the checks of one Bundle rests on. */
export interface CheckGround {
  readonly bundle: Pick<Bundle, 'metadata'>;
  /** The lists of its stages, by their digests. */
  readonly lists: ReadonlyMap<string, CheckList>;
  /** The work with the Jobs on a site, as this turn saw it first; undefined if there was none. */
  jobsOn(cluster: string): BundleWork | undefined;
  /** Since when the hub hears what sites say, in milliseconds since the epoch; null if it does not now. */
  readonly hearsSince: number | null;
}

interface CheckList {
  /** As JSON. */
  readonly text: string;
  readonly checks: readonly CheckByJob[];
}

export interface CheckedSite {
  readonly site: Pick<BundleSite, 'cluster' | 'isReachable' | 'reachableSince'>;
  /** The Bundle's own work there. */
  readonly work: BundleWork;
}

export interface SeenChecks {
  readonly seen: SeenVerification;
  /** A verdict that is not noted yet; null if there is none. */
  readonly unnoted: JobVerdict | null;
}

/** From caches; what they lack is asked once more, which writes nothing where the same was asked. */
export function checkingOf(
  { checkWorks }: Pick<HubCaches, 'checkWorks'>,
  bundle: Pick<Bundle, 'metadata'>,
  strategy: Strategy,
): CheckGround {
  const { namespace = '', name } = bundle.metadata;
  const workName = checkWorkName({ namespace, name });
  return {
    bundle,
    lists: listsOf(strategy),
    jobsOn: once((cluster) => checkWorks.get({ namespace: cluster, name: workName })),
    hearsSince: checkWorks.followsSince(),
  };
}

/**
 * Whether the former Jobs on a site are still being deleted, and the site has not come back after `since`, in
 * milliseconds since the epoch: once it is back, it may delete them soon.
 */
export function areLeaving(
  { checkWorks, clusters }: Pick<HubCaches, 'checkWorks' | 'clusters'>,
  { metadata: { namespace = '', name } }: Pick<Bundle, 'metadata'>,
  cluster: string,
  since: number,
): boolean {
  const jobs = checkWorks.get({ namespace: cluster, name: checkWorkName({ namespace, name }) });
  const site = clusters.get({ namespace: null, name: cluster });
  const backAt = site === undefined ? null : reachableSince(site);
  return jobs?.metadata.deletionTimestamp !== undefined && (backAt ?? 0) <= since;
}

/** What another turn writes meanwhile is nothing that this one has known. */
function once<T>(look: (cluster: string) => T): (cluster: string) => T {
  const seen = new Map<string, { readonly is: T }>();
  return (cluster) => {
    const first = seen.get(cluster) ?? { is: look(cluster) };
    seen.set(cluster, first);
    return first.is;
  };
}

function listsOf({ stages = [] }: Strategy): CheckGround['lists'] {
  return new Map(
    stages.flatMap(({ verify }) => {
      if (verify === undefined) return [];
      const text = JSON.stringify(verify);
      return [[listDigest(text), { text, checks: verify.filter(isByJob) }] as const];
    }),
  );
}

/**
 * Undefined where nothing was asked, where nobody asks for these checks any more, and where somebody has
 * changed the Jobs since. A verdict that is noted counts before whatever is said of its Jobs later.
 */
export function checksOn(
  ground: CheckGround,
  { site, work }: CheckedSite,
  now: number,
): SeenChecks | undefined {
  const jobs = ground.jobsOn(site.cluster);
  const noted = notedOn(work);
  const asked = isUnsent(noted, jobs) ? noted : (askedOf(jobs) ?? noted);
  const list = asked === null ? undefined : ground.lists.get(asked.checks);
  if (asked === null || list === undefined) return undefined;
  const about = { revision: asked.revision, round: asked.round, checks: list.text };
  if (noted !== null && isSameAsked(noted, asked)) {
    const { verdict, at, says } = noted;
    return { seen: { ...about, until: at, result: { verdict, at, says } }, unnoted: null };
  }
  const isAsAsked = jobs?.metadata.deletionTimestamp === undefined && jobs?.seen.revision !== null;
  if (jobs === undefined || !isAsAsked || isAhead(jobs.seen.at, now)) return undefined;
  const until = untilOf(list.checks, jobs.seen.at, [site.reachableSince ?? 0, ground.hearsSince ?? now]);
  const unnoted = verdictOf({ ground, site, jobs, asked, checks: list.checks, isLate: now >= until }, now);
  return { seen: { ...about, until, result: unnoted }, unnoted };
}

/**
 * A site that was away has the spare time once more, and every site after the hub itself was: the work agents
 * may have much to say first.
 */
function untilOf(checks: readonly CheckByJob[], askedAt: number, backAt: readonly number[]): number {
  const longest = Math.max(0, ...checks.map(jobSecondsOf)) * 1_000;
  const { ms: spare } = HUB_TIMES.verdictSpare;
  return Math.max(askedAt + longest, ...backAt) + spare;
}

interface Judged {
  readonly ground: CheckGround;
  readonly site: CheckedSite['site'];
  readonly jobs: BundleWork;
  readonly asked: AskedOfJobs;
  readonly checks: readonly CheckByJob[];
  readonly isLate: boolean;
}

/** In bytes: with control characters in it, an annotation of ours (`notedOn`) still has room for it. */
const LONGEST_SAYS = 512;

/** Null while nobody knows: of a site that cannot be reached, a Job that has not ended says nothing. */
function verdictOf({ ground, site, jobs, asked, checks, isLate }: Judged, now: number): JobVerdict | null {
  const { cluster, isReachable } = site;
  const { state, problems, reported = [] } = jobs.seen;
  const is = (verdict: JobVerdict['verdict'], says: string): JobVerdict => ({
    ...asked,
    verdict,
    at: now,
    says: textOf(says, LONGEST_SAYS),
  });
  const number = checks.length;
  const jobOf = ({ name }: CheckByJob): string => jobName(ground.bundle, name, asked);
  // A site that says nothing of a Job has not said that it succeeded.
  if (state === 'Ready' && checks.every((check) => reported.includes(jobOf(check))))
    return is('Passed', `${number === 1 ? 'The Job' : `All ${number} Jobs`} succeeded on ${cluster}.`);
  const about = (problem: BundleProblem): AboutJob =>
    aboutJob(
      problem,
      checks.find((check) => jobOf(check) === problem.name),
    );
  const failed = problems.find(({ reason }) => reason === 'Failed');
  if (failed !== undefined) {
    const { of, job, limit } = about(failed);
    return is(
      'Failed',
      `${of} failed on ${cluster}${limit}: ${job === '' ? '' : `${job} says `}${failed.message}.`,
    );
  }
  if (!isLate || !isReachable) return null;
  const [first] = problems;
  const { of, job, limit } = first === undefined ? UNNAMED : about(first);
  const why = first === undefined ? '' : ` ${job === '' ? '' : `${job}: `}${first.message}`;
  return is('Failed', `${of} came to no verdict on ${cluster} in time${limit}.${why}`);
}

interface AboutJob {
  readonly of: string;
  readonly job: string;
  /** How long it may take. */
  readonly limit: string;
}

const UNNAMED: AboutJob = { of: 'The Jobs', job: '', limit: '' };

/** Only names that we gave are repeated: a site may say any other, as long as it likes. */
function aboutJob({ namespace = '', name }: BundleProblem, check: CheckByJob | undefined): AboutJob {
  if (check === undefined) return UNNAMED;
  const limit = ` (it has ${jobSecondsOf(check)} s)`;
  return { of: `Check ${check.name}`, job: `Job ${namespace}/${name}`, limit };
}
