// What the time line has of sites, Capps and drains, and what of it is sent when something happens.
import { differ } from '../../../../cli/dashboard/feed/differences.ts';
import { timeLine, type TimeLineChoices } from '../../../../cli/dashboard/view/past/time-line.ts';
import type { Moment } from '../../../../cli/dashboard/view/past/moment.ts';
import type { Drain } from '../../../../crds/drain/drain.ts';
import type { ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import { at, facts, ready } from '../../../support/builders/facts.ts';

const ALL = { site: '', namespace: '' };
type Some = Parameters<typeof facts>[0];
function linesOf(some: Some, filter = ALL): Moment[] {
  const { choices: _choices, ...lines } = timeLine(facts(some), filter);
  return Object.values(lines as Record<string, Moment>);
}
const drain = (site: string, startedAt: string) =>
  ({ metadata: { name: site }, spec: {}, status: { startedAt, requestedBy: 'dana' } }) as unknown as Drain;
const site = (name: string, available: string, taints: object[] = []) =>
  ({
    metadata: { name },
    spec: { taints },
    status: {
      conditions: [
        { type: 'ManagedClusterConditionAvailable', status: available, lastTransitionTime: at(-7) },
      ],
    },
  }) as unknown as ManagedCluster;
const moved = (reason: string) =>
  ready('shop', 'b', {
    migration: { lastMove: { from: 'a', to: 'b', endedAt: at(-5), result: 'Moved', reason } },
  });

test('it has the newest first, of all sites, Capps and drains', () => {
  const clusters = [
    site('a', 'True', [{ key: 'disk', value: 'full', effect: 'NoSelect', timeAdded: at(-8) }]),
    site('b', 'Unknown'),
  ];
  const lines = linesOf({ clusters, capps: [moved('Asked')], drains: [drain('a', at(-9))] });
  expect(lines.map(({ what, name }) => [what, name])).toEqual([
    ['move', 'apps/shop'],
    ['reached', 'a'],
    ['lost', 'b'],
    ['taint', 'a'],
    ['drain', 'a'],
  ]);
});

test('it keeps the newest 300, whoever they are of', () => {
  const decision = (ms: number) => ({ at: at(ms), reason: 'Chosen', candidates: [], excluded: [] });
  // Of every other Capp the older decision is older than all that is kept.
  const capps = Array.from({ length: 400 }, (_, one) =>
    ready(`app-${one}`, 'a', { decisions: [decision(-one), decision(-one - 10_000)] }),
  );
  const lines = linesOf({ capps: capps.toReversed() });
  expect(lines).toHaveLength(300);
  expect(lines.map(({ at: when }) => when)).toEqual(Array.from({ length: 300 }, (_, one) => at(-one)));
  const odd = ready('odd', 'a', { decisions: [{ ...decision(0), at: 'yesterday' }] });
  expect(linesOf({ capps: [odd] })).toEqual([]);
});

test('one thing that happens is one entry that is sent, and not all 300', () => {
  const decision = { at: at(-1), reason: 'Chosen', candidates: [], excluded: [] };
  const capps = Array.from({ length: 300 }, (_, one) => ready(`app-${one}`, 'a', { decisions: [decision] }));
  const difference = differ();
  difference(timeLine(facts({ capps }), ALL));
  const more = [...capps, ready('new', 'a', { decisions: [{ ...decision, at: at(0) }] })];
  const sent = difference(timeLine(facts({ capps: more }), ALL));
  expect([Object.keys(sent?.set ?? {}).length, sent?.drop.length]).toEqual([1, 1]);
});

test('things of one time and one name are as many entries', () => {
  const decision = { at: at(-1), reason: 'Chosen', candidates: [], excluded: [] };
  expect(linesOf({ capps: [ready('shop', 'a', { decisions: [decision, decision] })] })).toHaveLength(2);
});

test('it can be had of one site or one namespace, and says which there are', () => {
  const clusters = [site('a', 'True'), site('c', 'True')];
  const some = { clusters, capps: [moved('Asked')] };
  const names = (filter: object) => linesOf(some, { ...ALL, ...filter }).map(({ name }) => name);
  expect(names({ site: 'a' })).toEqual(['apps/shop', 'a']);
  expect(names({ site: 'c' })).toEqual(['c']);
  expect(names({ namespace: 'apps' })).toEqual(['apps/shop']);
  expect(timeLine(facts(some), ALL)['choices'] as TimeLineChoices).toEqual({
    sites: ['a', 'c'],
    namespaces: ['apps'],
  });
});

test('a move says what it followed from, where its record and its site have it', () => {
  const tainted = { key: 'disk', value: 'full', effect: 'NoSelect', timeAdded: at(-60) };
  const causeIn = (capp: ReturnType<typeof moved>, clusters: ManagedCluster[]) =>
    linesOf({ capps: [capp], clusters }).find(({ what }) => what === 'move')?.cause;
  expect(causeIn(moved('Tainted'), [site('a', 'True', [tainted])])).toBe('a: Tainted disk=full');
  expect(causeIn(moved('SiteLost'), [site('a', 'Unknown')])).toBe('a: The hub does not reach it since then');
  // Not what came later, nor what the record does not say, nor of another site.
  expect(causeIn(moved('Tainted'), [site('a', 'True', [{ ...tainted, timeAdded: at(0) }])])).toBe('');
  expect(causeIn(moved('Asked'), [site('a', 'True', [tainted])])).toBe('');
  expect(causeIn(moved('Tainted'), [site('b', 'True', [tainted])])).toBe('');
});
