// An audit against what the hub has published: what looks different is looked at, and what is not there any
// more as well.
import { hubCompare } from '../../../activities/hub/site/compare.ts';
import type { CappStatus } from '../../../crds/capp/status.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Cache } from '../../../kube/watch/cache.ts';
import { stretches, type Audit, type AuditEntry } from '../../../workflows/types/ring.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { byNames, ownWork } from '../../support/builders/works.ts';

const SEEN: CappStatus = { applicationLinks: { site: 'site-1' }, migration: { statusHash: 'known' } };

function published(name: string, status: CappStatus = SEEN, metadata: Partial<Capp['metadata']> = {}): Capp {
  const capp = aCapp({ name, uid: `uid-${name}` });
  return { ...capp, metadata: { ...capp.metadata, ...metadata }, status };
}

function entry(name: string, given: Partial<AuditEntry> = {}): AuditEntry {
  return {
    namespace: 'apps',
    name,
    uid: `uid-${name}`,
    stamp: `uid-${name}/1/hash/one`,
    statusHash: 'known',
    ...given,
  };
}

const audit = (entries: readonly AuditEntry[], bounds: Partial<Audit> = {}): Audit => ({
  entries,
  after: null,
  upTo: null,
  ...bounds,
});

const NO_WORKS = byNames([]) as unknown as Cache<KubeObject>;

async function rungFor(capps: readonly Capp[], heard: Audit, cluster = 'site-1'): Promise<string[]> {
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

test('a Capp that the hub has seen on a site and that the site has no more is looked at', async () => {
  expect(await rungFor([published('a'), published('b')], audit([entry('a')]))).toEqual(['b']);
});

test('a site that has nothing left says so, and every Capp that the hub has seen there is looked at', async () => {
  expect(await rungFor([published('a'), published('b')], audit([]))).toEqual(['a', 'b']);
});

test.each(['AgentSilent', 'Missing'])(
  'a Capp that is said to be %s is looked at when its site has it, although it looks as it did before',
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
      await rungFor([published('a', { ...SEEN, conditions: [available] })], audit([entry('a')])),
    ).toEqual(['a']);
  },
);

test('a namesake from another object of the hub is not the Capp that was seen', async () => {
  expect(await rungFor([published('a')], audit([entry('a', { uid: 'former' })]))).toEqual(['a']);
});

test('a Capp that bears no stamp, since another operator has shipped it, is known by its name', async () => {
  const left = { uid: '', stamp: '' };
  expect(await rungFor([published('a')], audit([entry('a', left)]))).toEqual([]);
  expect(await rungFor([published('a')], audit([entry('a', { ...left, statusHash: 'new' })]))).toEqual(['a']);
  expect(
    await rungFor([published('a')], audit([entry('a', { ...left, statusHash: 'new' })]), 'site-2'),
  ).toEqual([]);
});

test.each<[string, Capp]>([
  ['another site serves it', published('a', { ...SEEN, applicationLinks: { site: 'site-2' } })],
  [
    'it was never seen there, so that its rollout still waits for it',
    published('a', { applicationLinks: { site: 'site-1' } }),
  ],
  ['it is being deleted', published('a', SEEN, { deletionTimestamp: '2026-03-01T12:00:00Z' })],
])('a Capp that a site does not have is left alone when %s', async (_name, capp) => {
  expect(await rungFor([capp], audit([]))).toEqual([]);
});

test('what lies outside of a stretch is not missed', async () => {
  const capps = ['a', 'b', 'c', 'd'].map((name) => published(name));
  expect(await rungFor(capps, audit([], { after: 'apps/a', upTo: 'apps/c' }))).toEqual(['b', 'c']);
});

test('what looks as it was published costs nothing', async () => {
  expect(await rungFor([published('a')], audit([entry('a')]))).toEqual([]);
});

test('an audit of 5,000 Capps in stretches misses exactly the one that is not there', async () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `app-${index}`);
  const capps = names.map((name) => published(name));
  const byName = new Map(capps.map((capp) => [capp.metadata.name, capp]));
  const cache = {
    get: ({ name }: { name: string }) => byName.get(name),
    by: () => capps,
  } as unknown as Cache<Capp>;
  const parts = stretches(audit(names.filter((name) => name !== 'app-1234').map((name) => entry(name))), 500);
  expect(parts).toHaveLength(10);
  const found = await Promise.all(
    parts.map((part) => hubCompare({ capps: cache, works: NO_WORKS }).compare('site-1', part)),
  );
  expect(found.flatMap(({ differing }) => differing)).toEqual([{ namespace: 'apps', name: 'app-1234' }]);
});

describe('the stretches of an audit', () => {
  const bounds = (entries: readonly AuditEntry[], most: number, within: Partial<Audit> = {}): unknown[] =>
    stretches(audit(entries, within), most).map(({ entries: some, after, upTo }) => [
      after,
      some.map(({ name }) => name).join(),
      upTo,
    ]);

  it('follow on each other without a gap, and have no bound outside', () => {
    expect(bounds([entry('c'), entry('a'), entry('b')], 2)).toEqual([
      [null, 'a,b', 'apps/b'],
      ['apps/b', 'c', null],
    ]);
    expect(bounds([entry('a'), entry('b')], 2)).toEqual([[null, 'a,b', null]]);
  });

  it('of nothing are one, which says that there is nothing', () => {
    expect(bounds([], 2, { after: 'apps/m' })).toEqual([['apps/m', '', null]]);
  });

  it('of a stretch stay within it', () => {
    expect(bounds([entry('n'), entry('o'), entry('p')], 2, { after: 'apps/m', upTo: 'apps/z' })).toEqual([
      ['apps/m', 'n,o', 'apps/o'],
      ['apps/o', 'p', 'apps/z'],
    ]);
  });
});

describe('a copy that a site has and no work explains', () => {
  const LIVING = published('a', { ...SEEN, applicationLinks: { site: 'site-2' } });

  async function strays(
    entries: readonly AuditEntry[],
    works: readonly KubeObject[] = [],
    capp = LIVING,
  ): Promise<string[]> {
    const capps = { ...byNames([capp]), by: () => [] } as unknown as Cache<Capp>;
    const compared = await hubCompare({
      capps,
      works: byNames(works) as unknown as Cache<KubeObject>,
    }).compare('site-1', audit(entries));
    return (compared.strays ?? []).map(({ name }) => name);
  }

  test('is told of', async () => {
    expect(await strays([entry('a')])).toEqual(['a']);
    expect(await strays([entry('a')], [ownWork({ name: 'a' }, { namespace: 'site-2' })])).toEqual(['a']);
  });

  test.each<[string, AuditEntry, readonly KubeObject[], Capp]>([
    [
      'it has a work there, be it one that is going',
      entry('a'),
      [ownWork({ name: 'a' }, { namespace: 'site-1', deletionTimestamp: 'now' })],
      LIVING,
    ],
    ['the Capp is there: its work is shipped again', entry('a'), [], published('a')],
    ['its uid is not that of our Capp: it may be another hub’s', entry('a', { uid: 'another' }), [], LIVING],
    ['the hub knows no such Capp: it may be another hub’s', entry('b'), [], LIVING],
    ['another operator has shipped it', entry('a', { uid: '', stamp: '' }), [], LIVING],
  ])('is left alone when %s', async (_why, said, works, capp) => {
    expect(await strays([said], works, capp)).toEqual([]);
  });
});
