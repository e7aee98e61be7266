// A Bundle with `onRemoval: Orphan` leaves a site only when the site knows that what is there is to stay.
import { jest } from '@jest/globals';
import { retire } from '../../../../activities/hub/bundle/retire.ts';
import { sayingWhatStays, stayingUntilOrphaned } from '../../../../activities/hub/bundle/orphaning.ts';
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import { conditionOf } from '../../../../crds/kubernetes/core.ts';
import { removeAll, tellAll } from '../../../../activities/hub/bundle/ship.ts';
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import { AVAILABLE, type ManifestWork } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { aBundle, aConfigMap, rendered } from '../../../support/builders/fleet/bundles.ts';
import { aCluster } from '../../../support/builders/fleet/sets.ts';
import { bundleWorld } from '../../../support/testbeds/fleet/bundle-world.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');

beforeEach(() => void jest.useFakeTimers({ now: NOW }));
afterEach(() => void jest.useRealTimers());

/** On two sites, where it is Ready for an hour. */
async function settled(spec: object = {}) {
  const world = bundleWorld(['a', 'b'], {
    manifests: [aConfigMap()],
    strategy: { maxConcurrent: 2 },
    ...spec,
  });
  await world.turn();
  for (const cluster of ['a', 'b']) world.apply(cluster);
  await world.turn();
  jest.setSystemTime(NOW + 3_600_000);
  return world;
}

const keptOn = ({ works }: { readonly works: ReadonlyMap<string, ManifestWork> }, cluster: string) =>
  works.get(cluster)?.spec?.deleteOption?.propagationPolicy ?? 'gone';

test('a site that is left by the edit that asks for orphans keeps what is there: it is told first, and its answer is waited for', async () => {
  const world = await settled();
  expect(keptOn(world, 'b')).toBe('Foreground');
  world.edit({ sites: { clusters: ['a'] }, onRemoval: 'Orphan' });
  await world.turn();
  world.apply('a');
  const { wakeAt } = await world.turn();
  expect([keptOn(world, 'b'), wakeAt]).toEqual(['Orphan', Date.now() + 60_000]);
  await world.turn();
  expect(keptOn(world, 'b')).toBe('Orphan');
  world.apply('b');
  await world.turn();
  expect(keptOn(world, 'b')).toBe('gone');
});

test('a site is left at once by a Bundle that deletes, and by one of which the site knew that it orphans', async () => {
  for (const onRemoval of ['Delete', 'Orphan']) {
    const world = await settled({ onRemoval });
    world.edit({ sites: { clusters: ['a'] } });
    await world.turn();
    expect(keptOn(world, 'b')).toBe('gone');
  }
});

test('a site that is left by the edit that turns Orphan back to Delete keeps what is there, and an event names it', async () => {
  const world = await settled({ onRemoval: 'Orphan' });
  world.edit({ sites: { clusters: ['a'] }, onRemoval: 'Delete' });
  await world.turn();
  world.apply('a');
  await world.turn();
  expect(keptOn(world, 'b')).toBe('gone');
  expect([...world.notes.values()]).toEqual([
    expect.stringMatching(/^b keeps what this Bundle has brought there .*was not told before it was left/),
  ]);
});

test.each([
  ['that deletes, and did', 'Delete', 'Delete'],
  ['that orphans, and did', 'Orphan', 'Orphan'],
  ['that deletes, of which the site knows that by now', 'Orphan', 'told'],
])('nothing is said of what stays by a Bundle %s', async (_what, before, then) => {
  const world = await settled({ onRemoval: before });
  if (then === 'told') {
    world.edit({ onRemoval: 'Delete' });
    await world.turn();
    for (const cluster of ['a', 'b']) world.apply(cluster);
    await world.turn();
    jest.setSystemTime(NOW + 7_200_000);
  }
  world.edit({ sites: { clusters: ['a'] } });
  await world.turn();
  expect([keptOn(world, 'b'), world.notes.size]).toEqual(['gone', 0]);
});

