// What a Deployment of ours on a cluster asks for, read from there: on a site it is OCM that has put it there, from the add-on's template.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kube } from '../../../kube/client.ts';
import type { Key, KubeObject, Resource } from '../../../kube/resource.ts';

const DEPLOYMENT: Resource = { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', namespaced: true };

interface Container {
  readonly command?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

interface Deployment extends KubeObject {
  readonly spec?: {
    readonly template?: { readonly spec?: { readonly serviceAccountName?: string; readonly containers?: readonly Container[] } };
  };
}

export interface Asked {
  readonly serviceAccount: string;
  /** Its first container's command: node, flags of node, a main in workers/. */
  readonly command: readonly string[];
  /** The plain values of its environment. Paths are left out: they are the image's. */
  readonly env: Readonly<Record<string, string>>;
}

/** Waits for the Deployment. Throws when it is not there after `timeoutMs`. `cluster` is named in the message. */
export async function awaitDeployment(
  kube: Kube,
  key: Key,
  { cluster, timeoutMs }: { cluster: string; timeoutMs: number },
): Promise<Asked> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const found = await kube.get<Deployment>(DEPLOYMENT, key);
    if (found !== null) return read(found);
    if (Date.now() > deadline) {
      const remedy = 'On the hub, "kubectl get managedclusteraddons,manifestworks -A" says how far the add-on came.';
      throw new Error(`${cluster} has no Deployment ${key.namespace}/${key.name} after ${timeoutMs / 1000} s. ${remedy}`);
    }
    await sleep(100);
  }
}

function read({ spec }: Deployment): Asked {
  const pod = spec?.template?.spec;
  const container = pod?.containers?.[0];
  const plain = (container?.env ?? []).flatMap(({ name, value }) =>
    value === undefined || value.startsWith('/') ? [] : [[name, value] as const],
  );
  return { serviceAccount: pod?.serviceAccountName ?? 'default', command: container?.command ?? [], env: Object.fromEntries(plain) };
}
