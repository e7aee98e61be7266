// Load balancers and jump hosts on a real API server: made, changed, put back and taken away, by activities
// that are repeated. That what is made works is in haproxy.test.ts and jump-host.test.ts.
import { CONFIG_MAP, CORE_SERVICE, DEPLOYMENT, SECRET } from '../../../../crds/kubernetes/core.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../../kube/client.ts';
import { holders, live, said, hubWithHosts } from '../../../support/testbeds/metal/metal.ts';
import { allOf, CONTROL_PLANE, servedRoom, some } from '../../../support/testbeds/metal/served-room.ts';
import {
  bringUp,
  madeIn,
  podsEnd,
  secretText,
  versionsOfMade,
} from '../../../support/testbeds/metal/sip-services.ts';

let kube: Kube;
hubWithHosts((given) => (kube = given));

const ALL = [
  'ConfigMap jumphost-shop',
  'Deployment jumphost-shop',
  'Deployment loadbalancer-controlplane-shop',
  'Deployment loadbalancer-worker-shop',
  'Secret jumphost-shop',
  'Secret loadbalancer-controlplane-shop',
  'Secret loadbalancer-worker-shop',
  'Service jumphost-shop',
  'Service loadbalancer-controlplane-shop',
  'Service loadbalancer-worker-shop',
];

test('what is asked for is made with SIP’s names, and Ready when it serves; looks write nothing then', async () => {
  const { namespace, ref, metal } = await servedRoom(kube, allOf());
  await live(metal, ref);
  expect(await madeIn(kube, namespace)).toEqual(ALL);
  expect(await said(kube, ref, 'ServicesReady')).toBe('False Deploying');
  expect(await said(kube, ref)).toBe('False Progressing');
  expect(await metal.turnSipCluster(ref)).toMatchObject({ wakeAt: expect.any(Number) as number });
  await bringUp(kube, namespace);
  expect(await metal.turnSipCluster(ref)).toMatchObject({ wakeAt: null });
  expect(await said(kube, ref, 'ServicesReady')).toBe('True Serving');
  expect(await said(kube, ref)).toBe('True ReconciliationSucceeded');
  const before = [await versionsOfMade(kube, namespace), await kube.get(SIP_CLUSTER, ref)];
  await Promise.all([1, 2, 3].map(() => metal.turnSipCluster(ref)));
  expect([await versionsOfMade(kube, namespace), await kube.get(SIP_CLUSTER, ref)]).toEqual(before);
});

test('a host more is led to, and one less is not, before it is given back', async () => {
  const { namespace, ref, metal, resize } = await servedRoom(kube, allOf());
  await live(metal, ref);
  const servers = async (): Promise<string[]> => {
    const config = await secretText(kube, namespace, 'loadbalancer-worker-shop', 'haproxy.cfg');
    return [...new Set([...config.matchAll(/^ {2}server (\S+)/gm)].map(([, name = '']) => name))];
  };
  expect(await servers()).toEqual(['w1']);
  await resize(3);
  expect(await servers()).toEqual(['w1', 'w2', 'w3']);
  const aliases = (await kube.get(DEPLOYMENT, { namespace, name: 'jumphost-shop' })) as unknown as {
    spec: { template: { spec: { hostAliases: object[] } } };
  };
  expect(aliases.spec.template.spec.hostAliases).toHaveLength(4);
  await bringUp(kube, namespace);
  await resize(1);
  expect(await servers()).toEqual(['w1']);
  expect(await holders(kube, namespace)).toHaveLength(4);
  expect(await metal.turnSipCluster(ref)).toMatchObject({ wakeAt: expect.any(Number) as number });
  await bringUp(kube, namespace);
  await live(metal, ref);
  expect(await holders(kube, namespace)).toEqual(['cp: shop/ControlPlane', 'w1: shop/Worker']);
});