test('a Bundle that is deleted in the edit that turns Orphan back to Delete says where its objects stay', async () => {
  const created: { readonly note?: string }[] = [];
  const kube = { create: async (_kind: unknown, event: object) => created.push(event) } as unknown as Kube;
  const work = workOf('Orphan', 2);
  const caches = { bundleWorks: { get: () => seenWork(work as never) } } as never;
  await sayingWhatStays(kube, caches, dying('Delete'))(work);
  await sayingWhatStays(kube, caches, dying('Orphan'))(work);
  await sayingWhatStays(kube, caches, null)(work);
  await sayingWhatStays(kube, caches, dying('Delete'))({ metadata: { ...work.metadata, uid: 'other' } });
  expect(created.map(({ note }) => note)).toEqual([expect.stringMatching(/^a keeps what/)]);
});

const sitesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `site-${String(index).padStart(3, '0')}`);

test('130 sites that leave at once and do not answer are told once, keep no site that answers waiting, and have no turn follow at once', async () => {
  const all = ['a', ...sitesOf(130)];
  const world = bundleWorld(all, { manifests: [aConfigMap()], strategy: { maxConcurrent: 200 } });
  while ((await world.turn()).isMore);
  for (const cluster of all) world.apply(cluster);
  await world.turn();
  jest.setSystemTime(NOW + 3_600_000);
  world.edit({ sites: { clusters: ['a'] }, onRemoval: 'Orphan' });
  expect([(await world.turn()).isMore, (await world.turn()).isMore]).toEqual([true, false]);
  // The last Ready copy stays until another is Ready.
  world.apply('a');
  await world.turn();
  expect(all.filter((site) => keptOn(world, site) !== 'Orphan')).toEqual([]);
  await world.turn();
  const before = world.bundle.status;
  jest.setSystemTime(NOW + 3_660_000);
  expect(await world.turn()).toMatchObject({ isMore: false, wakeAt: Date.now() + 60_000 });
  expect([world.tries, world.bundle.status]).toEqual([[], before]);
  world.apply('site-129');
  await world.turn();
  expect([keptOn(world, 'site-129'), world.works.size]).toEqual(['gone', 130]);
});

test('works that the hub does not let go have no turn follow at once when each was tried', async () => {
  const all = ['a', ...sitesOf(130)];
  const world = bundleWorld(all, { manifests: [aConfigMap()], strategy: { maxConcurrent: 200 } });
  while ((await world.turn()).isMore);
  for (const cluster of all) world.apply(cluster);
  await world.turn();
  jest.setSystemTime(NOW + 3_600_000);
  for (const cluster of sitesOf(130)) world.codes[cluster] = 403;
  world.edit({ sites: { clusters: ['a'] } });
  // The others are tried in the next, and after that none.
  expect((await world.turn()).isMore).toBe(true);
  expect(await world.turn()).toMatchObject({ isMore: false, wakeAt: Date.now() + 60_000 });
  expect(conditionOf(world.bundle.status?.conditions, 'Stalled')?.reason).toBe('RemovalRefused');
});

/** Of a Bundle that is being deleted: what is written and deleted of its work on a site. */
function leaving(work: ManifestWork, bundle: Bundle, status: 'True' | 'Unknown' = 'True') {
  const done: string[] = [];
  const kube = {
    list: async () => ({ items: [work] }),
    getMetadata: async () => bundle,
    get: async () => work,
    remove: async () => done.push('delete') > 0,
    patch: async (_kind: unknown, _key: unknown, { spec }: ManifestWork) =>
      done.push(spec?.deleteOption?.propagationPolicy ?? 'other'),
  } as unknown as Kube;
  const site = { ...aCluster('a'), status: { conditions: [{ type: AVAILABLE, status }] } };
  const caches = { clusters: { get: () => site } } as unknown as Parameters<typeof stayingUntilOrphaned>[1];
  const staysYet = stayingUntilOrphaned(kube, caches, bundle);
  const turn = () =>
    retire(kube, { namespace: 'apps', name: 'base' }, bundle, {
      letsGo: staysYet,
      isUnanswered: () => false,
    });
  return { done, turn };
}

