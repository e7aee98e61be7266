// The hub's side of a Capp's works: found by name or label, created or patched with their uid, never upserted.
import { isDeepStrictEqual } from 'node:util';
import { randomUUID } from 'node:crypto';
import { cappKey } from '../../crds/capp-key.ts';
import { CAPP_KEY, CAPP_NAME, CAPP_NAMESPACE, INCARNATION, SALT } from '../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../crds/ocm.ts';
import type { Kube } from '../../kube/client.ts';
import { isAlreadyExists } from '../../kube/failure.ts';
import type { KubeObject } from '../../kube/resource.ts';
import type { CappRef } from '../../workflows/state.ts';
import { hashedWorkName, workName, type Identity } from './render/work.ts';

/** Whose a work is stands in its annotations, which the Go operator writes too; where somebody took them away, in our label. */
export function isWorkOf(work: KubeObject, { namespace, name }: Pick<CappRef, 'namespace' | 'name'>): boolean {
  const { labels = {}, annotations = {} } = work.metadata;
  const { [CAPP_NAMESPACE]: itsNamespace, [CAPP_NAME]: itsName } = annotations;
  if (itsNamespace === undefined || itsName === undefined) return labels[CAPP_KEY] === cappKey(namespace, name);
  return itsNamespace === namespace && itsName === name;
}

/** The Capp's work on a cluster, or null. It may stand under the usual name or under the hashed one. */
export async function findWork(kube: Kube, capp: CappRef, cluster: string): Promise<ManifestWork | null> {
  for (const name of new Set([workName(capp.namespace, capp.name), hashedWorkName(capp.namespace, capp.name)])) {
    const work = await kube.get<ManifestWork>(MANIFEST_WORK, { namespace: cluster, name });
    if (work !== null && isWorkOf(work, capp)) return work;
  }
  return null;
}

/** A work keeps the identity it was made with; one adopted from the Go operator gets its own now. */
export function identityOf(capp: CappRef, cluster: string, work: ManifestWork | null): Identity {
  const annotations = work?.metadata.annotations ?? {};
  return {
    cluster,
    name: work?.metadata.name ?? workName(capp.namespace, capp.name),
    incarnation: annotations[INCARNATION] ?? randomUUID().slice(0, 8),
    salt: annotations[SALT] ?? randomUUID(),
  };
}

/** Creates a work; under the hashed name if somebody else's has the usual one. Null: it is there already, so read it again. */
export async function createWork(kube: Kube, capp: CappRef, work: ManifestWork): Promise<ManifestWork | null> {
  try {
    return await kube.create(MANIFEST_WORK, work);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const { name, namespace = '' } = work.metadata;
  const other = await kube.get<ManifestWork>(MANIFEST_WORK, { namespace, name });
  const hashed = hashedWorkName(capp.namespace, capp.name);
  if (other === null || isWorkOf(other, capp) || name === hashed) return null;
  return createWork(kube, capp, { ...work, metadata: { ...work.metadata, name: hashed } });
}

/** Makes a live work what it should be; the uid in the patch keeps it from touching a successor. Writes nothing if nothing differs. */
export async function updateWork(kube: Kube, live: ManifestWork, wanted: ManifestWork): Promise<{ work: ManifestWork; written: boolean }> {
  const { metadata } = wanted;
  if (holds(live, wanted)) return { work: live, written: false };
  const patch = { metadata: { uid: live.metadata.uid, labels: metadata.labels, annotations: metadata.annotations }, spec: wanted.spec };
  const work = await kube.patch<ManifestWork>(MANIFEST_WORK, { namespace: metadata.namespace ?? null, name: metadata.name }, patch);
  return { work, written: true };
}

function holds(live: ManifestWork, wanted: ManifestWork): boolean {
  const { metadata, spec } = live;
  if (!covers(metadata.labels, wanted.metadata.labels) || !covers(metadata.annotations, wanted.metadata.annotations)) return false;
  const rules = ['manifestConfigs', 'deleteOption'] as const;
  return (
    isDeepStrictEqual(spec?.workload, plain(wanted.spec?.workload)) &&
    rules.every((rule) => covers(spec?.[rule], plain(wanted.spec?.[rule])))
  );
}

/** All that is wanted is there; the API server may have added defaults of its own. */
function covers(have: unknown, want: unknown): boolean {
  if (Array.isArray(want))
    return Array.isArray(have) && have.length === want.length && want.every((one, index) => covers(have[index], one));
  if (!isRecord(want)) return have === want;
  return isRecord(have) && Object.entries(want).every(([name, value]) => covers(have[name], value));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As it comes back over the wire, without what is undefined. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** Metadata of every work of a Capp on any cluster, read live, by its label; and on the clusters named, by name, for works without labels. */
export async function allWorks(kube: Kube, capp: CappRef, clusters: readonly string[]): Promise<KubeObject[]> {
  const labelSelector = `${CAPP_KEY}=${cappKey(capp.namespace, capp.name)}`;
  const { items } = await kube.list<KubeObject>(MANIFEST_WORK, { labelSelector, metadataOnly: true });
  const labelled = items.filter((work) => isWorkOf(work, capp));
  const others = clusters.filter((cluster) => labelled.every((work) => work.metadata.namespace !== cluster));
  const named = await Promise.all(others.map((cluster) => findWork(kube, capp, cluster)));
  return [...labelled, ...named.filter((work) => work !== null)];
}

/** Deletes a work unless it is going already. The uid keeps a successor safe. */
export async function removeWork(kube: Kube, work: KubeObject): Promise<void> {
  const { name, namespace = null, uid, deletionTimestamp } = work.metadata;
  if (deletionTimestamp !== undefined) return;
  await kube.remove(MANIFEST_WORK, { namespace, name }, uid === undefined ? {} : { uid });
}
