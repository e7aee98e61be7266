// A real API server with SIPClusters, and the stand-in for the BareMetalHost of Metal³; and the activities
// for them, with a client of Temporal that only writes down who is rung.
import type { Client } from '@temporalio/client';
import { hubMetal } from '../../../../activities/hub/metal/metal.ts';
import { SIP_CLUSTER_DEFINITION } from '../../../../crds/definitions/definitions.ts';
import {
  BARE_METAL_HOST,
  CLUSTER_NAME,
  CLUSTER_NAMESPACE,
  NODE_TYPE,
  type BareMetalHost,
} from '../../../../crds/metal/bare-metal-host.ts';
import {
  SIP_CLUSTER,
  type NodeSet,
  type SipCluster,
  type SipClusterSpec,
} from '../../../../crds/metal/sip-cluster.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { applyObjects, ourManifests } from '../../../../deploy/local/kubernetes/apply.ts';
import { connect, type Kube } from '../../../../kube/client.ts';
import { API_TIMEOUT_MS, eventually } from '../../../../testbed/eventually.ts';
import type { Metal, SipRef } from '../../../../workflows/metal/port.ts';
import { startApiServer } from '../../servers/api/api-server.ts';
import { serve } from '../../servers/api/definitions.ts';

export interface MetalHub {
  readonly kubeconfig: string;
  readonly kube: Kube;
  /** The Metal³ of this hub. */
  serveHosts(): Promise<void>;
  stop(): Promise<void>;
}

export async function startMetalHub(): Promise<MetalHub> {
  const server = await startApiServer();
  const kube = connect({ kubeconfig: server.kubeconfig, deadlineMs: API_TIMEOUT_MS });
  await serve(kube, SIP_CLUSTER_DEFINITION, SIP_CLUSTER);
  return {
    kubeconfig: server.kubeconfig,
    kube,
    serveHosts: async () => {
      await applyObjects(kube, await ourManifests('baremetalhost'));
      await eventually(() => kube.list(BARE_METAL_HOST));
    },
    stop: async () => {
      await kube.close();
      await server.stop();
    },
  };
}

/** Starts one with hosts for the tests of a file, and gives its client away. Call it once, at the top. */
export function hubWithHosts(use: (kube: Kube) => void): void {
  let hub: MetalHub | null = null;
  beforeAll(async () => {
    hub = await startMetalHub();
    await hub.serveHosts();
    use(hub.kube);
  }, 300_000);
  afterAll(() => hub?.stop());
}

/**
 * `rung` gets the ids of workflows that are rung; `services` and `provisions` are namespaces in which these
 * may be made.
 */
export function metalOn(
  kube: Kube,
  {
    now = Date.now,
    rung = [] as string[],
    services = [] as readonly string[],
    provisions = [] as readonly string[],
  } = {},
): Metal {
  const client = {
    withAbortSignal: (_signal: AbortSignal, work: () => unknown) => work(),
    withDeadline: (_until: number, work: () => unknown) => work(),
    workflow: {
      getHandle: (id: string) => ({ signal: async () => void rung.push(id) }),
      signalWithStart: async (_type: string, { workflowId }: { workflowId: string }) =>
        void rung.push(workflowId),
    },
  } as unknown as Client;
  return hubMetal({
    kube,
    client,
    now,
    serviceNamespaces: services,
    provisionNamespaces: provisions,
  });
}

let namespaces = 0;

/** One namespace for each test; hosts of others have another flavor, which no test asks for. */
export async function roomFor(kube: Kube): Promise<string> {
  namespaces += 1;
  const name = `metal-${namespaces}`;
  await kube.create(NAMESPACE, { metadata: { name } });
  return name;
}

export interface HostMade {
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: object;
  readonly status?: object;
}

