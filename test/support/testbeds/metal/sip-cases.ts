// What SIP's own tests begin with: hosts of a flavor, and a cluster of one host with services.
import { seenHosts } from '../../../../activities/hub/metal/ground.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
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
