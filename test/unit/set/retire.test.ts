// A set that is being deleted gives up the copies on the sites that a person names.
import { retireSet } from '../../../activities/hub/set/retire-set.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { ABANDON } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { Key } from '../../../kube/resource.ts';
import { listed } from '../../../kube/watch/listed.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';
import { NOW } from '../../support/builders/states.ts';

const goingFrom = (site: string): Capp =>
  ({
    metadata: {
      namespace: 'apps',
      name: `shop-${site}`,
      uid: site,
      deletionTimestamp: '2026-03-01T12:00:00Z',
    },
    spec: { site },
  }) as unknown as Capp;

async function givenUpBy(annotation: string): Promise<string[]> {
  const patched: string[] = [];
  const kube = {
    patch: async (_kind: unknown, { name }: Key) => void patched.push(name),
    apply: async () => ({}),
  } as unknown as Kube;
  const made = aSet('shop', {});
  const set = { ...made, metadata: { ...made.metadata, annotations: { [ABANDON]: annotation } } };
  const children = ['site-1', 'site-2', 'site-3'].map(goingFrom);
  await retireSet({ kube, caches: { clusters: listed([]) }, set, children }, NOW);
  return patched.toSorted();
}

test.each([
  ['site-1,site-2', ['shop-site-1', 'shop-site-2']],
  // As of a Capp and of a Bundle.
  [' site-1 site-2\n', ['shop-site-1', 'shop-site-2']],
  ['site-1, ,', ['shop-site-1']],
  ['', []],
])('by annotation "%s" the copies of %j', async (annotation, names) => {
  expect(await givenUpBy(annotation)).toEqual(names);
});

test.each([
  [['orphan'], []],
  [[], ['shop-site-1']],
])('with finalizers %j the Capps %j are deleted', async (finalizers, names) => {
  const deleted: string[] = [];
  const kube = {
    remove: async (_kind: unknown, { name }: Key) => void deleted.push(name),
    apply: async () => ({}),
  } as unknown as Kube;
  const made = aSet('shop', {});
  const set = {
    ...made,
    metadata: { ...made.metadata, finalizers, deletionTimestamp: '2026-03-01T12:00:00Z' },
  };
  const { metadata, spec } = goingFrom('site-1');
  const { deletionTimestamp: _going, ...standing } = metadata;
  const children = [{ metadata: standing, spec } as Capp];
  await retireSet({ kube, caches: { clusters: listed([]) }, set, children }, NOW);
  expect(deleted).toEqual(names);
});

test.each([
  ['100 that may not be deleted keep', 100, false],
  ['a set of which none may be deleted keeps', 150, true],
])('of a set that goes, %s no later Capp, and nothing is tried without end', async (_what, count, isAll) => {
  const tried: string[] = [];
  const kube = {
    remove: async (_kind: unknown, { name }: Key) => {
      tried.push(name);
      if (isAll || Number(name.split('-').at(-1)) < count)
        throw new ApiError({ method: 'DELETE', path: '/', code: 403, reason: 'Forbidden' });
      return true;
    },
    apply: async () => ({}),
  } as unknown as Kube;
  const made = aSet('shop', {});
  const set = { ...made, metadata: { ...made.metadata, deletionTimestamp: '2026-03-01T12:00:00Z' } };
  const children = Array.from({ length: 150 }, (_, index) => {
    const { deletionTimestamp: _going, ...metadata } = goingFrom(String(index)).metadata;
    return { metadata, spec: { site: String(index) } } as Capp;
  });
  const ending = await retireSet({ kube, caches: { clusters: listed([]) }, set, children }, NOW);
  expect(new Set(tried).size).toBe(150);
  expect(tried).toHaveLength(150);
  expect(ending).toMatchObject({ outcome: 'Leaving', isMore: false });
});
