// What the hub writes into a Capp's status, and when it writes nothing.
import { hubPart } from '../../../../activities/hub/status/status.ts';
import type { DecisionRecord } from '../../../../crds/capp/decision.ts';
import type { CappStatus } from '../../../../crds/capp/status.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { aCopy, aMove, aPlacedState, NOW } from '../../../support/builders/states.ts';

const state = aPlacedState();
const saying = { state, verdicts: conditionsOf(state, NOW), record: null, at: NOW };
const aside = {
  type: 'RouteReady',
  status: 'True',
  reason: 'Mapped',
  message: 'm',
  lastTransitionTime: '2026-03-01T12:00:00Z',
} as const;

test('a status that is unchanged is not written again, even beside a condition that comes from the site', () => {
  const status = hubPart(aCapp(), saying) ?? {};
  const { conditions = [] } = status;
  expect(conditions.length).toBeGreaterThan(0);
  expect(hubPart({ ...aCapp(), status }, saying)).toBeNull();
  expect(
    hubPart({ ...aCapp(), status: { ...status, conditions: [...conditions, aside] } }, saying),
  ).toBeNull();
});

test('a condition that differs from what the hub decides is overwritten', () => {
  const status = hubPart(aCapp(), saying) ?? {};
  const [first, ...rest] = status.conditions ?? [];
  if (first === undefined) throw new Error('the hub says nothing');
  const stale = { ...first, message: 'another' };
  expect(hubPart({ ...aCapp(), status: { ...status, conditions: [stale, ...rest] } }, saying)).toEqual(
    status,
  );
});

describe('status.decisions', () => {
  const decided = (minute: number, cluster: string | null): DecisionRecord => ({
    at: new Date(NOW + minute * 60_000).toISOString(),
    cluster,
    reason: cluster === null ? 'NoCandidate' : 'Chosen',
    placement: 'all',
    candidates: cluster === null ? [] : [{ cluster, score: 40 + minute, capps: minute }],
    excluded: [{ reason: 'Avoided', count: 1, examples: ['site-9'] }],
  });
  const after = (status: CappStatus, record: DecisionRecord): CappStatus =>
    hubPart({ ...aCapp(), status }, { ...saying, record }) ?? status;

  test('holds the last ten decision records, newest first, each with candidates, scores and excluded sites', () => {
    const records = Array.from({ length: 12 }, (_, minute) => decided(minute, `site-${minute % 3}`));
    const { decisions = [] } = records.reduce<CappStatus>(after, {});
    expect(decisions).toEqual(records.toReversed().slice(0, 10));
    expect(decisions[0]?.candidates).toEqual([{ cluster: 'site-2', score: 51, capps: 11 }]);
  });

  test('holds a decision once, however often it is repeated', () => {
    const once = after({}, decided(0, null));
    expect(after(once, decided(5, null)).decisions).toEqual([decided(0, null)]);
    expect(after(once, decided(6, 'site-1')).decisions).toEqual([decided(6, 'site-1'), decided(0, null)]);
  });
});

describe('status.sites', () => {
  const two = { 'site-1': aCopy(), 'site-2': aCopy() };
  const sitesOf = (plain: Partial<typeof state>): CappStatus['sites'] => {
    const moved = { ...state, ...plain };
    return hubPart(aCapp(), { ...saying, state: moved, verdicts: conditionsOf(moved, NOW) })?.sites;
  };

  test.each<[string, Partial<typeof state>, CappStatus['sites']]>([
    ['is empty, and not absent, before a site is chosen', { serving: null, copies: {} }, []],
    ['has the serving site', {}, [{ clusterName: 'site-1', role: 'Serving' }]],
    [
      'has the new site of a move before users are sent there',
      { move: aMove() },
      [
        { clusterName: 'site-1', role: 'Serving' },
        { clusterName: 'site-2', role: 'Coming' },
      ],
    ],
    [
      'keeps the old site of a move as long as its copy',
      { move: aMove(), serving: 'site-2', copies: two },
      [
        { clusterName: 'site-2', role: 'Serving' },
        { clusterName: 'site-1', role: 'Leaving' },
      ],
    ],
    [
      'has only the new site once the old copy is removed',
      { move: aMove(), serving: 'site-2', copies: { 'site-2': aCopy() } },
      [{ clusterName: 'site-2', role: 'Serving' }],
    ],
  ])('%s', (_title, plain, sites) => {
    expect(sitesOf(plain)).toEqual(sites);
  });

  test('is written when it differs, and not because the API server keeps it in another order', () => {
    const moving = { ...saying, state: { ...state, move: aMove(), serving: 'site-2', copies: two } };
    const status = hubPart(aCapp(), moving) ?? {};
    const { sites = [] } = status;
    expect(hubPart({ ...aCapp(), status: { ...status, sites: sites.toReversed() } }, moving)).toBeNull();
    expect(hubPart({ ...aCapp(), status: { ...status, sites: sites.slice(1) } }, moving)?.sites).toEqual(
      sites,
    );
  });
});
