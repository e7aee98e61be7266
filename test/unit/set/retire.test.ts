// A set that is being deleted gives up the copies on the sites that a person names.
import { jest } from '@jest/globals';
import { trying } from '../../../activities/trying.ts';
import { retireSet } from '../../../activities/hub/set/retire-set.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { ABANDON } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { Key } from '../../../kube/resource.ts';
import { listed } from '../../../kube/watch/listed.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';
import { aTry } from '../../support/builders/process/tries.ts';
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

test('a set that goes deletes each of its Capps by its uid, and no later one of the name', async () => {
  const deleted: unknown[] = [];
  const kube = {
    remove: async (_kind: unknown, { name }: Key, only: object) => void deleted.push([name, only]),
    apply: async () => ({}),
  } as unknown as Kube;
  const { metadata, spec } = goingFrom('site-1');
  const { deletionTimestamp: _going, ...standing } = metadata;
  const children = [{ metadata: standing, spec } as Capp, goingFrom('site-2')];
  await retireSet({ kube, caches: { clusters: listed([]) }, set: aSet('shop', {}), children }, NOW);
  expect(deleted).toEqual([['shop-site-1', { uid: 'site-1' }]]);
});

test('a Capp that has been told that its site is given up is not told in turn after turn', async () => {
  const patched: unknown[] = [];
  const kube = {
    patch: async (...all: unknown[]) => void patched.push(all),
    apply: async () => ({}),
  } as unknown as Kube;
  const made = aSet('shop', {});
  const annotations = { [ABANDON]: 'site-1' };
  const set = { ...made, metadata: { ...made.metadata, annotations } };
  const { metadata, spec } = goingFrom('site-1');
  const children = [{ metadata: { ...metadata, annotations }, spec } as unknown as Capp];
  await retireSet({ kube, caches: { clusters: listed([]) }, set, children }, NOW);
  expect(patched).toEqual([]);
});

interface Going {
  readonly count: number;
  /** By the number of a Capp. */
  readonly isRefused: (index: number) => boolean;
  /** Milliseconds that each refusal takes. */
  readonly takes?: number;
  readonly at?: number;
}

/** Turns of a set that goes, each of which begins with the Capps that the last has left. */
async function turnsOf({ count, isRefused, takes = 0, at = NOW }: Going, most: number) {
  const tried: string[] = [];
  const gone = new Set<string>();
  let clock = at;
  const dates = jest.spyOn(Date, 'now').mockImplementation(() => clock);
  const kube = {
    remove: async (_kind: unknown, { name }: Key) => {
      tried.push(name);
      if (isRefused(Number(name.split('-').at(-1)))) {
        clock += takes;
        throw new ApiError({ method: 'DELETE', path: '/', code: 403, reason: 'Forbidden' });
      }
      gone.add(name);
      return true;
    },
    apply: async () => ({}),
  } as unknown as Kube;
  const made = aSet('shop', {});
  const set = { ...made, metadata: { ...made.metadata, deletionTimestamp: '2026-03-01T12:00:00Z' } };
  const all = Array.from({ length: count }, (_, index) => {
    const { deletionTimestamp: _going, ...metadata } = goingFrom(String(index)).metadata;
    return { metadata, spec: { site: String(index) } } as Capp;
  });
  const answers = [];
  for (let turn = 0; turn < most; turn += 1) {
    const children = all.filter(({ metadata }) => !gone.has(metadata.name));
    const answer = await retireSet({ kube, caches: { clusters: listed([]) }, set, children }, clock);
    answers.push(answer);
    clock += 12_345;
    if (answer.outcome !== 'Leaving' || !answer.isMore) break;
  }
  dates.mockRestore();
  return { tried, gone, answers };
}

test.each([
  ['100 that may not be deleted keep', 100, false],
  ['a set of which none may be deleted keeps', 150, true],
])('of a set that goes, %s no later Capp, and nothing is tried without end', async (_what, count, isAll) => {
  const isRefused = (index: number) => isAll || index < count;
  const { tried, answers } = await turnsOf({ count: 150, isRefused }, 1);
  expect(new Set(tried).size).toBe(150);
  expect(tried).toHaveLength(150);
  expect(answers).toMatchObject([{ outcome: 'Leaving', isMore: false }]);
});

test.each([50, 99])('of a set that goes, %d that may not be deleted slow no others down', async (refused) => {
  const { tried, gone, answers } = await turnsOf({ count: 1_100, isRefused: (index) => index < refused }, 50);
  expect(gone.size).toBe(1_100 - refused);
  expect(answers.length).toBeLessThanOrEqual(12);
  expect(tried.length).toBeLessThan(1_100 + 12 * refused);
});

test('of a set that goes, refusals that take long are said in time, and the next turn begins elsewhere', async () => {
  const refused = { count: 2_000, isRefused: () => true, takes: 200 };
  const { tried, answers } = await turnsOf(refused, 1);
  expect(tried).toHaveLength(50);
  expect(answers).toMatchObject([{ outcome: 'Leaving', isMore: false }]);
  // A turn that holds a workflow task has four seconds, and says within them what became of each.
  jest.spyOn(Date, 'now').mockReturnValue(NOW);
  const short = await aTry({ startToCloseMs: 5_000, isLocal: true }).run(() =>
    trying(() => turnsOf(refused, 1)),
  );
  expect(short.tried).toHaveLength(10);
  const later = await turnsOf({ ...refused, at: NOW + 60_123 }, 1);
  expect(later.tried.at(0)).not.toBe(tried.at(0));
});
