// What keeps a turn of a Bundle from writing or deleting works.
import { removeReleased } from '../../../../activities/hub/bundle/carry-out.ts';
import { stayingUntilOrphaned } from '../../../../activities/hub/bundle/orphaning.ts';
import { retire } from '../../../../activities/hub/bundle/retire.ts';
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import { ABANDON, BUNDLE_REVISION } from '../../../../crds/labels.ts';
import { AVAILABLE } from '../../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../../kube/client.ts';
import { aBundle } from '../../../support/builders/fleet/bundles.ts';
import { aCluster } from '../../../support/builders/fleet/sets.ts';
import { bundleWorld } from '../../../support/testbeds/fleet/bundle-world.ts';

test('no work with the rights of the work agent is written for a namespace that may not use them', async () => {
  const world = bundleWorld(['a'], { executor: 'WorkAgent' });
  world.unrestricted.length = 0;
  await world.turn();
  expect(world.works.size).toBe(0);
  expect(world.bundle.status?.conditions).toContainEqual(
    expect.objectContaining({ type: 'Stalled', status: 'True', reason: 'ExecutorRefused' }),
  );
  world.unrestricted.push('apps');
  await world.turn();
  expect(world.works.get('a')?.spec?.executor).toBeUndefined();
});

/** What `retire` deletes of a Bundle, and which is `live` when it is looked at once more. */
async function deletedOf(bundle: Bundle | null, live: Bundle | null = bundle): Promise<readonly unknown[]> {
  const deleted: unknown[] = [];
  const annotations = { [BUNDLE_REVISION]: 'abc' };
  const work = { metadata: { namespace: 'a', name: 'bundle-apps.base', uid: 'work', annotations } };
  const kube = {
    list: async () => ({ items: [work] }),
    getMetadata: async () => live,
    get: async () => work,
    remove: async (...all: unknown[]) => void deleted.push(all),
    patch: async (...all: unknown[]) => void deleted.push(all),
  } as unknown as Kube;
  await retire(kube, { namespace: 'apps', name: 'base' }, bundle, {
    letsGo: async () => 'Nothing',
    isUnanswered: () => false,
  });
  return deleted;
}

test('no work is deleted of a Bundle that lives, or while what the Bundle owns is to be orphaned', async () => {
  const going = { deletionTimestamp: '2026-03-01T12:00:00Z' };
  expect(await deletedOf(aBundle())).toEqual([]);
  expect(await deletedOf(aBundle({}, { ...going, finalizers: ['orphan'] }))).toEqual([]);
  expect(await deletedOf(aBundle({}, going))).not.toEqual([]);
});

const next = aBundle({}, { uid: 'next', deletionTimestamp: '2026-03-01T12:00:00Z' });

test.each<[string, Bundle | null, Bundle | null]>([
  ['that is gone, while a later one of the name is going', null, next],
  ['in whose place a later one is going', aBundle({}, { uid: 'uid' }), next],
  ['that is gone meanwhile', next, null],
])('no work is deleted for a Bundle %s: the next turn reads what is there', async (_which, bundle, live) => {
  expect(await deletedOf(bundle, live)).toEqual([]);
});

const WORK = { namespace: 'a', name: 'bundle-apps.base', uid: 'work', resourceVersion: '7' };

/** What comes of a work that is to go, and what is written to it, if it is so by now. */
async function toldTo(bundle: Bundle | null, metadata: object = {}) {
  const patched: unknown[] = [];
  const site = { ...aCluster('a'), status: { conditions: [{ type: AVAILABLE, status: 'True' }] } };
  const kube = {
    get: async () => ({ metadata: { ...WORK, ...metadata } }),
    patch: async (_kind: unknown, _key: unknown, patch: { metadata: object }) => patched.push(patch.metadata),
  } as unknown as Kube;
  const caches = { clusters: { get: () => site } } as unknown as Parameters<typeof stayingUntilOrphaned>[1];
  return [await stayingUntilOrphaned(kube, caches, bundle)({ metadata: WORK }), patched];
}

const orphaning = aBundle({ onRemoval: 'Orphan' });

test.each<[string, Bundle | null, object]>([
  ['of a Bundle that is gone, so that nobody knows what it asked for last', null, {}],
  ['of a Bundle that deletes', aBundle({ onRemoval: 'Delete' }), {}],
  ['in whose place there is another by now', orphaning, { uid: 'next' }],
  ['that is being deleted already', orphaning, { deletionTimestamp: '2026-03-01T12:00:00Z' }],
])('a work %s is not told that all of it stays', async (_which, bundle, metadata) => {
  expect(await toldTo(bundle, metadata)).toEqual(['Nothing', []]);
});

test('a work is told that all of it stays as it was read, so that an edit meanwhile is a Conflict', async () => {
  expect(await toldTo(orphaning)).toEqual(['Told', [{ uid: 'work', resourceVersion: '7' }]]);
});

test('a work on a lost site that a person has given up stays as long as it is not to go', async () => {
  const done: string[] = [];
  const noted = (verb: string) => async () => done.push(verb);
  const kube = {
    get: async () => null,
    create: noted('create'),
    remove: noted('remove'),
    patch: noted('patch'),
  } as unknown as Kube;
  const bundle = aBundle({}, { annotations: { [ABANDON]: 'a' } });
  const caches = { clusters: { get: () => undefined }, bundleWorks: { get: () => undefined } } as never;
  const left = [seenWork({ metadata: WORK } as never)];
  const look = (clusters: readonly string[]) => ({ released: { clusters, awaited: [] }, left }) as never;
  const leaving = { kube, caches, bundle, isStill: async () => true };
  await removeReleased(leaving, look([]));
  expect(done).toEqual([]);
  await removeReleased(leaving, look(['a']));
  expect(done).toContain('patch');
});
