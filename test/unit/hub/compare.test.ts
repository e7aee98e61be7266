// How the hub compares an agent's inventory with what it has published: Capps that differ, and Capps that are
// missing from the inventory, are looked at.
import { hubCompare } from '../../../activities/hub/site/compare.ts';
import type { CappStatus } from '../../../crds/capp/status.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Cache } from '../../../kube/watch/cache.ts';
import { stretches, type Inventory, type InventoryEntry } from '../../../workflows/types/ring.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { byNames, ownWork } from '../../support/builders/works.ts';

const SEEN: CappStatus = { applicationLinks: { site: 'site-1' }, migration: { statusHash: 'known' } };

function published(name: string, status: CappStatus = SEEN, metadata: Partial<Capp['metadata']> = {}): Capp {
  const capp = aCapp({ name, uid: `uid-${name}` });
  return { ...capp, metadata: { ...capp.metadata, ...metadata }, status };
}

function entry(name: string, given: Partial<InventoryEntry> = {}): InventoryEntry {
  return {
    namespace: 'apps',
    name,
    uid: `uid-${name}`,
    stamp: `uid-${name}/1/hash/one`,
    statusHash: 'known',
    ...given,
  };
}

const inventory = (entries: readonly InventoryEntry[], bounds: Partial<Inventory> = {}): Inventory => ({
  entries,
  after: null,
  upTo: null,
  ...bounds,
});

const NO_WORKS = byNames([]) as unknown as Cache<KubeObject>;

async function rungFor(capps: readonly Capp[], heard: Inventory, cluster = 'site-1'): Promise<string[]> {
  const cache = {
    get: ({ name }: { name: string }) => capps.find(({ metadata }) => metadata.name === name),
    by: (_index: string, site: string) =>
      capps.filter(({ status }) => status?.applicationLinks?.site === site),
  };
  const { differing } = await hubCompare({ capps: cache as unknown as Cache<Capp>, works: NO_WORKS }).compare(
    cluster,
    heard,
  );
  return differing.map(({ name }) => name);
}

test('a Capp that the hub has seen on a site and that is missing from the inventory is looked at', async () => {
  expect(await rungFor([published('a'), published('b')], inventory([entry('a')]))).toEqual(['b']);
});

test('an empty inventory makes the hub look at every Capp that it has seen on that site', async () => {
  expect(await rungFor([published('a'), published('b')], inventory([]))).toEqual(['a', 'b']);
});

test.each(['AgentSilent', 'Missing'])(
  'a Capp whose status says %s is looked at when the inventory contains it, even with the same status hash',
  async (reason) => {
    const available = {
      type: 'Available',
      status: 'False',
      reason,
      message: 'gone',
      lastTransitionTime: '',
      observedGeneration: 1,
    } as const;
    expect(
      await rungFor([published('a', { ...SEEN, conditions: [available] })], inventory([entry('a')])),
    ).toEqual(['a']);
  },
);

test('a Capp of the same name with another uid does not count as the Capp that was seen', async () => {
  expect(await rungFor([published('a')], inventory([entry('a', { uid: 'former' })]))).toEqual(['a']);
});

test('a Capp without a stamp, shipped by the Go operator, is recognised by its name', async () => {
  const left = { uid: '', stamp: '' };
  expect(await rungFor([published('a')], inventory([entry('a', left)]))).toEqual([]);
  expect(await rungFor([published('a')], inventory([entry('a', { ...left, statusHash: 'new' })]))).toEqual([
    'a',
  ]);
  expect(
    await rungFor([published('a')], inventory([entry('a', { ...left, statusHash: 'new' })]), 'site-2'),
  ).toEqual([]);
});

test.each<[string, Capp]>([
  ['another site serves it', published('a', { ...SEEN, applicationLinks: { site: 'site-2' } })],
  [
    'it was never seen there, because its rollout is still in progress',
    published('a', { applicationLinks: { site: 'site-1' } }),
  ],
  ['it is being deleted', published('a', SEEN, { deletionTimestamp: '2026-03-01T12:00:00Z' })],
])('a Capp that is missing from the inventory is not looked at when %s', async (_name, capp) => {
  expect(await rungFor([capp], inventory([]))).toEqual([]);
});

test('Capps outside the bounds of a part of the inventory do not count as missing', async () => {
  const capps = ['a', 'b', 'c', 'd'].map((name) => published(name));
  expect(await rungFor(capps, inventory([], { after: 'apps/a', upTo: 'apps/c' }))).toEqual(['b', 'c']);
});

