// Finds, creates and patches a Capp's works on the hub. A work is found by name or label and patched with its
// uid, never upserted.
import { isDeepStrictEqual } from 'node:util';
import { randomUUID } from 'node:crypto';
import { cappKey, hashedWorkName, workName, workNamesOf } from '../../crds/ocm/work-identity.ts';
import { ADOPTED, CAPP_KEY, INCARNATION, SALT, TAKEN_OVER } from '../../crds/labels.ts';
import { MANIFEST_WORK, WORK_FINALIZER, type ManifestWork } from '../../crds/ocm/ocm.ts';
import type { Kube } from '../../kube/client.ts';
import { isAlreadyExists } from '../../kube/failure.ts';
import { containsAll, type KubeObject } from '../../kube/resource.ts';
import { isOurs, isOursByName, type WorkClaim } from './claim.ts';
import type { Identity } from './ship/render/work.ts';

/** The Capp's work on a cluster, or null. It may have the usual name or the hashed one. */
export async function findWork(kube: Kube, claim: WorkClaim, cluster: string): Promise<ManifestWork | null> {
  for (const name of workNamesOf(claim)) {
    const work = await kube.get<ManifestWork>(MANIFEST_WORK, { namespace: cluster, name });
    if (work !== null && isOurs(work, claim)) return work;
  }
  return null;
}

/** All of the Capp's works on a cluster: an earlier version of Cappstan may have created a second. */
export async function worksOn(kube: Kube, claim: WorkClaim, cluster: string): Promise<ManifestWork[]> {
  const names = workNamesOf(claim).map((name) => ({ namespace: cluster, name }));
  const read = await Promise.all(names.map((key) => kube.get<ManifestWork>(MANIFEST_WORK, key)));
  return read.filter((work) => work !== null).filter((work) => isOurs(work, claim));
}

/**
 * The second work on the cluster of a Capp that an earlier version of Cappstan shipped beside the Go
 * operator's work, or null.
 */
export async function findSecond(
  kube: Kube,
  claim: WorkClaim,
  { metadata: { name, namespace = '' } }: ManifestWork,
): Promise<ManifestWork | null> {
  const hashed = hashedWorkName(claim.namespace, claim.name);
  return name === hashed ? null : kube.get<ManifestWork>(MANIFEST_WORK, { namespace, name: hashed });
}

/**
 * A work keeps its identity. One that stays in place of a second work takes the identity of the second, so
 * that its content is the same. A new work has the usual name only if no other Capp could have it.
 */
export function identityOf(
  { namespace, name, rivals }: WorkClaim,
  cluster: string,
  work: ManifestWork | null,
  second: ManifestWork | null = null,
): Identity {
  const annotations = { ...second?.metadata.annotations, ...work?.metadata.annotations };
  const givenTo = rivals.length === 0 ? workName : hashedWorkName;
  return {
    cluster,
    name: work?.metadata.name ?? givenTo(namespace, name),
    incarnation: annotations[INCARNATION] ?? randomUUID().slice(0, 8),
    salt: annotations[SALT] ?? randomUUID(),
  };
}

/** The desired form of a live work, with an annotation that stays if Cappstan did not create it. */
export function takenOver({ metadata }: ManifestWork, wanted: ManifestWork): ManifestWork {
  if (metadata.annotations?.[INCARNATION] !== undefined) return wanted;
  return {
    ...wanted,
    metadata: { ...wanted.metadata, annotations: { ...wanted.metadata.annotations, [TAKEN_OVER]: 'true' } },
  };
}

/**
 * Creates a work; with the hashed name if another's has the usual one. Null: it exists already, so read it
 * again.
 */
