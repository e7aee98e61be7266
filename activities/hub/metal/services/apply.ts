// Writes what is made beside a SIPCluster, and takes it away again: by server-side apply with a field manager
// of its own, only onto objects that are the SIPCluster's.
import { CORE_SERVICE, DEPLOYMENT } from '../../../../crds/kubernetes/core.ts';
import { SIP_CLUSTER_NAME } from '../../../../crds/metal/labels.ts';
import type { SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../../kube/client.ts';
import { isForbidden, isInvalid, isNotFound, type ApiError } from '../../../../kube/failure.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { ownLabels } from './instances.ts';
import { SERVICE_KINDS, type LoadBalancerObjects } from './load-balancer.ts';

const FIELD_MANAGER = 'cappstan-sip-services';

type Owner = Pick<SipCluster, 'metadata'>;

/** Why an object could not be written, or taken away. */
export class ServiceRefused extends Error {
  readonly isForeign: boolean;

  constructor(message: string, isForeign: boolean) {
    super(message);
    this.isForeign = isForeign;
  }
}

/**
 * Returns the objects as they are then. One that is as it should be is not written by the API server; edits
 * of ours by hand are put back, other fields stay. Throws ServiceRefused, and ApiError for what may pass.
 */
export async function applyAll(kube: Kube, cluster: Owner, made: LoadBalancerObjects): Promise<KubeObject[]> {
  const applied: KubeObject[] = [];
  for (const { resource, object } of made)
    applied.push(await applyOwned(kube, cluster, { resource, object }));
  return applied;
}

/** With the uid of what is there, so that another object of the name is never written. */
async function applyOwned(
  kube: Kube,
  cluster: Owner,
  { resource, object }: LoadBalancerObjects[number],
): Promise<KubeObject> {
  const { name, namespace = '' } = object.metadata;
  const there = await kube.getMetadata(resource, { namespace, name });
  if (there !== null && !isOf(there, cluster))
    throw new ServiceRefused(
      `${resource.kind} ${name} is there already, and is not of this SIPCluster. Delete or rename it`,
      true,
    );
  const uid = there?.metadata.uid === undefined ? {} : { uid: there.metadata.uid };
  return unlessRefused(resource, name, () =>
    kube.apply(
      resource,
      { ...object, metadata: { ...object.metadata, ...uid } },
      { fieldManager: FIELD_MANAGER, force: there !== null },
    ),
  );
}

/** By the owner's uid; or by our labels, where the SIPCluster was made once more. */
export function isOf(
  { metadata: { labels, ownerReferences = [] } }: KubeObject,
  { metadata }: Owner,
): boolean {
  const own = ownLabels(metadata.name);
  return (
    ownerReferences.some(({ uid }) => uid === metadata.uid) ||
    Object.entries(own).every(([label, value]) => labels?.[label] === value)
  );
}

/**
 * Takes everything of the SIPCluster away that has none of these names. Each item's Service goes last: by it
 * a later call finds what is left. Returns the names of what a list still shows then: a Deployment stays
 * until the last of its Pods has ended. Throws as `applyAll`.
 */
export async function removeOthers(
  kube: Kube,
  cluster: Owner,
  kept: ReadonlySet<string>,
): Promise<readonly string[]> {
  const left = await othersOf(kube, cluster, kept);
  for (const name of left)
    await removeInstance(kube, cluster, { namespace: cluster.metadata.namespace ?? '', name });
  return left.length === 0 ? left : othersOf(kube, cluster, kept);
}

async function othersOf(
  kube: Kube,
  { metadata: { name, namespace = '' } }: Owner,
  kept: ReadonlySet<string>,
): Promise<readonly string[]> {
  const labelSelector = Object.entries(ownLabels(name))
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
  const listed = await Promise.all(
    [CORE_SERVICE, DEPLOYMENT].map((resource) => listOf(kube, resource, { namespace, labelSelector })),
  );
  return [...new Set(listed.flatMap((names) => names ?? []))].filter((one) => !kept.has(one)).toSorted();
}

/** Throws ServiceRefused where the hub has no Deployments, so that nothing is made that nobody runs. */
export async function refuseWithoutDeployments(kube: Kube, { metadata }: Owner): Promise<void> {
  const { namespace = '', name } = metadata;
  const found = await listOf(kube, DEPLOYMENT, { namespace, labelSelector: `${SIP_CLUSTER_NAME}=${name}` });
  if (found !== null) return;
  const { apiVersion, kind } = DEPLOYMENT;
  throw new ServiceRefused(
    `The hub does not serve ${kind}s of ${apiVersion}, so no load balancer and no jump host is made`,
    false,
  );
}

async function removeInstance(kube: Kube, cluster: Owner, key: NamedKey): Promise<void> {
  for (const resource of SERVICE_KINDS.toReversed())
    if (!(await removeOwned(kube, cluster, resource, key))) return;
}

interface NamedKey {
  readonly namespace: string;
  readonly name: string;
}

/** Null: the hub does not serve the kind, so there is none. */
async function listOf(
  kube: Kube,
  resource: Resource,
  options: { readonly namespace: string; readonly labelSelector: string },
): Promise<string[] | null> {
  return unlessRefused(resource, options.labelSelector, async () => {
    try {
      const { items } = await kube.list<KubeObject>(resource, { ...options, metadataOnly: true });
      return items.map(({ metadata }) => metadata.name);
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  });
}

/** The garbage collector's, of what is deleted in the foreground. */
const IN_FOREGROUND = 'foregroundDeletion';

/**
 * False: it is still there. In the background a Deployment would be gone while its Pods run on, with a file
 * that leads to hosts; in the foreground it goes after them.
 */
async function removeOwned(kube: Kube, cluster: Owner, resource: Resource, key: NamedKey): Promise<boolean> {
  const there = await kube.getMetadata(resource, key);
  if (there === null || !isOf(there, cluster)) return true;
  const { uid, finalizers = [] } = there.metadata;
  if (finalizers.includes(IN_FOREGROUND)) return false;
  const propagation = resource === DEPLOYMENT ? 'Foreground' : 'Background';
  await unlessRefused(resource, key.name, () =>
    kube.remove(resource, key, { propagation, ...(uid === undefined ? {} : { uid }) }),
  );
  return (await kube.getMetadata(resource, key)) === null;
}

/** What the hub refuses for good, or until somebody changes something, is said; all else is thrown. */
async function unlessRefused<T>(resource: Resource, name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isForbidden(error) && !isInvalid(error) && !isNotFound(error)) throw error;
    throw new ServiceRefused(
      `The hub refuses a write of ${resource.kind} ${name} (${wordsOf(error)})`,
      false,
    );
  }
}

/** The refusal, and the fields that it names. */
export function wordsOf({ message, fields }: ApiError): string {
  return fields.length === 0 ? message : `${message}: ${fields.join(', ')}`;
}
