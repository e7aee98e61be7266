// Services that cannot be made, on a real API server: what is said of them, what is made all the same, and
// what is refused when it is written.
import { CONFIG_MAP, CORE_SERVICE, DEPLOYMENT, SECRET } from '../../../../crds/kubernetes/core.ts';
import { BARE_METAL_HOST } from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_CLUSTER } from '../../../../crds/metal/sip-cluster.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { live, metalOn, said, hubWithHosts } from '../../../support/testbeds/metal/metal.ts';
import { allOf, CONTROL_PLANE, JUMP, servedRoom, some } from '../../../support/testbeds/metal/served-room.ts';
import {
  madeIn,
  makeSecret,
  makeServed,
  NETWORK,
  PUBLIC_KEY,
  secretText,
} from '../../../support/testbeds/metal/sip-services.ts';

let kube: Kube;
hubWithHosts((given) => (kube = given));

describe('what cannot be made is said, and keeps nothing else from being made', () => {
  test('in a namespace that the hub workers were not given', async () => {
    const { namespace, ref, message } = await servedRoom(kube, allOf());
    const metal = metalOn(kube);
    await live(metal, ref);
    expect(await madeIn(kube, namespace)).toEqual([]);
    expect(await said(kube, ref, 'ServicesReady')).toBe('False NotAllowedHere');
    expect(await said(kube, ref)).toBe('False InfraServiceFailure');
    expect(await message()).toContain(`may make none in namespace ${namespace}`);
    // Who is given the namespace later hears of it.
    expect(await metal.turnSipCluster(ref)).toMatchObject({ wakeAt: expect.any(Number) as number });
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
    const { namespace, ref, metal, message } = await servedRoom(kube, bad);
    await live(metal, ref);
    expect(await said(kube, ref)).toBe('False InfraServiceFailure');
    expect(await message()).toContain('spec.services.jumpHost[0].sshAuthorizedKeys[1]');
    expect(await message()).not.toContain('invalidkey');
    expect(await madeIn(kube, namespace)).not.toContain('Deployment jumphost-shop');
    expect(await madeIn(kube, namespace)).toContain('Deployment loadbalancer-worker-shop');
  });

  test('a Secret of private keys that is not there, until it is', async () => {
    const { namespace, ref, metal, message } = await servedRoom(kube, {
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
    const { namespace, ref, metal, message } = await servedRoom(kube, allOf(), 2);
    await live(metal, ref);
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
    const { namespace, ref, metal, message } = await servedRoom(kube, allOf());
    await live(metal, ref);
    const networkData = { name: 'w1-networkdata', namespace: 'default' };
    await kube.patch(BARE_METAL_HOST, { namespace, name: 'w1' }, { spec: { networkData } });
    await live(metal, ref);
    expect(await message()).toContain('spec.networkData.namespace: must be the namespace of the host');
  });

  test('a port that another Service has, and an object that is not ours', async () => {
    const taken = some(1);
    const { namespace, ref, metal, message } = await servedRoom(kube, {
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

test('what is in Secrets of hosts is in no answer, no status and no object but the Secret of the jump host', async () => {
  const canary = 'c4n4ry-S3cret';
  const { namespace, ref, metal, resize } = await servedRoom(kube, allOf(), 2);
  await live(metal, ref);
  const data = (text: string): string => Buffer.from(text).toString('base64');
  await kube.patch(SECRET, { namespace, name: 'cp-bmc-credentials' }, { data: { password: data(canary) } });
  await kube.patch(SECRET, { namespace, name: 'keys' }, { data: { key: data(canary) } });
  const bad = { networkData: data(`networks: [{ id: ${NETWORK}, ip_address: ${canary} }]`) };
  await kube.patch(SECRET, { namespace, name: 'w1-networkdata' }, { data: bad });
  await kube.patch(
    SECRET,
    { namespace, name: 'w2-bmc-credentials' },
    { data: { username: data(`${canary}:`) } },
  );
  // Of a host that is to come as well: it is left out.
  await kube.patch(SECRET, { namespace, name: 'w3-networkdata' }, { data: bad });
  await resize(3);
  const answers = [await metal.turnSipCluster(ref), await metal.reserveHosts(ref)];
  expect(await said(kube, ref, 'ServicesReady')).toBe('False HostData');
  expect(JSON.stringify(answers)).toContain(`${namespace}/w3`);
  const objects = await Promise.all(
    [SIP_CLUSTER, BARE_METAL_HOST, CORE_SERVICE, CONFIG_MAP, DEPLOYMENT].map((resource) =>
      kube.list(resource, { namespace }),
    ),
  );
  const texts = JSON.stringify([answers, objects]);
  for (const form of [canary, data(canary), Buffer.from(canary).toString('hex')])
    expect(texts).not.toContain(form);
  expect(await secretText(kube, namespace, 'jumphost-shop', 'hosts')).toContain(canary);
  expect(await secretText(kube, namespace, 'loadbalancer-worker-shop', 'haproxy.cfg')).not.toContain(canary);
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
  await expect(kube.create(SIP_CLUSTER, { metadata, spec } as KubeObject)).rejects.toMatchObject({
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
