// Every object that an API server has, by its name: to see what somebody has left behind.
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';

interface Served {
  readonly groups?: readonly {
    readonly name: string;
    readonly preferredVersion: { readonly groupVersion: string };
  }[];
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

/** What comes and goes by itself; what Pods use is no object at all. */
const PASSING = new Set(['Event', 'Lease', 'EndpointSlice', 'Endpoints', 'ComponentStatus', 'PodMetrics']);

/** `Kind namespace/name` of each, sorted. Of a kind that is in two groups, both. */
export function everythingOn(kube: Kube): Promise<readonly string[]> {
  return eachOn(kube, nameOf);
}

/** The same with the version of each behind it: who compares two of them sees every write. */
export function versionsOn(kube: Kube): Promise<readonly string[]> {
  return eachOn(kube, (kind, one) => `${nameOf(kind, one)} ${one.metadata.resourceVersion ?? ''}`);
}

function nameOf(kind: string, { metadata: { namespace, name } }: KubeObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** A group is listed a moment before its kinds are served, and a moment after the last of them has gone. */
function eachOn(kube: Kube, text: (kind: string, one: KubeObject) => string): Promise<readonly string[]> {
  return eventually(() => eachNow(kube, text));
}

async function eachNow(
  kube: Kube,
  text: (kind: string, one: KubeObject) => string,
): Promise<readonly string[]> {
  const { groups = [] } = (await kube.raw('GET', '/apis')) as Served;
  const versions = ['v1', ...groups.map(({ preferredVersion }) => preferredVersion.groupVersion)];
  const kinds = (await Promise.all(versions.map((version) => kindsOf(kube, version)))).flat();
  const found = await Promise.all(
    kinds.map(async (resource) => (await kube.list(resource)).items.map((one) => text(resource.kind, one))),
  );
  return found.flat().toSorted();
}

async function kindsOf(kube: Kube, apiVersion: string): Promise<readonly Resource[]> {
  const path = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const { resources = [] } = (await kube.raw('GET', path)) as Served;
  return resources
    .filter(({ name, kind, verbs }) => !name.includes('/') && verbs.includes('list') && !PASSING.has(kind))
    .map(({ name, kind, namespaced }) => ({ apiVersion, kind, plural: name, namespaced }));
}
