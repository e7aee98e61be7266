// What services of a SIPCluster need beside its hosts, and who brings their Deployments up: here nobody does,
// so a test says that they serve.
import {
  CORE_SERVICE,
  CONFIG_MAP,
  DEPLOYMENT,
  SECRET,
  type Secret,
} from '../../../../crds/kubernetes/core.ts';
import type { SipServices } from '../../../../crds/metal/services.ts';
import { SIP_CLUSTER, type SipCluster, type SipClusterSpec } from '../../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import type { SipRef } from '../../../../workflows/metal/port.ts';
import { makeHost } from './metal.ts';

/** A key pair's public half, as of SIP's samples. */
export const PUBLIC_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPDiEv1pre5lygiyA3w6ypzTBmVK+Sfaf9diBQUw87aQ someone';
export const NETWORK = 'oam-ipv4';

export async function makeSecret(
  kube: Kube,
  namespace: string,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const data = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
  );
  await kube.create<Secret>(SECRET, { metadata: { namespace, name }, data });
}

export interface ServedHostMade {
  readonly role: string;
  readonly address: string;
  readonly password?: string;
  readonly bmc?: string;
  /** Beside its flavor, which is the role. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** A host with both of its Secrets. */
export async function makeServedHost(
  kube: Kube,
  namespace: string,
  name: string,
  {
    role,
    address,
    password = 'secret',
    bmc = 'redfish+https://192.0.2.9/redfish/v1/Systems/1',
    labels = {},
  }: ServedHostMade,
): Promise<void> {
  const networkData = JSON.stringify({ networks: [{ id: NETWORK, ip_address: address }] });
  await makeSecret(kube, namespace, `${name}-networkdata`, { networkData });
  await makeSecret(kube, namespace, `${name}-bmc-credentials`, { username: 'root', password });
  const credentialsName = `${name}-bmc-credentials`;
  await makeHost(kube, namespace, name, {
    labels: { flavor: role, ...labels },
    spec: { bmc: { address: bmc, credentialsName } },
  });
}

export function makeServed(
  kube: Kube,
  { namespace, name }: SipRef,
  nodes: NonNullable<SipClusterSpec['nodes']>,
  services: SipServices,
): Promise<SipCluster> {
  return kube.create<SipCluster>(SIP_CLUSTER, { metadata: { namespace, name }, spec: { nodes, services } });
}

/** "Kind name" of everything that is made beside SIPClusters in a namespace. */
export async function madeIn(kube: Kube, namespace: string): Promise<string[]> {
  const found = await Promise.all(
    [CORE_SERVICE, SECRET, CONFIG_MAP, DEPLOYMENT].map(async (resource) => {
      const labelSelector = 'rcs.dana.io/managed-by=sip';
      const { items } = await kube.list<KubeObject>(resource, { namespace, labelSelector });
      return items.map(({ metadata }) => `${resource.kind} ${metadata.name}`);
    }),
  );
  return found.flat().toSorted();
}

export async function versionsOfMade(kube: Kube, namespace: string): Promise<string[]> {
  const found = await Promise.all(
    [CORE_SERVICE, SECRET, CONFIG_MAP, DEPLOYMENT].map((resource) =>
      kube.list<KubeObject>(resource, { namespace, labelSelector: 'rcs.dana.io/managed-by=sip' }),
    ),
  );
  return found.flatMap(({ items }) =>
    items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`),
  );
}

interface DeploymentMade extends KubeObject {
  readonly spec: { readonly replicas: number };
}

/** As the controllers say it of Deployments whose Pods all run. */
export async function bringUp(kube: Kube, namespace: string): Promise<void> {
  const { items } = await kube.list<DeploymentMade>(DEPLOYMENT, { namespace });
  for (const { metadata, spec } of items) {
    const { replicas } = spec;
    const status = {
      observedGeneration: metadata.generation,
      replicas,
      updatedReplicas: replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
    };
    const key = { namespace, name: metadata.name };
    await kube.patch(DEPLOYMENT, key, { status }, { subresource: 'status' });
  }
}

/**
 * As the garbage collector says it of Deployments that are deleted in the foreground: their Pods have ended.
 */
export async function podsEnd(kube: Kube, namespace: string): Promise<void> {
  const { items } = await kube.list<KubeObject>(DEPLOYMENT, { namespace, metadataOnly: true });
  for (const { metadata } of items)
    if (metadata.finalizers?.includes('foregroundDeletion') === true)
      await kube.patch(DEPLOYMENT, { namespace, name: metadata.name }, { metadata: { finalizers: null } });
}

/** The text of a key of a Secret. */
export async function secretText(kube: Kube, namespace: string, name: string, key: string): Promise<string> {
  const secret = await kube.get<Secret>(SECRET, { namespace, name });
  return Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8');
}