test('a Capp whose status hash is as published is not looked at', async () => {
  expect(await rungFor([published('a')], inventory([entry('a')]))).toEqual([]);
});

test('an inventory of 5,000 Capps in parts of 500 finds exactly the one that is missing', async () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `app-${index}`);
  const capps = names.map((name) => published(name));
  const byName = new Map(capps.map((capp) => [capp.metadata.name, capp]));
  const cache = {
    get: ({ name }: { name: string }) => byName.get(name),
    by: () => capps,
  } as unknown as Cache<Capp>;
  const parts = stretches(
    inventory(names.filter((name) => name !== 'app-1234').map((name) => entry(name))),
    500,
  );
  expect(parts).toHaveLength(10);
  const found = await Promise.all(
    parts.map((part) => hubCompare({ capps: cache, works: NO_WORKS }).compare('site-1', part)),
  );
  expect(found.flatMap(({ differing }) => differing)).toEqual([{ namespace: 'apps', name: 'app-1234' }]);
});

describe('the parts of an inventory', () => {
  const bounds = (
    entries: readonly InventoryEntry[],
    most: number,
    within: Partial<Inventory> = {},
  ): unknown[] =>
    stretches(inventory(entries, within), most).map(({ entries: some, after, upTo }) => [
      after,
      some.map(({ name }) => name).join(),
      upTo,
    ]);

  it('follow each other without a gap, and the first and the last have no outer bound', () => {
    expect(bounds([entry('c'), entry('a'), entry('b')], 2)).toEqual([
      [null, 'a,b', 'apps/b'],
      ['apps/b', 'c', null],
    ]);
    expect(bounds([entry('a'), entry('b')], 2)).toEqual([[null, 'a,b', null]]);
  });

  it('are one empty part when the inventory is empty', () => {
    expect(bounds([], 2, { after: 'apps/m' })).toEqual([['apps/m', '', null]]);
  });

  it('stay within the bounds of the inventory', () => {
    expect(bounds([entry('n'), entry('o'), entry('p')], 2, { after: 'apps/m', upTo: 'apps/z' })).toEqual([
      ['apps/m', 'n,o', 'apps/o'],
      ['apps/o', 'p', 'apps/z'],
    ]);
  });
});

describe('a copy in the inventory for which there is no work', () => {
  const LIVING = published('a', { ...SEEN, applicationLinks: { site: 'site-2' } });

  async function strays(
    entries: readonly InventoryEntry[],
    works: readonly KubeObject[] = [],
    capp = LIVING,
  ): Promise<string[]> {
    const capps = { ...byNames([capp]), by: () => [] } as unknown as Cache<Capp>;
    const compared = await hubCompare({
      capps,
      works: byNames(works) as unknown as Cache<KubeObject>,
    }).compare('site-1', inventory(entries));
    return (compared.strays ?? []).map(({ name }) => name);
  }

  test('is reported as a stray', async () => {
    expect(await strays([entry('a')])).toEqual(['a']);
    expect(await strays([entry('a')], [ownWork({ name: 'a' }, { namespace: 'site-2' })])).toEqual(['a']);
  });

  test.each<[string, InventoryEntry, readonly KubeObject[], Capp]>([
    [
      'it has a work on that site, even one that is being deleted',
      entry('a'),
      [ownWork({ name: 'a' }, { namespace: 'site-1', deletionTimestamp: 'now' })],
      LIVING,
    ],
    ['the Capp serves from that site, so that its work is made again', entry('a'), [], published('a')],
    [
      'its uid is not that of the hub’s Capp, so that it may belong to another hub',
      entry('a', { uid: 'another' }),
      [],
      LIVING,
    ],
    ['the hub has no such Capp, so that it may belong to another hub', entry('b'), [], LIVING],
    ['the Go operator has shipped it', entry('a', { uid: '', stamp: '' }), [], LIVING],
  ])('is not reported as a stray when %s', async (_why, said, works, capp) => {
    expect(await strays([said], works, capp)).toEqual([]);
  });
});

test.each([
  ['that the hub has elsewhere', published('a', { applicationLinks: { site: 'site-2' } })],
  ['of which nothing is known yet', published('a', {})],
  ['of another uid', published('a', SEEN, { uid: 'another' })],
])('an entry about a Capp %s rings nobody', async (_what, capp) => {
  expect(await rungFor([capp], inventory([entry('a', { statusHash: 'lie' })], { upTo: '' }))).toEqual([]);
});
