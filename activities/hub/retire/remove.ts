// Deletes works that are no longer wanted, after a fresh read has confirmed the grounds; and finds a Capp's
// works.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import type { WorksFound, Grounds, RemovedWorks } from '../../../workflows/types/removals.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';
import { acting } from '../../trying.ts';
import { abandon, abandonedBy, outlookOf, type Releasing } from './abandon.ts';
import { isPaused } from '../../../crds/capp/requests.ts';
import { claimOf, namedWorks, type WorkClaim } from '../claim.ts';
import { lossOf } from './reach.ts';
import { removeWork } from './removal.ts';
import type { RetireOptions } from './retire.ts';
import { rulesOf } from '../place/move-rules.ts';
import { warrantFor, type WarrantOptions } from '../place/warrant.ts';
import { dropUnheld } from './unheld.ts';
import { allWorks, findWork, namedLive, worksOn } from '../works.ts';

type Objection = NonNullable<RemovedWorks['objection']>;

export type Remover = RetireOptions & WarrantOptions;

export function hubRemove({ kube, ...known }: Remover): Pick<Hub, 'remove' | 'find'> {
  return {
    remove: (capp, clusters, grounds) =>
      acting(kube, (bounded) => remove({ kube: bounded, ...known }, capp, clusters, grounds)),
    find: (capp, clusters) => acting(kube, (bounded) => find({ kube: bounded, ...known }, capp, clusters)),
  };
}

/** Reads the works to delete first, then the work that stays, and checks the time last. */
async function remove(
  { kube, ...options }: Remover,
  ref: CappRef,
  clusters: readonly string[],
  grounds: Grounds,
): Promise<RemovedWorks> {
  const claim = claimOf(options.caches, ref);
  const works = await worksOnAll({ kube, ...options }, claim, clusters);
  const fresh = works.filter((work) => !isGoing(work));
  const found =
    fresh.length === 0
      ? null
      : (otherWork(fresh, grounds) ??
        (await objectionTo({ kube, ...options }, { ref, claim, clusters }, grounds)));
  if (found !== null) return { leaving: [], objection: found };
  const begun = await Promise.all(fresh.map((work) => removeWork(kube, work)));
  const pending = clustersOf(fresh.filter((_work, index) => begun[index] === 'Pending'));
  const unheld = await dropUnheld(kube, works.filter(isUnreported));
  const leaving = clustersOf(works).filter(
    (cluster) => !unheld.includes(cluster) && !pending.includes(cluster),
  );
  return { leaving, ...(pending.length === 0 ? {} : { pending }) };
}

/** Read live: by the names that the cache has there, or by all names that the Capp's works may have. */
async function worksOnAll(
  { kube, caches }: Pick<RetireOptions, 'kube' | 'caches'>,
  claim: WorkClaim,
  clusters: readonly string[],
): Promise<KubeObject[]> {
  const found = await Promise.all(
    clusters.map(async (cluster) => {
      const named = namedWorks(caches, claim).filter(({ metadata }) => metadata.namespace === cluster);
      const known = await namedLive(kube, claim, named);
      return known.length > 0 ? known : worksOn(kube, claim, cluster);
    }),
  );
  return found.flat();
}

/** Its work agent has not reported on it. */
function isUnreported(
  work: KubeObject & { readonly status?: { readonly conditions?: readonly unknown[] } },
): boolean {
  return (work.status?.conditions ?? []).length === 0;
}

/**
 * A try that was held up, as in a process that was stopped and goes on, must not remove what a later decision
 * has shipped.
 */
function otherWork(works: readonly KubeObject[], { of = {} }: Grounds): Objection | null {
  const others = works.filter(({ metadata: { namespace = '', annotations } }) => {
    const stamp = of[namespace];
    return stamp !== undefined && annotations?.[ROLLOUT] !== stamp;
  });
  if (others.length === 0) return null;
  const seen = others.map(({ metadata: { namespace = '', annotations } }) => [
    namespace,
    annotations?.[ROLLOUT] ?? null,
  ]);
  return {
    reason: 'OtherWork',
    message: `the ManifestWork on ${clustersOf(others).join(' and on ')} was shipped since its removal was decided.`,
    seen: Object.fromEntries(seen) as Record<string, string | null>,
  };
}

interface Errand {
  readonly ref: CappRef;
  readonly claim: WorkClaim;
  /** Whose works are to go. */
  readonly clusters: readonly string[];
}

/** The reason against the removal, or null. */
async function objectionTo(
  { kube, ...options }: Remover,
  errand: Errand,
  { staying, to, until }: Grounds,
): Promise<Objection | null> {
  const capp = await kube.get<Capp>(CAPP, errand.ref);
  const found =
    staying === null
      ? changeOf(options, capp, { ...errand, to })
      : (elsewhereIn(capp, errand, staying.cluster) ?? (await doubtOf(kube, errand.claim, staying)));
  if (found !== null || Date.now() < until) return found;
  return {
    reason: 'Expired',
    message: 'the confirmation that the removal needs is too old; the agents are asked again.',
  };
}