export async function createWork(
  kube: Kube,
  claim: WorkClaim,
  work: ManifestWork,
): Promise<ManifestWork | null> {
  try {
    return await kube.create(MANIFEST_WORK, work);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const { name, namespace = '' } = work.metadata;
  const other = await kube.get<ManifestWork>(MANIFEST_WORK, { namespace, name });
  const hashed = hashedWorkName(claim.namespace, claim.name);
  if (other === null || isOurs(other, claim) || name === hashed) return null;
  return createWork(kube, claim, { ...work, metadata: { ...work.metadata, name: hashed } });
}

/**
 * Patches a work into its desired form. Uid and resourceVersion in the patch protect a successor, and writes
 * since the work was read: that is a Conflict. Writes nothing if nothing differs.
 */
export async function updateWork(
  kube: Kube,
  live: ManifestWork,
  wanted: ManifestWork,
): Promise<{ work: ManifestWork; written: boolean }> {
  const { metadata } = wanted;
  if (holds(live, wanted)) return { work: live, written: false };
  const { uid, resourceVersion, annotations: before = {}, finalizers = [] } = live.metadata;
  const held = finalizers.includes(WORK_FINALIZER) ? {} : { finalizers: [...finalizers, WORK_FINALIZER] };
  const annotations = {
    ...metadata.annotations,
    ...(before[ADOPTED] === undefined ? {} : { [ADOPTED]: null }),
  };
  const patch = {
    metadata: { uid, resourceVersion, ...held, labels: metadata.labels, annotations },
    // With whatever else changes it gets its executor, or loses one that its site no longer claims.
    spec: { ...wanted.spec, executor: wanted.spec?.executor ?? null },
  };
  const work = await kube.patch<ManifestWork>(
    MANIFEST_WORK,
    { namespace: metadata.namespace ?? null, name: metadata.name },
    patch,
  );
  return { work, written: true };
}

/** Gives a live work its labels and annotations, as `updateWork` does, and changes nothing else. */
export async function markWork(
  kube: Kube,
  live: ManifestWork,
  { metadata }: ManifestWork,
): Promise<{ work: ManifestWork; written: boolean }> {
  const { labels, annotations } = metadata;
  if (containsAll(live.metadata.labels, labels) && containsAll(live.metadata.annotations, annotations))
    return { work: live, written: false };
  const { uid, resourceVersion } = live.metadata;
  const patch = { metadata: { uid, resourceVersion, labels, annotations } };
  const work = await kube.patch<ManifestWork>(
    MANIFEST_WORK,
    { namespace: metadata.namespace ?? null, name: metadata.name },
    patch,
  );
  return { work, written: true };
}

/** Whoever applies it, it is the same: a site that gets an executor, or loses it, is no reason to write. */
export function holds(live: ManifestWork, wanted: ManifestWork): boolean {
  const { metadata, spec } = live;
  if (
    !containsAll(metadata.labels, wanted.metadata.labels) ||
    !containsAll(metadata.annotations, wanted.metadata.annotations)
  )
    return false;
  const rules = ['manifestConfigs', 'deleteOption'] as const;
  return (
    isDeepStrictEqual(spec?.workload, plain(wanted.spec?.workload)) &&
    rules.every((rule) =>
      wanted.spec?.[rule] === undefined
        ? spec?.[rule] === undefined
        : containsAll(spec?.[rule], plain(wanted.spec[rule])),
    )
  );
}

/** As JSON returns it, without undefined fields. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** The Capp's works among those that a cache has under its names, read live. A cache may lack the newest. */
export async function namedLive(
  kube: Kube,
  claim: WorkClaim,
  named: readonly KubeObject[],
): Promise<ManifestWork[]> {
  const places = [...new Set(named.map(placeOf))].map(keyAt);
  const read = await Promise.all(places.map((key) => kube.get<ManifestWork>(MANIFEST_WORK, key)));
  return read.filter((work) => work !== null).filter((work) => isOurs(work, claim));
}

/**
 * Every work of a Capp on any cluster, at least its metadata: works with its label, works that a cache has
 * under its names, and works on its site, unless the cache is known to have those (`isShown`). A work that is
 * the Capp's by name alone is not read; others are read live.
 */
export async function allWorks(
  kube: Kube,
  claim: WorkClaim,
  named: readonly KubeObject[],
  isShown = false,
): Promise<KubeObject[]> {
  const labelSelector = `${CAPP_KEY}=${cappKey(claim.namespace, claim.name)}`;
  const { items } = await kube.list<KubeObject>(MANIFEST_WORK, { labelSelector, metadataOnly: true });
  const sure = items.filter((work) => isOursByName(work, claim));
  const known = new Set(sure.map(placeOf));
  const isFound = isShown || isOn(sure, claim.site);
  const places = [...items, ...named].map(placeOf).concat(isFound ? [] : placesOn(claim));
  const doubtful = [...new Set(places)].filter((place) => !known.has(place)).map(keyAt);
  const read = await Promise.all(doubtful.map((key) => kube.get<ManifestWork>(MANIFEST_WORK, key)));
  return [...sure, ...read.filter((work) => work !== null).filter((work) => isOurs(work, claim))];
}

function placeOf({ metadata: { namespace = '', name } }: KubeObject): string {
  return `${namespace}/${name}`;
}

function keyAt(place: string): { namespace: string; name: string } {
  const [namespace = '', name = ''] = place.split('/');
  return { namespace, name };
}

function isOn(works: readonly KubeObject[], cluster: string | null): boolean {
  return cluster === null || works.some(({ metadata }) => metadata.namespace === cluster);
}

/** The names and cluster of its works on the recorded site. */
function placesOn(claim: WorkClaim): string[] {
  return workNamesOf(claim).map((name) => `${claim.site ?? ''}/${name}`);
}
