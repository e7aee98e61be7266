// A host to which services could not lead is left out before it is reserved, and another is taken; one that
// the cluster has already is named and kept.
import { reserveFor } from '../../../../activities/hub/metal/reserve.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { SIP_CLUSTER, type SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { planFit } from '../../../../activities/hub/metal/fitness.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { HUB_TIMES } from '../../../../activities/hub/times.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { NAMESPACE, REF, hubInMemory } from '../../../support/builders/metal/hub-in-memory.ts';
import { look, MINUTE, NOW, served } from '../../../support/builders/metal/served-hub.ts';

const NAMESPACES = { serves: new Set([NAMESPACE]), provisions: new Set<string>() };
const reserve = (hub: ReturnType<typeof hubInMemory>, now = NOW) =>
  reserveFor(hub.kube, REF, () => now, NAMESPACES);

const BAD: readonly (readonly [string, string, Record<string, string> | null, string])[] = [
  ['no Secret of network data', 'net', null, 'spec.networkData.name: there is no Secret a-net'],
  ['no Secret of its BMC', 'bmc', null, 'spec.bmc.credentialsName: there is no Secret a-bmc'],
  ['credentials without a password', 'bmc', { username: 'cg==' }, 'its Secret has no key password'],
  [
    'network data without the network',
    'net',
    { networkData: Buffer.from('networks: []').toString('base64') },
    'its Secret has no network with the id oam',
  ],
];

test.each(BAD)(
  'a free host with %s is left out for another, with the reason',
  async (_what, of, data, words) => {
    const hub = await served();
    for (const name of ['a', 'b']) hub.free(name);
    hub.server.put(SECRET, { namespace: NAMESPACE, name: `a-${of}` }, (before) =>
      data === null || before === null ? null : ({ ...before, data } as typeof before),
    );
    hub.wants(3);
    expect(await look(hub.kube)).toMatchObject({ needsHosts: true });
    expect(hub.condition('HostsReserved')).toBe('False WaitingTurn');
    expect(hub.message('HostsReserved')).toContain('BareMetalHost metal/a, ');
    expect(hub.message('HostsReserved')).toContain(words);
    expect(await reserve(hub)).toMatchObject({
      outcome: 'Reserved',
      hosts: 1,
      says: expect.stringContaining(words) as string,
    });
    expect(hub.reserved()).toEqual(['b', 'w1', 'w2']);
    await look(hub.kube);
    expect(hub.condition('HostsReserved')).toBe('True Reserved');
    expect(hub.message('HostsReserved')).toBe('');
  },
);

test('where only bad hosts are free nothing is reserved, nobody is asked, and both are counted and named', async () => {
  const hub = await served();
  for (const name of ['a', 'b', 'c']) hub.free(name);
  for (const name of ['a', 'c'])
    hub.server.put(SECRET, { namespace: NAMESPACE, name: `${name}-net` }, () => null);
  hub.wants(4);
  expect(await look(hub.kube)).toMatchObject({ needsHosts: false });
  expect(hub.condition('HostsReserved')).toBe('False Short');
  expect(hub.message('HostsReserved')).toContain(
    'Worker: 4 wanted, 2 reserved; of 3 others that match, 2 cannot be led to by its services, 1 are free for it',
  );
  expect(hub.message('HostsReserved')).toMatch(/metal\/a, spec\.networkData.*metal\/c, spec\.networkData/);
  expect(await reserve(hub)).toMatchObject({ outcome: 'Short', hosts: 0 });
  expect(hub.reserved()).toEqual(['w1', 'w2']);
  const written = () =>
    hub.requests.filter(({ method, path }) => method !== 'GET' && /sipclusters|baremetalhosts/.test(path));
  const before = written().length;
  await look(hub.kube);
  await reserve(hub);
  expect(written()).toHaveLength(before);
});

test('a host that goes bad after it was reserved is named and kept, and the others are led to', async () => {
  const hub = await served();
  hub.free('a');
  hub.server.put(SECRET, { namespace: NAMESPACE, name: 'w1-net' }, () => null);
  expect(await look(hub.kube, [NAMESPACE], NOW + 60 * MINUTE)).toMatchObject({ needsHosts: false });
  expect(hub.condition('ServicesReady')).toBe('False HostData');
  expect(hub.message('ServicesReady')).toContain('BareMetalHost metal/w1, spec.networkData.name');
  expect(hub.reserved()).toEqual(['w1', 'w2']);
});

test('a failed host is not given up for a bad one', async () => {
  const hub = await served();
  hub.fails('w1', 'spare');
  hub.server.put(SECRET, { namespace: NAMESPACE, name: 'spare-bmc' }, () => null);
  expect(await look(hub.kube, [NAMESPACE], NOW + 11 * MINUTE)).toMatchObject({ needsHosts: false });
  expect(hub.message('HostsReserved')).toContain('BareMetalHost metal/spare, spec.bmc.credentialsName');
  expect(await reserve(hub, NOW + 11 * MINUTE)).toMatchObject({ outcome: 'Nothing' });
  expect(hub.reserved()).toEqual(['w1', 'w2']);
});