test('what is edited or deleted by hand is put back, and what others add stays', async () => {
  const { namespace, ref, metal } = await servedRoom(kube, allOf());
  await live(metal, ref);
  const key = { namespace, name: 'loadbalancer-worker-shop' };
  await kube.patch(DEPLOYMENT, key, { metadata: { labels: { team: 'a' } }, spec: { replicas: 0 } });
  await kube.remove(CORE_SERVICE, key);
  await kube.patch(SECRET, key, { data: { 'haproxy.cfg': 'eA==' } });
  await metal.turnSipCluster(ref);
  expect(await kube.get(DEPLOYMENT, key)).toMatchObject({
    metadata: { labels: { team: 'a' } },
    spec: { replicas: 2 },
  });
  expect(await secretText(kube, namespace, key.name, 'haproxy.cfg')).toContain('server w1 192.0.2.11:');
  expect(await madeIn(kube, namespace)).toEqual(ALL);
});

test('what is not asked for any more goes, also of a list with several items', async () => {
  const [first, second] = [some(1), some(1)];
  const item = (nodePort: number) => ({ ...CONTROL_PLANE, nodePort });
  const { namespace, ref, metal, change, message } = await servedRoom(kube, {
    loadBalancerControlPlane: [item(first), item(second)],
  });
  await live(metal, ref);
  const balancer = (name: string) => ['Deployment', 'Secret', 'Service'].map((kind) => `${kind} ${name}`);
  const [one, two] = ['loadbalancer-controlplane-shop', 'loadbalancer-controlplane-shop-2'];
  expect(await madeIn(kube, namespace)).toEqual([...balancer(one), ...balancer(two)].toSorted());
  // The port of the one that goes is the other one's when its Pods have ended.
  await change({ loadBalancerControlPlane: [item(second)] });
  expect(await message()).toContain(
    `its last Pod has ended, and unless a finalizer of somebody else keeps some of it: ${two}`,
  );
  await podsEnd(kube, namespace);
  await live(metal, ref);
  expect(await madeIn(kube, namespace)).toEqual(balancer(one));
  await bringUp(kube, namespace);
  await metal.turnSipCluster(ref);
  expect((await kube.get<SipCluster>(SIP_CLUSTER, ref))?.status?.services).toEqual([
    { name: one, kind: 'loadBalancerControlPlane', nodePorts: String(second) },
  ]);
  await change({ loadBalancerControlPlane: null });
  expect(await said(kube, ref, 'ServicesReady')).toBe('False Deploying');
  await podsEnd(kube, namespace);
  await live(metal, ref);
  expect(await madeIn(kube, namespace)).toEqual([]);
  expect(await said(kube, ref, 'ServicesReady')).toBe('True NotAsked');
});

test('with nodePort 0 Kubernetes picks one, which stays and is said', async () => {
  const { ref, metal } = await servedRoom(kube, {
    loadBalancerControlPlane: [{ ...CONTROL_PLANE, nodePort: 0 }],
  });
  await live(metal, ref);
  const portsSaid = async () =>
    (await kube.get<SipCluster>(SIP_CLUSTER, ref))?.status?.services?.[0]?.nodePorts;
  const picked = await portsSaid();
  expect(Number(picked)).toBeGreaterThan(29_999);
  await metal.turnSipCluster(ref);
  expect(await portsSaid()).toBe(picked);
});

describe('a deletion', () => {
  test('takes the services away before the hosts, and repeats of it are harmless', async () => {
    const { namespace, ref, metal } = await servedRoom(kube, allOf());
    await live(metal, ref);
    await kube.patch(
      CONFIG_MAP,
      { namespace, name: 'jumphost-shop' },
      { metadata: { finalizers: ['x.io/y'] } },
    );
    await kube.remove(SIP_CLUSTER, ref);
    expect(await metal.turnSipCluster(ref)).toMatchObject({ wakeAt: expect.any(Number) as number });
    expect(await holders(kube, namespace)).toHaveLength(2);
    expect(await said(kube, ref)).toBe('False UnableToDecommission');
    await podsEnd(kube, namespace);
    await metal.turnSipCluster(ref);
    expect(await holders(kube, namespace)).toHaveLength(2);
    await kube.patch(CONFIG_MAP, { namespace, name: 'jumphost-shop' }, { metadata: { finalizers: null } });
    await live(metal, ref);
    await live(metal, ref);
    expect(await madeIn(kube, namespace)).toEqual([]);
    expect(await holders(kube, namespace)).toEqual([]);
    expect(await kube.get(SIP_CLUSTER, ref)).toBeNull();
    // What it did not make is still there.
    expect(await kube.getMetadata(SECRET, { namespace, name: 'keys' })).not.toBeNull();
  });
});
