// Reports works that a lost site will not clean up, and releases those that a person has abandoned. Without
// that annotation none is released.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { MOST_ABANDONED, type Abandoned } from '../../../crds/capp/status.ts';
import { ABANDON, requestedBy } from '../../../crds/labels.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { applyStatus } from '../../../kube/apply-status.ts';
import type { Kube } from '../../../kube/client.ts';
import { retryOnConflict } from '../../../kube/failure.ts';
import { keyOf, type KubeObject } from '../../../kube/resource.ts';
import type { ClusterLoss, CleanupOutlook } from '../../../workflows/types/outlook.ts';
import type { Audit } from '../audit/act.ts';
import { named } from '../audit/moves.ts';
import { fewAtOnce } from '../drain/few-at-once.ts';
import { emit } from '../status/events.ts';
import { lossOf } from './reach.ts';
import { dropWork } from './removal.ts';

/** Clusters that are read at once. */
const AT_ONCE = 20;

/**
 * Names of clusters in annotation `rcs.dana.io/abandon` of a Capp, a CappSet or a Bundle, separated by commas
 * or blanks.
 */
export function abandonedBy(capp: KubeObject | null): readonly string[] {
  const value = capp?.metadata.annotations?.[ABANDON] ?? '';
  return value.split(/[\s,]+/).filter((name) => name !== '');
}

/**
 * Reads the clusters of works that are being deleted, live: whether one is lost must not rest on an old
 * cache. Those that `isHere` is true for are known not to be. Throws ApiError.
 */
export async function outlookOf(
  kube: Kube,
  capp: KubeObject | null,
  works: readonly KubeObject[],
  isHere: (cluster: string) => boolean = () => false,
): Promise<CleanupOutlook> {
  const clusters = [...new Set(works.map(({ metadata }) => metadata.namespace ?? ''))].toSorted();
  const few = fewAtOnce(AT_ONCE);
  const read = (name: string) =>
    few(async () => {
      if (isHere(name)) return [name, null] as const;
      const cluster = await kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name });
      return [name, lossOf(cluster)] as const;
    });
  const losses = await Promise.all(clusters.map(read));
  const lost = losses.flatMap(([name, loss]) => (loss === null ? [] : [[name, loss] as const]));
  const asked = abandonedBy(capp);
  return {
    lost: Object.fromEntries(lost),
    givenUp: losses.flatMap(([name, loss]) => (loss === null && asked.includes(name) ? [name] : [])),
  };
}

export interface Releasing {
  readonly kube: Kube;
  readonly audit: Audit;
}

/**
 * Releases the works on lost clusters that the Capp's annotation names, and writes an event about what may
 * still run there.
 */
export async function abandon(
  by: Releasing,
  capp: Capp | null,
  works: readonly KubeObject[],
  { lost }: CleanupOutlook,
): Promise<boolean> {
  const asked = abandonedBy(capp);
  const dropped = works.filter(
    ({ metadata: { namespace = '' } }) => asked.includes(namespace) && lost[namespace] !== undefined,
  );
  if (capp === null || dropped.length === 0) return false;
  // One after the other: each writes the Capp's status.
  for (const work of dropped) await release(by, capp, work, lost[work.metadata.namespace ?? '']);
  return true;
}

async function release(
  { kube, audit }: Releasing,
  capp: Capp,
  work: KubeObject,
  loss: ClusterLoss | undefined,
): Promise<void> {
  const { name, namespace: cluster = '', uid = '' } = work.metadata;
  const { namespace = '', name: app } = capp.metadata;
  const user = await whoGaveUp(kube, capp, cluster);
  const by = user ?? 'somebody';
  const why = loss === 'Gone' ? 'is no managed cluster any more' : 'cannot be reached';
  const note = `${cluster} ${why}, and ${by} abandoned its copy by annotation ${ABANDON}: ManifestWork ${cluster}/${name} is deleted from the hub. Capp ${namespace}/${app} may still run on ${cluster}, with its Secrets and ConfigMaps.`;
  await emit(kube, capp, { type: 'Warning', reason: 'CopyAbandoned', note, occasion: uid });
  audit({
    act: 'Abandon',
    who: { via: 'Annotation', ...(user === undefined ? {} : { by: user }) },
    what: { ...named(capp), from: cluster },
    why,
    result: 'Released',
    occasion: uid,
  });
  await record(kube, capp, { site: cluster, work: uid, ...(user === undefined ? {} : { by: user }) });
  await dropWork(kube, work);
}

/**
 * As the webhook recorded them: on a Capp of a CappSet, to which the hub hands the request on, that is who
 * gave it up on the set.
 */
async function whoGaveUp(kube: Kube, { metadata }: Capp, cluster: string): Promise<string | undefined> {
  const { namespace = '', annotations, ownerReferences = [] } = metadata;
  const own = annotations?.[requestedBy(ABANDON)];
  const owner = ownerReferences.find(({ kind, controller }) => kind === CAPP_SET.kind && controller === true);
  if (own !== undefined || owner === undefined) return own;
  const set = await kube.getMetadata(CAPP_SET, { namespace, name: owner.name });
  const isAsked = set?.metadata.uid === owner.uid && abandonedBy(set).includes(cluster);
  return isAsked ? set?.metadata.annotations?.[requestedBy(ABANDON)] : undefined;
}

/**
 * Keeps in the Capp's status who gave which copy up. A repeat finds its record; the work goes only after
 * that.
 */
async function record(kube: Kube, capp: Capp, given: Omit<Abandoned, 'at'>): Promise<void> {
  await retryOnConflict(async () => {
    const live = await kube.get<Capp>(CAPP, keyOf(capp));
    const before = live?.status?.abandoned ?? [];
    const isThere = before.some(({ work }) => work === given.work);
    if (live === null || live.metadata.uid !== capp.metadata.uid || isThere) return;
    const abandoned = [{ ...given, at: new Date().toISOString() }, ...before].slice(0, MOST_ABANDONED);
    await applyStatus(kube, CAPP, live, {
      fieldManager: 'cappstan-abandon',
      status: { abandoned },
      asRead: true,
    });
  });
}
