// A SIPCluster with services, and hosts for it, on a hub of tests.
import type { SipServices } from '../../../../crds/metal/services.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { Metal, SipRef } from '../../../../workflows/metal/port.ts';
import { live, metalOn, role, roomFor } from './metal.ts';
import { makeSecret, makeServed, makeServedHost, NETWORK, PUBLIC_KEY } from './sip-services.ts';

export const CONTROL_PLANE = { image: 'haproxy:2.3.2', nodeInterfaceId: NETWORK };
export const JUMP = {
  image: 'jump:1',
  nodeInterfaceId: NETWORK,
  sshAuthorizedKeys: [PUBLIC_KEY],
  nodeSSHPrivateKeys: 'keys',
};

/** Node ports belong to the whole hub: each test takes some of its own. */
let ports = 30_000;
export const some = (count: number): number => (ports += count) - count;

/** One of each kind. */
export function allOf(): SipServices {
  const start = some(2);
  return {
    loadBalancerControlPlane: [{ ...CONTROL_PLANE, nodePort: some(1) }],
    loadBalancerWorker: [{ ...CONTROL_PLANE, nodePortRange: { start, end: start + 1 } }],
    jumpHost: [{ ...JUMP, nodePort: some(1) }],
  };
}

export interface ServedRoom {
  readonly namespace: string;
  readonly ref: SipRef;
  readonly metal: Metal;
  /** Lives on with so many workers, of three that there are. */
  resize(workers: number): Promise<void>;
  /** Lives on with this patch of spec.services. */
  change(services: object): Promise<void>;
  /** Of its condition ServicesReady. */
  message(): Promise<string>;
}

/** One control plane, and so many workers; nobody has looked at it yet. */
export async function servedRoom(kube: Kube, services: SipServices, workers = 1): Promise<ServedRoom> {
  const namespace = await roomFor(kube);
  const ref = { namespace, name: 'shop' };
  await makeSecret(kube, namespace, 'keys', { key: 'private' });
  await makeServedHost(kube, namespace, 'cp', { role: 'cp', address: '192.0.2.1' });
  for (let index = 1; index <= 3; index += 1)
    await makeServedHost(kube, namespace, `w${index}`, { role: 'w', address: `192.0.2.1${index}` });
  const nodes = (wanted: number) => ({
    ControlPlane: role(namespace, 1, { flavor: 'cp' }),
    Worker: role(namespace, wanted, { flavor: 'w' }),
  });
  await makeServed(kube, ref, nodes(workers), services);
  const metal = metalOn(kube, { services: [namespace] });
  const edit = async (spec: object): Promise<void> => {
    await kube.patch(SIP_CLUSTER, ref, { spec });
    await live(metal, ref);
  };
  return {
    namespace,
    ref,
    metal,
    resize: (wanted) => edit({ nodes: nodes(wanted) }),
    change: (given) => edit({ services: given }),
    message: async () => {
      const cluster = await kube.get<SipCluster>(SIP_CLUSTER, ref);
      return cluster?.status?.conditions?.find(({ type }) => type === 'ServicesReady')?.message ?? '';
    },
  };
}
