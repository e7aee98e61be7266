// That an API server which begins with kinds serves them as one does that has run for a while.
import { connect, type Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { API_TIMEOUT_MS, eventually } from '../../../../testbed/eventually.ts';

interface Definition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

/**
 * Resolves when each kind of these definitions has its watch cache: until then a list is answered from etcd,
 * and a watch that follows it is refused with 410 or 429. A test of what hears no fault of a watch would
 * fail.
 */
export async function untilServed(objects: readonly KubeObject[], kubeconfig: string): Promise<void> {
  const kube = connect({ kubeconfig, deadlineMs: API_TIMEOUT_MS });
  try {
    const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition') as Definition[];
    await Promise.all(definitions.flatMap(pathsOf).map((path) => untilCached(kube, path)));
  } finally {
    await kube.close();
  }
}

function pathsOf({ spec: { group, names, versions } }: Definition): string[] {
  return versions.filter(({ served }) => served).map(({ name }) => `/apis/${group}/${name}/${names.plural}`);
}

/** The version 0 asks for what the cache has, and for nothing else. */
async function untilCached(kube: Kube, path: string): Promise<void> {
  await eventually(() => kube.raw('GET', `${path}?resourceVersion=0`));
}
