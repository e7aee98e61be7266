// From hosts to a site and back, on a hub in memory with the stand-in for Metal³: what happens, in which
// order, and what is said meanwhile.
import { ALLOW_WIPE, SITE_OF } from '../../../../crds/metal/labels.ts';
import { DRAIN, type Drain } from '../../../../crds/drain/drain.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import { NAMESPACE, SITE } from '../../../support/builders/metal/chain-hub.ts';
import { ChainWorld } from '../../../support/builders/metal/chain-world.ts';

test('hosts get their image, one of them joins, and the site is a labelled ManagedCluster', async () => {
  const world = new ChainWorld();
  world.asks(1);
  await world.ready();
  expect(world.happened).toEqual([
    'edge-7 is expected',
    'a token is made',
    'metal/a runs, and joins',
    'edge-7 has joined',
    'metal/b runs',
  ]);
  expect(world.condition('Provisioned')).toBe('True Provisioned');
  expect(world.condition('Joined')).toBe('True Joined');
  expect(world.managed()?.metadata.labels).toEqual({ tier: 'edge' });
  expect(world.hosts().map(({ spec }) => [spec?.online, spec?.image?.url, spec?.consumerRef?.name])).toEqual([
    [true, 'https://images.example/os.qcow2', 'shop'],
    [true, 'https://images.example/os.qcow2', 'shop'],
  ]);
  // What Metal³ has read is not left lying about.
  expect(world.left().filter((one) => one.startsWith('Secret'))).toEqual([]);
});

test('at rest it writes nothing, and looks only when something changes', async () => {
  const world = await ChainWorld.joined(1);
  const before = world.server.version();
  expect(await world.look()).toMatchObject({ wakeAt: null });
  expect(world.server.version()).toBe(before);
});

test('a deletion drains, detaches, wipes and frees, in this order', async () => {
  const world = await ChainWorld.joined(1);
  world.runs('hello');
  world.runs('other');
  world.delete();
  await world.gone();
  expect(world.happened).toEqual([
    'edge-7 is drained',
    'edge-7 is detached',
    'metal/a is wiped',
    'metal/b is wiped',
    'metal/a is free',
    'metal/b is free',
  ]);
  expect(world.left()).toEqual([]);
});

test('while a Capp stays, nothing is detached or wiped, and it says whose word would do it', async () => {
  const world = await ChainWorld.joined(1);
  world.runs('pinned', true);
  world.delete();
  await world.until(() => world.condition('Joined') === 'False CappsStay');
  await world.live(20);
  expect(world.condition('Ready')).toBe('False UnableToDecommission');
  expect(world.message('Joined')).toContain('team-a/pinned is still there');
  expect(world.message('Joined')).toContain(`${ALLOW_WIPE}=${SITE}`);
  expect(world.running.size).toBe(2);
  expect(world.managed()).not.toBeNull();
  world.annotate(ALLOW_WIPE, 'another-site');
  await world.look();
  expect(world.managed()?.metadata.deletionTimestamp).toBeUndefined();
  world.annotate(ALLOW_WIPE, SITE);
  await world.gone();
  expect(world.left()).toEqual([]);
});

test('with onDelete Refuse nothing is drained: it names the Capps, and goes on when they are gone', async () => {
  const world = await ChainWorld.joined(1);
  world.edit({ onDelete: 'Refuse' });
  world.runs('hello');
  world.delete();
  await world.until(() => world.condition('Joined') === 'False CappsStay');
  await world.live(5);
  expect(world.message('Joined')).toContain('spec.site.onDelete is Refuse');
  expect(world.message('Joined')).toContain('team-a/hello is still there');
  expect(world.server.all(DRAIN)).toEqual([]);
  expect(world.running.size).toBe(2);
  world.edit({ onDelete: 'Drain' });
  await world.gone();
  expect(world.left()).toEqual([]);
});

test('with onDelete Refuse a site without Capps goes as any other', async () => {
  const world = await ChainWorld.joined(1);
  world.edit({ onDelete: 'Refuse' });
  world.delete();
  await world.gone();
  expect(world.left()).toEqual([]);
});

test('a Capp that goes by itself after the drain lets it go on', async () => {
  const world = await ChainWorld.joined(1);
  world.runs('pinned', true);
  world.delete();
  await world.until(() => world.condition('Joined') === 'False CappsStay');
  world.leaves('pinned');
  await world.gone();
});

test.each([
  ['dryRun', 'is a dry run'],
  ['paused', 'is paused'],
] as const)('a Drain of a person that is %s holds it', async (field, words) => {
  const world = await ChainWorld.joined(1);
  world.runs('hello');
  const key = { namespace: null, name: SITE };
  const spec = { dryRun: false, paused: false, [field]: true } as unknown as Drain['spec'];
  world.server.put<Drain>(DRAIN, key, () => ({ ...DRAIN, metadata: { name: SITE }, spec }));
  world.delete();
  await world.until(() => world.condition('Joined') === 'False DrainHeld');
  expect(world.message('Joined')).toContain(words);
  world.server.put<Drain>(DRAIN, key, (before) =>
    before === null ? null : { ...before, spec: { ...spec, dryRun: false, paused: false } },
  );
  await world.gone();
  // It was not ours to delete.
  expect(world.left()).toEqual([`Drain ${SITE}`]);
});

test('a name that is taken provisions nothing, and is left alone', async () => {
  const world = new ChainWorld();
  world.server.put<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: SITE }, () => ({
    metadata: { name: SITE, annotations: { [SITE_OF]: 'another' } },
    spec: { hubAcceptsClient: true },
  }));
  world.asks(1);
  await world.until(() => world.condition('Ready') === 'False InfraServiceFailure');
  expect(world.condition('Joined')).toBe('False NameTaken');
  expect(world.condition('Provisioned')).toBe('False WaitingForSite');
  world.delete();
  await world.gone();
  expect(world.left()).toEqual([`ManagedCluster ${SITE}`]);
});

test('a Secret of a template that is not there is named, and holds that role alone', async () => {
  const world = new ChainWorld();
  world.server.put(SECRET, { namespace: NAMESPACE, name: 'template-worker' }, () => null);
  world.asks(1);
  await world.until(() => world.condition('Joined') === 'True Joined');
  expect(world.condition('Provisioned')).toBe('False BadUserData');
  expect(world.message('Provisioned')).toContain('Secret metal/template-worker is not there');
});

test('an edit of the labels reaches the site, and those of others stay', async () => {
  const world = await ChainWorld.joined(1);
  const key = { namespace: null, name: SITE };
  world.server.put<ManagedCluster>(MANAGED_CLUSTER, key, (before) =>
    before === null
      ? null
      : { ...before, metadata: { ...before.metadata, labels: { ...before.metadata.labels, own: 'x' } } },
  );
  world.edit({ labels: { region: 'eu' }, clusterSet: 'edge' });
  await world.look();
  expect(world.managed()?.metadata.labels).toEqual({
    own: 'x',
    region: 'eu',
    'cluster.open-cluster-management.io/clusterset': 'edge',
  });
});
