// Load balancers and jump hosts on a real API server: made, changed, put back, taken away; by activities that
// are repeated and refused. That what is made works is in haproxy.test.ts and jump-host.test.ts.
import { CONFIG_MAP, CORE_SERVICE, DEPLOYMENT, SECRET } from '../../../../crds/kubernetes/core.ts';
import { BARE_METAL_HOST } from '../../../../crds/metal/bare-metal-host.ts';
import type { SipServices } from '../../../../crds/metal/services.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../../kube/client.ts';
import {
  holders,
  live,
  metalOn,
  role,
  roomFor,
  said,
  startMetalHub,
  type MetalHub,
} from '../../../support/testbeds/metal.ts';
import {
  bringUp,
  madeIn,
  makeSecret,
  makeServed,
  makeServedHost,
  NETWORK,
  PUBLIC_KEY,
  secretText,
  versionsOfMade,
} from '../../../support/testbeds/sip-services.ts';

let hub: MetalHub;
let kube: Kube;
beforeAll(async () => {
  hub = await startMetalHub();
  kube = hub.kube;
  await hub.serveHosts();
}, 300_000);
afterAll(() => hub?.stop());

const CONTROL_PLANE = { image: 'haproxy:2.3.2', nodeInterfaceId: NETWORK };
const JUMP = {
  image: 'jump:1',
  nodeInterfaceId: NETWORK,
  sshAuthorizedKeys: [PUBLIC_KEY],
  nodeSSHPrivateKeys: 'keys',
};
/** Node ports belong to the whole hub: each test has some of its own. */
let ports = 30_000;
const some = (count: number): number => (ports += count) - count;

function allOf(): SipServices {
  const start = some(2);
  return {
    loadBalancerControlPlane: [{ ...CONTROL_PLANE, nodePort: some(1) }],
    loadBalancerWorker: [{ ...CONTROL_PLANE, nodePortRange: { start, end: start + 1 } }],
    jumpHost: [{ ...JUMP, nodePort: some(1) }],
  };
}

async function room(services: SipServices, workers = 1) {
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
  const resize = async (wanted: number): Promise<void> => {
    await kube.patch(SIP_CLUSTER, ref, { spec: { nodes: nodes(wanted) } });
    await live(metal, ref);
  };
  const change = async (spec: object): Promise<void> => {
    await kube.patch(SIP_CLUSTER, ref, { spec: { services: spec } });
    await live(metal, ref);
  };
  const message = async (type = 'ServicesReady'): Promise<string> => {
    const cluster = await kube.get<SipCluster>(SIP_CLUSTER, ref);
    return cluster?.status?.conditions?.find((one) => one.type === type)?.message ?? '';
  };
  return { namespace, ref, metal, resize, change, message };
}

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
  const { namespace, ref, metal } = await room(allOf());
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
  const { namespace, ref, metal, resize } = await room(allOf());
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
  await resize(1);
  expect(await servers()).toEqual(['w1']);
  expect(await holders(kube, namespace)).toEqual(['cp: shop/ControlPlane', 'w1: shop/Worker']);
});

test('what is edited or deleted by hand is put back, and what others add stays', async () => {
  const { namespace, ref, metal } = await room(allOf());
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
  const { namespace, ref, metal, change } = await room({
    loadBalancerControlPlane: [item(first), item(second)],
  });
  await live(metal, ref);
  const balancer = (name: string) => ['Deployment', 'Secret', 'Service'].map((kind) => `${kind} ${name}`);
  const [one, two] = ['loadbalancer-controlplane-shop', 'loadbalancer-controlplane-shop-2'];
  expect(await madeIn(kube, namespace)).toEqual([...balancer(one), ...balancer(two)].toSorted());
  // The port of the one that goes is the other one's at once.
  await change({ loadBalancerControlPlane: [item(second)] });
  expect(await madeIn(kube, namespace)).toEqual(balancer(one));
  await bringUp(kube, namespace);
  await metal.turnSipCluster(ref);
  expect((await kube.get<SipCluster>(SIP_CLUSTER, ref))?.status?.services).toEqual([
    { name: one, kind: 'loadBalancerControlPlane', nodePorts: String(second) },
  ]);
  await change({ loadBalancerControlPlane: null });
  expect(await madeIn(kube, namespace)).toEqual([]);
  expect(await said(kube, ref, 'ServicesReady')).toBe('True NotAsked');
});