test('of a rack that may have one host, a failed one is not given back first for a bad one', async () => {
  const hub = await served();
  hub.fails('w1', 'spare', 'rack');
  hub.server.put(SECRET, { namespace: NAMESPACE, name: 'spare-net' }, () => null);
  await look(hub.kube, [NAMESPACE], NOW + 11 * MINUTE);
  hub.bringUp();
  await look(hub.kube, [NAMESPACE], NOW + 11 * MINUTE);
  expect(hub.reserved()).toEqual(['w1', 'w2']);
});

test('a cluster that has its hosts, or whose services may not be made, reads no Secret of a free host', async () => {
  const hub = await served();
  hub.free('a');
  const readsOf = (name: string): number =>
    hub.requests.filter(({ path }) => path.includes(`/${name}`)).length;
  await look(hub.kube);
  expect(readsOf('a-net') + readsOf('a-bmc')).toBe(0);
  hub.wants(3);
  const allowed = await planFit(hub.kube, hub.cluster(), hostsOf(hub), { ...NAMESPACES, now: NOW });
  expect([allowed.plan.add, readsOf('a-net')]).toEqual([[{ key: 'metal/a', role: 'Worker' }], 1]);
  const closed = { ...NAMESPACES, serves: new Set<string>(), now: NOW };
  await planFit(hub.kube, hub.cluster(), hostsOf(hub), closed);
  expect(readsOf('a-net')).toBe(1);
});

test('a host may be good for one role and bad for another', async () => {
  const hub = hubInMemory(
    { loadBalancerControlPlane: [{ image: '', nodePort: 0, nodeInterfaceId: 'other' }] },
    { workers: 0 },
  );
  hub.free('a');
  hub.free('b');
  hub.server.put<SipCluster>(SIP_CLUSTER, REF, () => {
    const { spec, ...rest } = hub.cluster();
    const nodes = { ControlPlane: { count: { active: 1 } }, Worker: { count: { active: 1 } } };
    return { ...rest, spec: { ...spec, nodes } };
  });
  const bad = await planFit(hub.kube, hub.cluster(), hostsOf(hub), { ...NAMESPACES, now: NOW });
  expect(bad.plan.short?.map(({ role }) => role)).toEqual(['ControlPlane', 'Worker']);
  const networks = [{ id: 'other', ip_address: '192.0.2.7' }];
  const networkData = Buffer.from(JSON.stringify({ networks })).toString('base64');
  hub.server.put(SECRET, { namespace: NAMESPACE, name: 'b-net' }, (before) =>
    before === null ? null : ({ ...before, data: { networkData } } as typeof before),
  );
  const { plan, faults } = await planFit(hub.kube, hub.cluster(), hostsOf(hub), { ...NAMESPACES, now: NOW });
  expect(plan.add).toEqual([
    { key: 'metal/b', role: 'ControlPlane' },
    { key: 'metal/a', role: 'Worker' },
  ]);
  expect(faults.map(({ host }) => host)).toEqual(['metal/a']);
});

test('who is slower than others reads no Secret again for the next try', async () => {
  let conflicts = 0;
  const hub = await served(({ method, path }) =>
    method === 'PATCH' && path.includes('/baremetalhosts/') && (conflicts += 1) < 4
      ? new ApiError({ method, path, code: 409, reason: 'Conflict' })
      : null,
  );
  hub.free('a');
  hub.free('b');
  hub.server.put(SECRET, { namespace: NAMESPACE, name: 'a-net' }, () => null);
  hub.wants(3);
  expect(await reserve(hub)).toMatchObject({ outcome: 'Reserved', hosts: 1 });
  const reads = hub.requests.filter(({ path }) => /\/secrets\/[ab]-net/.test(path));
  expect([conflicts > 3, reads.length]).toEqual([true, 2]);
});

test('where more hosts are bad than one look reads, the status says so, and it looks at others later', async () => {
  const hub = await served();
  for (let index = 0; index < 520; index += 1) {
    hub.free(`f${index}`);
    hub.server.put(SECRET, { namespace: NAMESPACE, name: `f${index}-net` }, () => null);
  }
  hub.wants(3);
  const wakeAt = NOW + HUB_TIMES.hostsUnread.ms;
  expect(await look(hub.kube)).toMatchObject({ needsHosts: false, wakeAt });
  expect(hub.condition('HostsReserved')).toBe('False Short');
  expect(hub.message('HostsReserved')).toMatch(/And \d+ more\. Only 514 free hosts were looked at\./);
  expect(await reserve(hub)).toMatchObject({
    outcome: 'Short',
    says: expect.stringContaining('Only 514 free hosts') as string,
  });
});

const hostsOf = (hub: ReturnType<typeof hubInMemory>): BareMetalHost[] => hub.server.all(BARE_METAL_HOST);