const GOING = { deletionTimestamp: '2026-03-01T12:00:00Z', finalizers: ['rcs.dana.io/bundle'] };
const dying = (onRemoval: string) => aBundle({ onRemoval, manifests: [aConfigMap()] }, GOING);
interface Answer {
  readonly observedGeneration: number;
  readonly status?: 'True' | 'False';
}
/**
 * What the site says of each manifest. The work agent names the present generation of the work also when it
 * fails.
 */
function answered(...said: readonly Answer[]): NonNullable<ManifestWork['status']> {
  const of = (all: readonly Answer[]) => ({
    type: 'Applied',
    status: all.every(({ status = 'True' }) => status === 'True') ? ('True' as const) : ('False' as const),
    observedGeneration: Math.max(...all.map(({ observedGeneration }) => observedGeneration)),
  });
  const manifests = said.map((one, ordinal) => ({
    resourceMeta: { ordinal, group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', name: 'a' },
    conditions: [of([one])],
  }));
  return { conditions: [of(said)], resourceStatus: { manifests } };
}
/** As the Bundle with that `onRemoval` has written it. */
function workOf(onRemoval: string, observedGeneration: number): ManifestWork {
  const work = rendered(dying(onRemoval)).workOn('a', NOW);
  const metadata = { ...work.metadata, uid: 'w', generation: 2 };
  return { ...work, metadata, status: answered({ observedGeneration }) };
}
/** Of two objects, by what the site says of them. */
function workOfTwo(...said: readonly Answer[]): ManifestWork {
  const two = aBundle({ onRemoval: 'Orphan', manifests: [aConfigMap(), aConfigMap({}, 'other')] });
  const work = rendered(two).workOn('a', NOW);
  return { ...work, metadata: { ...work.metadata, uid: 'w', generation: 2 }, status: answered(...said) };
}

test.each([
  ['tells a work that would delete', workOf('Delete', 2), 'Orphan', ['Orphan'], ['a']],
  ['waits for the answer of its site', workOf('Orphan', 1), 'Orphan', [], ['a']],
  ['deletes the work when the site has answered', workOf('Orphan', 2), 'Orphan', ['delete'], []],
  ['deletes the work at once where nothing is to stay', workOf('Delete', 1), 'Delete', ['delete'], []],
])('a Bundle that is deleted %s', async (_what, work, onRemoval, does, unanswered) => {
  const { done, turn } = leaving(work, dying(onRemoval));
  expect(await turn()).toMatchObject({ outcome: 'Leaving', isPending: false, isMore: false, unanswered });
  expect(done).toEqual(does);
});

test.each([
  [
    'is refused or conflicts',
    workOfTwo({ observedGeneration: 2 }, { observedGeneration: 2, status: 'False' }),
  ],
  ['was applied as it was before', workOfTwo({ observedGeneration: 2 }, { observedGeneration: 1 })],
  ['is not named yet', workOfTwo({ observedGeneration: 2 })],
])(
  'a work stays while one of its objects %s, since its site still owns that and would delete it',
  async (_what, work) => {
    const { done, turn } = leaving(work, dying('Orphan'));
    expect(await turn()).toMatchObject({ outcome: 'Leaving' });
    expect(done).toEqual([]);
  },
);

test.each([
  ['is to be left, and has still to answer', removeAll, 'Unanswered'],
  ['is to be told, and has answered meanwhile, so that it is not charged', tellAll, 'Nothing'],
] as const)('by a live read a site is not left at once that %s', async (_what, act, awaited) => {
  const kube = { remove: () => Promise.reject(new Error('It was deleted.')) } as unknown as Kube;
  const errand = { kube, isStill: async () => true, staysYet: async () => awaited };
  expect(await act(errand, [seenWork(workOf('Orphan', 2) as never)])).toMatchObject({
    pending: 0,
    unremoved: [],
    unanswered: ['a'],
  });
});

test('a site that cannot be reached is not waited for', async () => {
  const { done, turn } = leaving(workOf('Delete', 2), dying('Orphan'), 'Unknown');
  await turn();
  expect(done).toContain('delete');
});
