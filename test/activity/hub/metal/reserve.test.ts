// The life of a SIPCluster's hosts on a real API server: grown, shrunk, replaced and given back; by
// activities that are repeated, late, beside each other, and refused.
import {
  BARE_METAL_HOST,
  CLUSTER_NAME,
  CLUSTER_NAMESPACE,
  NODE_TYPE,
  type BareMetalHost,
} from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER, SIP_FINALIZER } from '../../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../../kube/client.ts';
import {
  changeRoles,
  holders,
  live,
  makeCluster,
  makeHost,
  metalOn,
  role,
  roomFor,
  said,
  setStatus,
  startMetalHub,
  type MetalHub,
} from '../../../support/testbeds/metal/metal.ts';

let hub: MetalHub;
let kube: Kube;
beforeAll(async () => {
  hub = await startMetalHub();
  kube = hub.kube;
}, 300_000);
afterAll(() => hub?.stop());

test('a hub without BareMetalHosts says so, and reserves when they come', async () => {
  const namespace = await roomFor(kube);
  const ref = { namespace, name: 'early' };
  await makeCluster(kube, ref, { Worker: role(namespace, 1) });
  await live(metalOn(kube), ref);
  expect(await said(kube, ref, 'HostsReserved')).toBe('False NoBareMetalHosts');
  expect(await said(kube, ref)).toBe('False Unschedulable');
  await hub.serveHosts();
  await makeHost(kube, namespace, 'a');
  await live(metalOn(kube), ref);
  expect(await holders(kube, namespace)).toEqual(['a: early/Worker']);
});