/**
 * The ground is `Recreate` in the spec of a living Capp, whose status says that it is on its way to another
 * site: whoever asks for the removal may say anything.
 */
function changeOf(
  options: WarrantOptions,
  capp: Capp | null,
  { ref, clusters, to }: Errand & { readonly to: string | undefined },
): Objection | null {
  const isSame = capp?.metadata.uid === ref.uid && capp.metadata.deletionTimestamp === undefined;
  const isAsked = isSame && !isPaused(capp) && rulesOf(capp.spec.migration).strategy === 'Recreate';
  if (!isAsked)
    return {
      reason: 'CappChanged',
      message: 'the Capp no longer asks to remove its only copy first (spec.migration.strategy Recreate).',
    };
  const isMoving = (capp.status?.sites ?? []).some(
    ({ clusterName, role }) => role === 'Coming' && !clusters.includes(clusterName),
  );
  if (isMoving) return null;
  // No status will ever say so of a site that nothing allows.
  if (to !== undefined && warrantFor(options, capp, to) === null)
    return { reason: 'CappChanged', message: `nothing on the hub says that the Capp may go to ${to}.` };
  return {
    reason: 'NotServing',
    message: 'the status of the Capp does not say yet that it moves to another site.',
  };
}

/** Users must have been sent to the copy that stays before another may go. */
function elsewhereIn(capp: Capp | null, { ref, clusters }: Errand, cluster: string): Objection | null {
  if (capp?.metadata.uid !== ref.uid)
    return { reason: 'CappChanged', message: 'the Capp is gone, or another object has its name.' };
  if (capp.status?.migration?.serving === cluster && !clusters.includes(cluster)) return null;
  return {
    reason: 'NotServing',
    message: `the status of the Capp does not say that it serves on ${cluster}, where it is to remain.`,
  };
}

async function doubtOf(
  kube: Kube,
  claim: WorkClaim,
  { cluster, stamp }: NonNullable<Grounds['staying']>,
): Promise<Objection | null> {
  const loss = lossOf(await kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: cluster }));
  if (loss !== null)
    return {
      reason: 'SiteUnreachable',
      message: `${cluster}, where the Capp is to remain, cannot be reached.`,
    };
  const work = await findWork(kube, claim, cluster);
  if (work === null || isGoing(work))
    return {
      reason: 'WorkGone',
      message: `the ManifestWork on ${cluster}, where the Capp is to remain, is gone.`,
    };
  if (work.metadata.annotations?.[ROLLOUT] === stamp) return null;
  return {
    reason: 'OtherStamp',
    message: `the ManifestWork on ${cluster}, where the Capp is to remain, is not the one that was confirmed.`,
  };
}

async function find(
  { kube, caches, audit }: RetireOptions,
  ref: CappRef,
  clusters: readonly string[] | null,
): Promise<WorksFound> {
  const claim = claimOf(caches, ref);
  const works =
    clusters === null
      ? await allWorks(kube, claim, namedWorks(caches, claim))
      : await worksOnAll({ kube, caches }, claim, clusters);
  const going = works.filter(isGoing);
  if (going.length === 0) return { works: works.map(foundOf), lost: {}, given: [] };
  const capp = await kube.get<Capp>(CAPP, ref);
  const outlook = await outlookOf(kube, capp, going);
  const lost = going.filter(({ metadata }) => outlook.lost[metadata.namespace ?? ''] !== undefined);
  const given = [...(await givenUp({ kube, audit }, ref, capp, lost)), ...(await dropUnheld(kube, lost))];
  const left = works.filter(({ metadata }) => !given.includes(metadata.namespace ?? ''));
  return { works: left.map(foundOf), lost: outlook.lost, given };
}

/** Also works of a living Capp on a lost site may be abandoned. */
async function givenUp(
  by: Releasing,
  ref: CappRef,
  capp: Capp | null,
  lost: readonly KubeObject[],
): Promise<string[]> {
  const asked = capp?.metadata.uid === ref.uid ? abandonedBy(capp) : [];
  const named = lost.filter(({ metadata }) => asked.includes(metadata.namespace ?? ''));
  if (named.length > 0) await abandon(by, capp, named, await outlookOf(by.kube, capp, named));
  return clustersOf(named);
}

function isGoing({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

function foundOf(work: KubeObject): WorksFound['works'][number] {
  return { cluster: work.metadata.namespace ?? '', leaving: isGoing(work) };
}

function clustersOf(works: readonly KubeObject[]): string[] {
  return [...new Set(works.map((work) => work.metadata.namespace ?? ''))].toSorted();
}
