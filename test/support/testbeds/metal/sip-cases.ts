// What SIP's own tests begin with: hosts of a flavor, and a cluster of one host with services.
import { seenHosts } from '../../../../activities/hub/metal/ground.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import type { SipServices } from '../../../../crds/metal/services.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../../kube/client.ts';
import { isFree } from '../../../../workflows/metal/plan/hosts.ts';
import { live, makeHost, metalOn, role, roomFor } from './metal.ts';
import { makeSecret, makeServed, makeServedHost, NETWORK, PUBLIC_KEY } from './sip-services.ts';

export const HOST_LABEL = 'vino.airshipit.org/host';
export const RACK_LABEL = 'vino.airshipit.org/rack';

/** SIP's fixture: so many hosts with the flavor, each on a server of its own unless it is said otherwise. */
export async function makeHosts(
  kube: Kube,
  { namespace, flavor }: { readonly namespace: string; readonly flavor: string },
  count: number,
  labels: Readonly<Record<string, string>> = {},
): Promise<BareMetalHost[]> {
  const made: BareMetalHost[] = [];
  for (let index = 1; index <= count; index += 1)
    made.push(
      await makeHost(kube, namespace, `${flavor}-${index}`, {
        labels: { flavor, [HOST_LABEL]: `${namespace}-${flavor}-${index}`, [RACK_LABEL]: 'r6', ...labels },
      }),
    );
  return made;
}

/** The same, each with its network data and the credentials of its BMC. */
export async function makeServedHosts(
  kube: Kube,
  { namespace, flavor }: { readonly namespace: string; readonly flavor: string },
  count: number,
  labels: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (let index = 1; index <= count; index += 1) {
    const own = { [HOST_LABEL]: `${namespace}-${flavor}-${index}`, [RACK_LABEL]: 'r6' };
    await makeServedHost(kube, namespace, `${flavor}-${index}`, {
      role: flavor,
      // As in SIP's fixture, all have one address, and one BMC.
      address: '32.68.51.139',
      bmc: 'redfish+https://32.68.51.12/redfish/v1/Systems/System.Embedded.1',
      labels: { ...own, ...labels },
    });
  }
}

/**
 * The services of SIP's fixture, with its ports, of which a hub has each once; and the Secret of private
 * keys. The control plane's load balancer asks for no port and no image.
 */
export async function fixtureServices(kube: Kube, namespace: string, name: string): Promise<SipServices> {
  const keys = `${name}-ssh-private-key`;
  await makeSecret(kube, namespace, keys, { key: 'private' });
  const on = { nodeInterfaceId: NETWORK };
  return {
    loadBalancerControlPlane: [{ ...on, image: '', nodePort: 0 }],
    loadBalancerWorker: [{ ...on, image: '', nodePortRange: { start: 30_002, end: 30_011 } }],
    jumpHost: [
      {
        ...on,
        image: 'quay.io/airshipit/jump-host:latest',
        nodePort: 30_000,
        sshAuthorizedKeys: [PUBLIC_KEY, PUBLIC_KEY.replace('someone', 'somebody')],
        nodeSSHPrivateKeys: keys,
      },
    ],
  };
}

/** The names of hosts that a cluster of this namespace could take. */
export async function freeHosts(kube: Kube, namespace: string): Promise<string[]> {
  const { items } = await kube.list<BareMetalHost>(BARE_METAL_HOST, { namespace });
  return seenHosts(
    items,
    { metadata: { namespace, name: 'shop' }, spec: { services: {} } },
    { provisions: new Set(), now: Date.now() },
  )
    .filter(isFree)
    .map(({ key }) => key.slice(namespace.length + 1));
}

/** A cluster of one host with services, after its Secrets were changed. */
export async function servedCluster(kube: Kube, change: (namespace: string) => Promise<unknown>) {
  const namespace = await roomFor(kube);
  const ref = { namespace, name: 'shop' };
  await makeSecret(kube, namespace, 'keys', { key: 'private' });
  await makeServedHost(kube, namespace, 'node01', {
    role: 'cp',
    address: '32.68.51.139',
    password: 'test',
  });
  await change(namespace);
  const common = { image: 'haproxy:2.3.2', nodeInterfaceId: NETWORK, nodePort: 0 };
  const nodes = { ControlPlane: role(namespace, 1, { flavor: 'cp' }) };
  await makeServed(kube, ref, nodes, {
    loadBalancerControlPlane: [common],
    jumpHost: [{ ...common, sshAuthorizedKeys: [PUBLIC_KEY], nodeSSHPrivateKeys: 'keys' }],
  });
  await live(metalOn(kube, { services: [namespace] }), ref);
  const cluster = await kube.get<SipCluster>(SIP_CLUSTER, ref);
  const [reserved, ready] = cluster?.status?.conditions ?? [];
  return { namespace, ready: `${ready?.status} ${ready?.reason}`, reserved };
}

/** Null takes the key away; a text is base64. */
export const setSecret = (
  kube: Kube,
  namespace: string,
  name: string,
  data: Readonly<Record<string, string | null>>,
) => kube.patch(SECRET, { namespace, name }, { data });

/** A case of sipcluster_controller_test.go. */
export interface ControllerCase {
  readonly id: number;
  readonly title: string;
  readonly controlPlanes: number;
  readonly workers: number;
  readonly asks: readonly [controlPlanes: number, workers: number];
  /** Labels that all hosts of one flavor share. */
  readonly shared?: { readonly flavor: 'control-plane' | 'worker'; readonly label: string };
  readonly topologyKey?: string;
  readonly succeeds?: true;
}

export const CONTROLLER_CASES: readonly ControllerCase[] = [
  {
    id: 13,
    title: 'of enough hosts each that is asked for is labelled',
    controlPlanes: 3,
    workers: 4,
    asks: [3, 4],
    succeeds: true,
  },
  { id: 14, title: 'too few control planes', controlPlanes: 2, workers: 4, asks: [3, 4] },
  { id: 15, title: 'too few workers', controlPlanes: 3, workers: 2, asks: [3, 4] },
  {
    id: 16,
    title: 'two workers on one server',
    controlPlanes: 1,
    workers: 2,
    asks: [1, 2],
    shared: { flavor: 'worker', label: HOST_LABEL },
  },
  {
    id: 17,
    title: 'two control planes on one server',
    controlPlanes: 2,
    workers: 1,
    asks: [2, 1],
    shared: { flavor: 'control-plane', label: HOST_LABEL },
  },
  {
    id: 18,
    title: 'two workers in one rack',
    controlPlanes: 1,
    workers: 2,
    asks: [1, 2],
    topologyKey: RACK_LABEL,
  },
  {
    id: 19,
    title: 'two control planes in one rack',
    controlPlanes: 2,
    workers: 1,
    asks: [2, 1],
    topologyKey: RACK_LABEL,
  },
];