test('with nodePort 0 Kubernetes picks one, which stays and is said', async () => {
  const { ref, metal } = await room({ loadBalancerControlPlane: [{ ...CONTROL_PLANE, nodePort: 0 }] });
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
    const { namespace, ref, metal } = await room(allOf());
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

describe('what cannot be made is said, and keeps nothing else from being made', () => {
  test('in a namespace that the hub workers were not given', async () => {
    const { namespace, ref, message } = await room(allOf());
    const metal = metalOn(kube);
    await live(metal, ref);
    expect(await madeIn(kube, namespace)).toEqual([]);
    expect(await said(kube, ref, 'ServicesReady')).toBe('False NotAllowedHere');
    expect(await said(kube, ref)).toBe('False InfraServiceFailure');
    expect(await message()).toContain(`may make none in namespace ${namespace}`);
    await kube.remove(SIP_CLUSTER, ref);
    await live(metal, ref);
    expect(await kube.get(SIP_CLUSTER, ref)).toBeNull();
  });

  test('a key that is none, by its place', async () => {
    const services = allOf();
    const [jump] = services.jumpHost ?? [];
    if (jump === undefined) throw new Error('no jump host');
    const bad = {
      ...services,
      jumpHost: [{ ...jump, sshAuthorizedKeys: [PUBLIC_KEY, 'sshrsaAAAAinvalidkey'] }],
    };
    const { namespace, ref, metal, message } = await room(bad);
    await live(metal, ref);
    expect(await said(kube, ref)).toBe('False InfraServiceFailure');
    expect(await message()).toContain('spec.services.jumpHost[0].sshAuthorizedKeys[1]');
    expect(await message()).not.toContain('invalidkey');
    expect(await madeIn(kube, namespace)).not.toContain('Deployment jumphost-shop');
    expect(await madeIn(kube, namespace)).toContain('Deployment loadbalancer-worker-shop');
  });

  test('a Secret of private keys that is not there, until it is', async () => {
    const { namespace, ref, metal, message } = await room({
      jumpHost: [{ ...JUMP, nodeSSHPrivateKeys: 'later', nodePort: some(1) }],
    });
    await live(metal, ref);
    expect(await message()).toContain(
      'spec.services.jumpHost[0].nodeSSHPrivateKeys: there is no Secret later',
    );
    await makeSecret(kube, namespace, 'later', { a: '', b: '' });
    await live(metal, ref);
    expect(await secretText(kube, namespace, 'jumphost-shop', 'ssh_config')).toContain(
      'Host *\n  IdentityFile /etc/opt/sip/ssh-private-keys/a\n  IdentityFile /etc/opt/sip/ssh-private-keys/b\n',
    );
  });

  test('a host whose network data lacks the network, while the others are led to', async () => {
    const { namespace, ref, metal, message } = await room(allOf(), 2);
    const key = { namespace, name: 'w1-networkdata' };
    await kube.patch(SECRET, key, { data: { networkData: Buffer.from('networks: []').toString('base64') } });
    await live(metal, ref);
    expect(await said(kube, ref)).toBe('False Unschedulable');
    expect(await said(kube, ref, 'ServicesReady')).toBe('False HostData');
    expect(await message()).toContain(
      `BareMetalHost ${namespace}/w1, spec.networkData.name: its Secret has no network with the id ${NETWORK}`,
    );
    const config = await secretText(kube, namespace, 'loadbalancer-worker-shop', 'haproxy.cfg');
    expect(config).toContain('server w2 ');
    expect(config).not.toContain('server w1 ');
  });

  test('network data of another namespace is not read', async () => {
    const { namespace, ref, metal, message } = await room(allOf());
    const networkData = { name: 'w1-networkdata', namespace: 'default' };
    await kube.patch(BARE_METAL_HOST, { namespace, name: 'w1' }, { spec: { networkData } });
    await live(metal, ref);
    expect(await message()).toContain('spec.networkData.namespace: must be the namespace of the host');
  });

  test('a port that another Service has, and an object that is not ours', async () => {
    const taken = some(1);
    const { namespace, ref, metal, message } = await room({
      loadBalancerControlPlane: [{ ...CONTROL_PLANE, nodePort: taken }],
      jumpHost: [{ ...JUMP, nodePort: some(1) }],
    });
    const spec = { type: 'NodePort', ports: [{ port: 80, nodePort: taken }] };
    await kube.create(CORE_SERVICE, { metadata: { namespace, name: 'other' }, spec } as never);
    await live(metal, ref);
    expect(await said(kube, ref, 'ServicesReady')).toBe('False WriteRefused');
    expect(await message()).toContain('spec.ports[0].nodePort');
    await kube.remove(CORE_SERVICE, { namespace, name: 'other' });
    await makeSecret(kube, namespace, 'loadbalancer-controlplane-shop', { mine: 'x' });
    await live(metal, ref);
    expect(await said(kube, ref, 'ServicesReady')).toBe('False Foreign');
    expect(await message()).toContain('Secret loadbalancer-controlplane-shop is there already');
    expect(await secretText(kube, namespace, 'loadbalancer-controlplane-shop', 'mine')).toBe('x');
    await kube.remove(SIP_CLUSTER, ref);
    await live(metal, ref);
    expect(await secretText(kube, namespace, 'loadbalancer-controlplane-shop', 'mine')).toBe('x');
  });
});

const PORT = some(1);
const refusals: readonly (readonly [string, object, string])[] = [
  [
    'a port out of range',
    { loadBalancerControlPlane: [{ ...CONTROL_PLANE, nodePort: 70_000 }] },
    'spec.services.loadBalancerControlPlane[0].nodePort',
  ],
  [
    'two services on one port',
    {
      loadBalancerControlPlane: [{ ...CONTROL_PLANE, nodePort: PORT }],
      jumpHost: [{ ...JUMP, nodePort: PORT }],
    },
    'spec.services',
  ],
  [
    'a port within a range',
    {
      loadBalancerWorker: [{ ...CONTROL_PLANE, nodePortRange: { start: PORT - 1, end: PORT + 1 } }],
      jumpHost: [{ ...JUMP, nodePort: PORT }],
    },
    'spec.services',
  ],
  [
    'ranges that overlap',
    {
      loadBalancerWorker: [
        { ...CONTROL_PLANE, nodePortRange: { start: 30_500, end: 30_510 } },
        { ...CONTROL_PLANE, nodePortRange: { start: 30_510, end: 30_520 } },
      ],
    },
    'spec.services',
  ],
  [
    'a range that ends before it begins',
    { loadBalancerWorker: [{ ...CONTROL_PLANE, nodePortRange: { start: 30_502, end: 30_501 } }] },
    'spec.services.loadBalancerWorker[0].nodePortRange',
  ],
  [
    'an image that is no name of one',
    { jumpHost: [{ ...JUMP, image: 'two words', nodePort: 0 }] },
    'spec.services.jumpHost[0].image',
  ],
  [
    'a jump host without an image',
    { jumpHost: [{ ...JUMP, image: '', nodePort: 0 }] },
    'spec.services.jumpHost[0].image',
  ],
  [
    'no network',
    { loadBalancerControlPlane: [{ image: '', nodePort: 0 }] },
    'spec.services.loadBalancerControlPlane[0].nodeInterfaceId',
  ],
  [
    'more items than are allowed',
    { jumpHost: Array.from({ length: 21 }, () => ({ ...JUMP, nodePort: 0 })) },
    'spec.services.jumpHost',
  ],
];

test.each(refusals)('%s is refused, by the name of the field', async (_what, services, field) => {
  const metadata = { namespace: 'default', name: 'refused' };
  const spec = { nodes: {}, services };
  await expect(kube.create(SIP_CLUSTER, { metadata, spec } as unknown as SipCluster)).rejects.toMatchObject({
    code: 422,
    fields: expect.arrayContaining([expect.stringContaining(field)]) as string[],
  });
});

test('names that Services could not bear are refused', async () => {
  const item = { ...CONTROL_PLANE, nodePort: 0 };
  const create = (name: string, count: number) =>
    makeServed(
      kube,
      { namespace: 'default', name },
      {},
      {
        loadBalancerControlPlane: Array.from({ length: count }, () => item),
      },
    );
  await expect(create('a.b', 1)).rejects.toMatchObject({ code: 422 });
  await expect(create('n'.repeat(35), 2)).rejects.toMatchObject({ code: 422 });
  await create('n'.repeat(34), 2);
  await create('n'.repeat(37), 1);
});
