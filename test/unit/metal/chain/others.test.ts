// What others have on hosts and on the hub is left alone: another SIPCluster of the same name, whoever
// claims a host, and a hub on which the worker may not provision.
import { ALLOW_WIPE, PROVISIONED_FOR, RESERVED_FOR, SITE_OF } from '../../../../crds/metal/labels.ts';
import {
  BARE_METAL_HOST,
  CLUSTER_NAME,
  CLUSTER_NAMESPACE,
  NODE_TYPE,
  type BareMetalHost,
} from '../../../../crds/metal/bare-metal-host.ts';
import { SIP_FINALIZER } from '../../../../crds/metal/sip-cluster.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { KubeRequest } from '../../../../kube/http/transport.ts';
import { NAMESPACE, REF, SITE } from '../../../support/builders/metal/chain-hub.ts';
import { ChainWorld, type WorldOptions } from '../../../support/builders/metal/chain-world.ts';

const labels = { [CLUSTER_NAMESPACE]: NAMESPACE, [CLUSTER_NAME]: REF.name, [NODE_TYPE]: 'ControlPlane' };

test('a SIPCluster that is made again with another uid switches off no machine that runs the site', async () => {
  const world = new ChainWorld();
  world.asks(1);
  await world.ready();
  const before = world.hosts().map(({ spec }) => spec);
  world.makeAgain(1, 'another-uid');
  await world.live();
  world.wants(0);
  await world.live();
  world.delete();
  await world.gone();
  expect(world.hosts().map(({ spec }) => spec)).toEqual(before);
  expect(world.running.size).toBe(2);
});

const image = { url: 'https://images.example/os.qcow2' };
const other = { kind: 'SIPCluster', namespace: NAMESPACE, name: 'other' };

test.each([
  ['an image of ours', 'shop-uid', { image }],
  ['a consumer of another name', 'shop-uid', { consumerRef: other }],
  ['the mark of an earlier one', 'earlier-uid', {}],
])('what is given back with %s keeps its consumer, and is not switched off', async (_what, uid, spec) => {
  const world = new ChainWorld({ hosts: ['a'] });
  world.asks(0);
  await world.ready();
  const consumerRef = world.hosts()[0]?.spec?.consumerRef ?? null;
  const deletionTimestamp = new Date(world.now).toISOString();
  world.editHost('a', ({ metadata, ...host }) => ({
    ...host,
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, [PROVISIONED_FOR]: uid },
      deletionTimestamp,
      finalizers: ['metal3'],
    },
    spec: { ...host.spec, image: null, ...spec },
  }));
  world.delete();
  await world.gone();
  expect(world.hosts()[0]?.spec).toMatchObject({ online: true, consumerRef, ...spec });
});

test('the SIPCluster has its finalizer before the ManagedCluster is there, which waits for a host', async () => {
  const world = new ChainWorld({ hosts: [] });
  const finalizers: unknown[] = [];
  world.server.onWrite(({ after }) => {
    if (after !== null) finalizers.push(world.cluster()?.metadata.finalizers);
  }, 'managedclusters');
  world.asks(0);
  await world.live(3);
  expect(world.managed()).toBeNull();
  expect(world.cluster()?.metadata.finalizers).toBeUndefined();
  // Labelled by somebody, so that the authority has nothing to reserve.
  world.host('a');
  world.editHost('a', (host) => ({ ...host, metadata: { ...host.metadata, labels } }));
  await world.look();
  expect(finalizers[0]).toEqual([SIP_FINALIZER]);
});

test('a host that somebody else has claimed is neither provisioned nor wiped', async () => {
  const world = new ChainWorld({ hosts: ['a'], moods: { slow: 1_000 } });
  world.asks(0);
  await world.look();
  const consumerRef = { kind: 'Metal3Machine', namespace: 'others', name: 'm' };
  world.editHost('a', (host) => ({ ...host, spec: { ...host.spec, consumerRef } }));
  await world.live();
  expect(world.hosts()[0]?.spec).toEqual({ online: false, networkData: { name: 'net' }, consumerRef });
  expect(world.condition('Provisioned')).toBe('False ForeignImage');
  expect(world.message('Provisioned')).toContain('consumerRef');
  world.delete();
  await world.gone();
  expect(world.hosts()[0]?.spec).toEqual({ online: false, networkData: { name: 'net' }, consumerRef });
});

