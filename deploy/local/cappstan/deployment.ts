// Reads one of our Deployments from its cluster. On a site, OCM creates it from the add-on's template.
import { setTimeout as sleep } from 'node:timers/promises';
import { DEPLOYMENT } from '../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';

interface Container {
  readonly command?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

interface Deployment extends KubeObject {
  readonly spec?: {
    readonly template?: {
      readonly spec?: { readonly serviceAccountName?: string; readonly containers?: readonly Container[] };
    };
  };
}

export interface DeploymentSettings {
  readonly serviceAccount: string;
  /** The first container's command: node, its flags, a main in workers/. */
  readonly command: readonly string[];
  /** The plain values of its environment, without paths, which exist only in the image. */
  readonly env: Readonly<Record<string, string>>;
}

/** Where a Deployment is; `name` may be only how its name begins, which a hub's short id ends. */
export interface Sought {
  readonly namespace: string;
  readonly name: string;
  readonly isPrefix?: true;
}

async function found(kube: Kube, { namespace, name, isPrefix }: Sought): Promise<Deployment | null> {
  if (isPrefix === undefined) return kube.get<Deployment>(DEPLOYMENT, { namespace, name });
  const { items } = await kube.list<Deployment>(DEPLOYMENT, { namespace });
  return items.find(({ metadata }) => metadata.name.startsWith(name)) ?? null;
}

/** Which version of the Deployment's spec is there; null if there is none, or it is being deleted. */
export async function deploymentAt(kube: Kube, sought: Sought): Promise<string | null> {
  const { metadata } = (await found(kube, sought)) ?? {};
  if (metadata === undefined || metadata.deletionTimestamp !== undefined) return null;
  return `${metadata.uid ?? ''}/${metadata.generation ?? 0}`;
}

/** Waits for the Deployment. Throws after `timeoutMs`; the message names `cluster`. */
export async function awaitDeployment(
  kube: Kube,
  sought: Sought,
  { cluster, timeoutMs }: { cluster: string; timeoutMs: number },
): Promise<DeploymentSettings> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const live = await found(kube, sought);
    if (live !== null) return settingsIn(live);
    if (Date.now() > deadline) {
      const remedy =
        'To see how far the add-on came, run on the hub: kubectl get managedclusteraddons,manifestworks -A';
      throw new Error(
        `${cluster} has no Deployment ${sought.namespace}/${sought.name} after ${timeoutMs / 1000} s. ${remedy}`,
      );
    }
    await sleep(100);
  }
}

/** Of a Deployment as the chart has it, or as a cluster does. */
export function settingsIn({ spec }: Deployment): DeploymentSettings {
  const pod = spec?.template?.spec;
  const container = pod?.containers?.[0];
  const plain = (container?.env ?? []).flatMap(({ name, value }) =>
    value === undefined || value.startsWith('/') ? [] : [[name, value] as const],
  );
  return {
    serviceAccount: pod?.serviceAccountName ?? 'default',
    command: container?.command ?? [],
    env: Object.fromEntries(plain),
  };
}