/** As SIP's tests make them: with network data, and without an operator that says anything of them. */
export async function makeHost(
  kube: Kube,
  namespace: string,
  name: string,
  made: HostMade = {},
): Promise<BareMetalHost> {
  const { labels = {}, spec = {}, status } = made;
  const host = await kube.create<BareMetalHost>(BARE_METAL_HOST, {
    metadata: { name, namespace, labels: { room: namespace, ...labels } },
    spec: { online: true, networkData: { name: `${name}-networkdata`, namespace }, ...spec },
  });
  return status === undefined ? host : setStatus(kube, host, status);
}

export function setStatus(kube: Kube, { metadata }: BareMetalHost, status: object): Promise<BareMetalHost> {
  const key = { namespace: metadata.namespace ?? '', name: metadata.name };
  return kube.patch<BareMetalHost>(BARE_METAL_HOST, key, { status }, { subresource: 'status' });
}

/** A role over the hosts of the namespace alone. */
export function role(
  namespace: string,
  active: number,
  more: Omit<NodeSet, 'count'> & { readonly flavor?: string } = {},
): NodeSet {
  const { flavor, ...rest } = more;
  return {
    labelSelector: { matchLabels: { room: namespace, ...(flavor === undefined ? {} : { flavor }) } },
    count: { active },
    ...rest,
  };
}

export function makeCluster(
  kube: Kube,
  { namespace, name }: SipRef,
  nodes: NonNullable<SipClusterSpec['nodes']>,
): Promise<SipCluster> {
  return kube.create<SipCluster>(SIP_CLUSTER, {
    metadata: { namespace, name },
    spec: { nodes, services: {} },
  });
}

export function changeRoles(
  kube: Kube,
  ref: SipRef,
  nodes: NonNullable<SipClusterSpec['nodes']>,
): Promise<unknown> {
  return kube.patch(SIP_CLUSTER, ref, { spec: { nodes } });
}

/** What the two workflows do, until there is nothing left to do. */
export async function live(metal: Metal, ref: SipRef): Promise<void> {
  for (let looks = 0; looks < 10; looks += 1) {
    const turned = await metal.turnSipCluster(ref);
    if (turned.outcome === 'Gone' || !turned.needsHosts) return;
    await metal.reserveHosts(ref);
  }
  throw new Error(`${ref.namespace}/${ref.name} is not done after ten looks`);
}

/** Who has which host of the namespace: "host: cluster/role". */
export async function holders(kube: Kube, namespace: string): Promise<string[]> {
  const { items } = await kube.list<BareMetalHost>(BARE_METAL_HOST, { namespace });
  return items
    .filter(({ metadata: { labels = {} } }) =>
      [CLUSTER_NAMESPACE, CLUSTER_NAME, NODE_TYPE].some((key) => key in labels),
    )
    .map(({ metadata: { name, labels = {} } }) => `${name}: ${labels[CLUSTER_NAME]}/${labels[NODE_TYPE]}`)
    .toSorted();
}

/** "status reason" of a condition. */
export async function said(kube: Kube, ref: SipRef, type = 'Ready'): Promise<string> {
  const cluster = await kube.get<SipCluster>(SIP_CLUSTER, ref);
  const found = cluster?.status?.conditions?.find((one) => one.type === type);
  return `${found?.status} ${found?.reason}`;
}

/** Resolves when the hosts of the namespace are held so. */
export function holdersAre(kube: Kube, namespace: string, wanted: readonly string[]): Promise<true> {
  return eventually(async (): Promise<true> => {
    const found = await holders(kube, namespace);
    if (JSON.stringify(found) === JSON.stringify(wanted)) return true;
    throw new Error(`the hosts are ${found.join(', ')}`);
  });
}

/** Resolves when the condition says so. */
export function conditionIs(kube: Kube, ref: SipRef, wanted: string, type?: string): Promise<true> {
  return eventually(async (): Promise<true> => {
    const found = await said(kube, ref, type);
    if (found === wanted) return true;
    throw new Error(`${ref.name} says ${found}`);
  });
}