test('hosts that run are not wiped under a ManagedCluster that is somebody else’s, but by a person’s word', async () => {
  const world = new ChainWorld();
  world.asks(1);
  await world.ready();
  world.editManaged(({ metadata, ...one }) => ({
    ...one,
    metadata: { ...metadata, annotations: { [SITE_OF]: 'another' } },
  }));
  world.delete();
  await world.live();
  expect(world.condition('Joined')).toBe('False NameTaken');
  expect(world.message('Joined')).toContain(`${ALLOW_WIPE}=${SITE}`);
  expect(world.running.size).toBe(2);
  world.annotate(ALLOW_WIPE, SITE);
  await world.gone();
  expect(world.left()).toEqual([`ManagedCluster ${SITE}`]);
});

/** Of a hub without `metal.provisionNamespaces` and `joins.byToken`. */
const refused: NonNullable<WorldOptions['way']> = (request: KubeRequest, send) => {
  const { method, path } = request;
  if (/\/(secrets|certificatesigningrequests|managedclusteraddons)\b/.test(path))
    throw new ApiError({ method, path, code: 403, reason: 'Forbidden' });
  return send();
};

test('where the hub worker may not provision it says so, reserves nothing, and the SIPCluster can be deleted', async () => {
  const world = new ChainWorld({ provisions: [], way: refused });
  world.asks(1);
  await world.live(3);
  expect(world.condition('Joined')).toBe('False NotAllowedHere');
  expect(world.condition('HostsReserved')).toBe('False Short');
  expect(world.message('HostsReserved')).toContain('2 are where the hub workers may not provision');
  expect(world.hosts().flatMap(({ metadata }) => Object.keys(metadata.labels ?? {}))).toEqual([]);
  // Labelled by somebody: it has hosts, and its finalizer.
  world.editHost('a', ({ metadata, ...host }) => ({
    ...host,
    metadata: { ...metadata, labels, annotations: { [RESERVED_FOR]: 'shop-uid' } },
  }));
  world.change((one) => ({ ...one, metadata: { ...one.metadata, finalizers: [SIP_FINALIZER] } }));
  await world.look();
  expect(world.condition('Joined')).toBe('False NotAllowedHere');
  world.delete();
  await world.gone();
  expect(world.left()).toEqual([]);
});

test('hosts in a namespace where the hub workers may not provision are counted, and not reserved', async () => {
  const world = new ChainWorld({ hosts: ['a'] });
  const far = { namespace: 'far', name: 'b' };
  world.server.put<BareMetalHost>(BARE_METAL_HOST, far, () => ({
    ...(world.hosts()[0] as BareMetalHost),
    metadata: far,
  }));
  world.asks(1);
  await world.live(3);
  expect(world.condition('HostsReserved')).toBe('False Short');
  expect(world.message('HostsReserved')).toContain('1 are where the hub workers may not provision');
  expect(world.managed()).toBeNull();
  expect(world.happened).toEqual([]);
});

test.each([CLUSTER_NAMESPACE, CLUSTER_NAME])(
  'a node of a site that has lost its label %s by a slip keeps all else, and is the site’s again with it',
  async (label) => {
    const world = await ChainWorld.joined(1);
    const [name, before] = [world.hosts()[0]?.metadata.name ?? '', world.hosts()[0]];
    const withLabels = (labels: Readonly<Record<string, string>>): void =>
      world.editHost(name, ({ metadata, ...host }) => ({ ...host, metadata: { ...metadata, labels } }));
    const { [label]: lost = '', ...others } = before?.metadata.labels ?? {};
    withLabels(others);
    await world.live(3);
    const now = world.hosts().find(({ metadata }) => metadata.name === name);
    expect(now?.metadata.labels).toEqual(others);
    expect(now?.metadata.annotations).toEqual(before?.metadata.annotations);
    withLabels({ ...others, [label]: lost });
    await world.ready();
    world.delete();
    await world.gone();
    expect(world.happened).toContain(`${NAMESPACE}/${name} is wiped`);
    expect(world.left()).toEqual([]);
  },
);
