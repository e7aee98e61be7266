// Whether a namespace holds nothing. A ResourceQuota of ours has Kubernetes count every kind there, so that
// no right to read any of them is needed, Secrets least of all.
import { isDeepStrictEqual } from 'node:util';
import {
  CONFIG_MAP,
  RESOURCE_QUOTA,
  SERVICE_ACCOUNT,
  type ResourceQuota,
} from '../../crds/kubernetes/core.ts';
import { MANAGED_BY, MANAGED_BY_SITE } from '../../crds/labels.ts';
import type { Kube } from '../../kube/client.ts';
import { namespacedResources } from '../../kube/discovery.ts';
import { isForbidden, isNotFound } from '../../kube/failure.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import { SITE_TIMES } from '../times.ts';

const NAME = 'cappstan-count';
/** So high that it limits nobody. */
const NO_LIMIT = '1000000000';
/** Of what follows `count/`, by the API. */
const LONGEST = 63;

/**
 * Whether the namespace holds nothing but what Kubernetes puts into each. False also while that is not known:
 * Kubernetes takes moments to count. Leaves the quota for the next look; `stopCounting` removes it. A repeat
 * finds the quota and writes nothing. Throws what the client throws, and an Error if an API group does not
 * answer.
 */
export async function isEmpty(kube: Kube, namespace: string): Promise<boolean> {
  const kinds = (await namespacedResources(kube)).filter((kind) => !isView(kind));
  const hard = Object.fromEntries(kinds.filter(isCountable).map((kind) => [countOf(kind), NO_LIMIT]));
  const used = await counts(kube, namespace, hard);
  if (used === null || !(await isBare(kube, namespace, used))) return false;
  for (const kind of kinds.filter((one) => !isCountable(one))) {
    if (await holdsAny(kube, kind, namespace)) return false;
  }
  return true;
}

/** Removes the quota; a repeat finds none. Throws what the client throws. */
export async function stopCounting(kube: Kube, namespace: string): Promise<void> {
  await kube.remove(RESOURCE_QUOTA, { namespace, name: NAME });
}

/** The namespaces that still have our quota. Throws what the client throws. */
export async function countedNamespaces(kube: Kube): Promise<readonly string[]> {
  const labelSelector = `${MANAGED_BY}=${MANAGED_BY_SITE}`;
  const { items } = await kube.list<KubeObject>(RESOURCE_QUOTA, { labelSelector, metadataOnly: true });
  return items.flatMap(({ metadata: { namespace = '', name } }) => (name === NAME ? [namespace] : []));
}

/** Null until everything is counted. A kind that has come or gone since is counted anew. */
async function counts(
  kube: Kube,
  namespace: string,
  hard: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>> | null> {
  const quota = await kube.get<ResourceQuota>(RESOURCE_QUOTA, { namespace, name: NAME });
  const wanted = Object.keys(hard).toSorted();
  if (quota === null) {
    const { apiVersion, kind } = RESOURCE_QUOTA;
    const metadata = { namespace, name: NAME, labels: { [MANAGED_BY]: MANAGED_BY_SITE } };
    await kube.create<ResourceQuota>(RESOURCE_QUOTA, { apiVersion, kind, metadata, spec: { hard } });
    return null;
  }
  if (!isDeepStrictEqual(Object.keys(quota.spec?.hard ?? {}).toSorted(), wanted)) {
    await stopCounting(kube, namespace);
    return null;
  }
  const used = quota.status?.used ?? {};
  if (wanted.every((name) => used[name] !== undefined)) return used;
  // Kubernetes counts a new quota once, and a kind that it learns of after that much later.
  const age = Date.now() - Date.parse(quota.metadata.creationTimestamp ?? '');
  if (age > SITE_TIMES.countAgain.ms) await stopCounting(kube, namespace);
  return null;
}

/** Only the quota itself, and the two objects that Kubernetes puts into every namespace. */
async function isBare(
  kube: Kube,
  namespace: string,
  used: Readonly<Record<string, string>>,
): Promise<boolean> {
  const has = async (kind: Resource, name: string): Promise<string> =>
    (await kube.getMetadata(kind, { namespace, name })) === null ? '0' : '1';
  const expected: Readonly<Record<string, string>> = {
    'count/resourcequotas': '1',
    'count/configmaps': await has(CONFIG_MAP, 'kube-root-ca.crt'),
    'count/serviceaccounts': await has(SERVICE_ACCOUNT, 'default'),
  };
  return Object.entries(used).every(([name, count]) => count === (expected[name] ?? '0'));
}

function countOf({ apiVersion, plural }: Resource): string {
  const [group = '', version] = apiVersion.split('/');
  return version === undefined ? `count/${plural}` : `count/${plural}.${group}`;
}

function isCountable(kind: Resource): boolean {
  return countOf(kind).length - 'count/'.length <= LONGEST;
}

/** What has a name that is too long to be counted. A kind that we may not list counts as present. */
async function holdsAny(kube: Kube, kind: Resource, namespace: string): Promise<boolean> {
  try {
    const { items } = await kube.list<KubeObject>(kind, { namespace, metadataOnly: true });
    return items.length > 0;
  } catch (error) {
    if (isForbidden(error)) return true;
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Kinds derived from others (endpoints from the Service), and Events, which expire. */
function isView({ kind }: Resource): boolean {
  return ['Event', 'Endpoints', 'EndpointSlice'].includes(kind);
}
