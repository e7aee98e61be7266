// What keeps a turn of a Bundle from writing or deleting works.
import { retire } from '../../../../activities/hub/bundle/retire.ts';
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import { BUNDLE_REVISION } from '../../../../crds/labels.ts';
import type { Kube } from '../../../../kube/client.ts';
import { aBundle } from '../../../support/builders/fleet/bundles.ts';
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

/** What `retire` deletes of a Bundle that is so when it is looked at once more. */
async function deletedOf(bundle: Bundle): Promise<readonly unknown[]> {
  const deleted: unknown[] = [];
  const annotations = { [BUNDLE_REVISION]: 'abc' };
  const work = { metadata: { namespace: 'a', name: 'bundle-apps.base', uid: 'work', annotations } };
  const kube = {
    list: async () => ({ items: [work] }),
    getMetadata: async () => bundle,
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