const getHost = async (namespace: string, name: string): Promise<BareMetalHost> => {
  const found = await kube.get<BareMetalHost>(BARE_METAL_HOST, { namespace, name });
  if (found === null) throw new Error(`${name} is gone`);
  return found;
};
const versions = async (namespace: string): Promise<string[]> => {
  const [hosts, clusters] = await Promise.all([
    kube.list(BARE_METAL_HOST, { namespace }),
    kube.list(SIP_CLUSTER, { namespace }),
  ]);
  return [...hosts.items, ...clusters.items].map(
    ({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`,
  );
};

async function room(hosts: number, wanted: number, name = 'shop') {
  const namespace = await roomFor(kube);
  for (let index = 0; index < hosts; index += 1) await makeHost(kube, namespace, `h${index}`);
  const ref = { namespace, name };
  await makeCluster(kube, ref, { Worker: role(namespace, wanted) });
  return { namespace, ref };
}

const WORKERS = (...names: string[]) => names.map((name) => `${name}: shop/Worker`);

describe('a cluster', () => {
  test('grows by exactly what is missing, and shrinks by exactly what is beyond', async () => {
    const { namespace, ref } = await room(5, 2);
    const metal = metalOn(kube);
    await live(metal, ref);
    expect(await holders(kube, namespace)).toEqual(WORKERS('h0', 'h1'));
    await changeRoles(kube, ref, { Worker: role(namespace, 4) });
    await live(metal, ref);
    expect(await holders(kube, namespace)).toEqual(WORKERS('h0', 'h1', 'h2', 'h3'));
    await changeRoles(kube, ref, { Worker: role(namespace, 1) });
    await live(metal, ref);
    expect(await holders(kube, namespace)).toEqual(WORKERS('h0'));
    expect((await getHost(namespace, 'h1')).metadata.annotations ?? {}).toEqual({});
    await changeRoles(kube, ref, { Worker: null as never });
    await live(metal, ref);
    expect(await holders(kube, namespace)).toEqual([]);
  });

  test('writes nothing once it has what it wants, whoever looks and reserves again', async () => {
    const { namespace, ref } = await room(3, 2);
    const metal = metalOn(kube);
    await live(metal, ref);
    const before = await versions(namespace);
    for (let times = 0; times < 3; times += 1) {
      expect(await metal.turnSipCluster(ref)).toMatchObject({
        outcome: 'Turned',
        needsHosts: false,
        wakeAt: null,
      });
      expect(await metal.reserveHosts(ref)).toEqual({ outcome: 'Nothing', hosts: 0 });
    }
    expect(await versions(namespace)).toEqual(before);
  });

  test('stays Ready where no host is free any more', async () => {
    const { namespace, ref } = await room(2, 2);
    await live(metalOn(kube), ref);
    await makeCluster(kube, { namespace, name: 'late' }, { Worker: role(namespace, 1) });
    await live(metalOn(kube), { namespace, name: 'late' });
    await live(metalOn(kube), ref);
    expect(await said(kube, ref)).toBe('True ReconciliationSucceeded');
    expect(await said(kube, { namespace, name: 'late' }, 'HostsReserved')).toBe('False Short');
    expect(await holders(kube, namespace)).toEqual(WORKERS('h0', 'h1'));
  });

  test('replaces a host in error after ten minutes, by its status, and gives the failed one back', async () => {
    const { namespace, ref } = await room(3, 2);
    const begin = Date.now();
    await live(metalOn(kube), ref);
    await setStatus(kube, await getHost(namespace, 'h0'), { operationalStatus: 'error' });
    expect(await metalOn(kube, { now: () => begin }).turnSipCluster(ref)).toMatchObject({
      needsHosts: false,
      wakeAt: begin + 600_000,
    });
    await live(metalOn(kube, { now: () => begin + 599_000 }), ref);
    expect(await holders(kube, namespace)).toEqual(WORKERS('h0', 'h1'));
    await live(metalOn(kube, { now: () => begin + 600_000 }), ref);
    expect(await holders(kube, namespace)).toEqual(WORKERS('h1', 'h2'));
  });

  test('a host that is well again within that time stays, and its time begins anew', async () => {
    const { namespace, ref } = await room(3, 1);
    const begin = Date.now();
    await live(metalOn(kube), ref);
    await setStatus(kube, await getHost(namespace, 'h0'), { operationalStatus: 'error' });
    await live(metalOn(kube, { now: () => begin }), ref);
    await setStatus(kube, await getHost(namespace, 'h0'), { operationalStatus: 'OK' });
    await live(metalOn(kube, { now: () => begin + 500_000 }), ref);
    await setStatus(kube, await getHost(namespace, 'h0'), { operationalStatus: 'error' });
    await live(metalOn(kube, { now: () => begin + 601_000 }), ref);
    expect(await holders(kube, namespace)).toEqual(WORKERS('h0'));
  });

  test('that goes gives back every host, also those that somebody else has labelled for it, and nothing else', async () => {
    const { namespace, ref } = await room(3, 1);
    const metal = metalOn(kube);
    await live(metal, ref);
    expect((await kube.get(SIP_CLUSTER, ref))?.metadata.finalizers).toEqual([SIP_FINALIZER]);
    const labels = { [CLUSTER_NAMESPACE]: namespace, [CLUSTER_NAME]: 'shop', [NODE_TYPE]: 'Former' };
    await kube.patch(BARE_METAL_HOST, { namespace, name: 'h1' }, { metadata: { labels } });
    await makeHost(kube, namespace, 'other', { labels: { ...labels, [CLUSTER_NAME]: 'other' } });
    await kube.remove(SIP_CLUSTER, ref);
    await live(metal, ref);
    expect(await kube.get(SIP_CLUSTER, ref)).toBeNull();
    expect(await holders(kube, namespace)).toEqual(['other: other/Former']);
    expect((await getHost(namespace, 'h0')).metadata.labels).toEqual({ room: namespace });
    expect(await metal.turnSipCluster(ref)).toEqual({ outcome: 'Gone' });
  });

  test('without its finalizer, by force, is found gone: what we reserved is given back, what a person labelled stays', async () => {
    const { namespace, ref } = await room(2, 1);
    await live(metalOn(kube), ref);
    await kube.patch(SIP_CLUSTER, ref, { metadata: { finalizers: null } });
    await kube.remove(SIP_CLUSTER, ref);
    const labels = { [CLUSTER_NAMESPACE]: namespace, [CLUSTER_NAME]: 'shop', [NODE_TYPE]: 'Worker' };
    await kube.patch(BARE_METAL_HOST, { namespace, name: 'h1' }, { metadata: { labels } });
    expect(await metalOn(kube).turnSipCluster(ref)).toEqual({ outcome: 'Gone' });
    expect(await holders(kube, namespace)).toEqual(WORKERS('h1'));
  });

  test('takes a host whose labels somebody has taken away, although its mark is still there', async () => {
    const { namespace, ref } = await room(1, 1);
    await live(metalOn(kube), ref);
    const gone = { [CLUSTER_NAMESPACE]: null, [CLUSTER_NAME]: null, [NODE_TYPE]: null };
    await kube.patch(BARE_METAL_HOST, { namespace, name: 'h0' }, { metadata: { labels: gone } });
    await makeCluster(kube, { namespace, name: 'second' }, { Worker: role(namespace, 1) });
    await live(metalOn(kube), { namespace, name: 'second' });
    expect(await holders(kube, namespace)).toEqual(['h0: second/Worker']);
  });

  const unfree: readonly (readonly [
    string,
    { labels?: Record<string, string>; spec?: object; status?: object },
  ])[] = [
    ['a consumer', { spec: { consumerRef: { name: 'somebody' } } }],
    ['an operator that is in error', { status: { operationalStatus: 'error' } }],
    ['something on it', { status: { provisioning: { state: 'provisioned' } } }],
    ['one label of an owner', { labels: { [CLUSTER_NAME]: 'x' } }],
  ];
  test.each(unfree)('does not take a host with %s', async (_what, made) => {
    const namespace = await roomFor(kube);
    await makeHost(kube, namespace, 'a', made);
    const ref = { namespace, name: 'shop' };
    await makeCluster(kube, ref, { Worker: role(namespace, 1) });
    await live(metalOn(kube), ref);
    expect(await said(kube, ref, 'HostsReserved')).toBe('False Short');
  });
});
