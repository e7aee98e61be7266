// What the page is told of a rollout: lanes, chips, gates, and what holds them.
import { rolloutLines, rolloutModel } from '../../../../cli/dashboard/view/rollout/rollouts.ts';
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import { aCondition, at, facts } from '../../../support/builders/facts.ts';
import { aSet, capps, counts, model, NEW, OLD } from '../../../support/builders/shown-sets.ts';

test('each site is in the lane of its stage, by the rule of the planner, and says how it stands', () => {
  const { lanes, loose } = model(aSet('AwaitsApproval'));
  expect(
    lanes.map(({ name, chips }) => [name, chips.map(({ site, tone, says }) => [site, tone, says])]),
  ).toEqual([
    ['canary', [['a', 'good', 'ready']]],
    [
      'rest',
      [
        ['b', 'busy', 'waits at bbbbbbbbbb'],
        ['c', 'unknown', 'offline'],
      ],
    ],
  ]);
  expect(loose).toEqual([]);
});

test('where labels may not be read, or a site is not known, no stage is guessed', () => {
  const hidden = model(aSet('AwaitsApproval'), { hidesSites: true, clusters: [] });
  expect(hidden.loose).toHaveLength(3);
  expect(hidden.looseBecause).toContain('ManagedClusters, which you may not read');
  const unknown = model(aSet('AwaitsApproval', { sites: 4 }));
  expect([unknown.loose.length, unknown.lanes.flatMap(({ chips }) => chips)]).toEqual([3, []]);
});

test('a gate says what opens it, and who opened it for this revision', () => {
  const gates = (status: object) => model(aSet('AwaitsApproval', status)).lanes.map(({ gate }) => gate);
  expect(gates({})).toEqual([
    { approval: null, approvedBy: null, soakSeconds: 600 },
    { approval: 'awaited', approvedBy: null, soakSeconds: 60 },
  ]);
  expect(gates({ asked: [{ what: 'approve', request: `rest#${NEW}`, by: 'dana' }] })[1]).toMatchObject({
    approval: 'given',
    approvedBy: 'dana',
  });
  // Nor does one of an earlier rollout of this revision, which has come back since.
  const earlier = { what: 'approve', request: `rest#${NEW}`, by: 'dana', at: '2026-03-01T11:00:00Z' };
  const rollout = { revision: NEW, settled: OLD, begunAt: Date.parse('2026-03-01T12:00:00Z') };
  expect(gates({ rollout, asked: [earlier] })[1]).toMatchObject({ approval: 'awaited', approvedBy: null });
  const now = { ...earlier, at: '2026-03-01T12:00:00Z' };
  expect(gates({ rollout, asked: [earlier, now] })[1]).toMatchObject({ approval: 'given' });
  // An approval of another revision counts for nothing.
  expect(gates({ asked: [{ what: 'approve', request: `rest#${OLD}`, by: 'dana' }] })[1]).toMatchObject({
    approval: 'awaited',
  });
});

describe('a lane says what holds it, until when, and how its sites are with it:', () => {
  const open = {
    stages: [
      { ...counts, name: 'canary', sites: 1, ready: 1, state: 'Open' },
      { ...counts, name: 'rest', sites: 2, state: 'Waiting' },
    ],
  };
  const held = (reason: string, message: string, more = {}) =>
    model(
      aSet(reason, {
        ...open,
        conditions: [aCondition('Progressing', 'False', reason, message)],
        ...more,
      }),
    ).lanes;

  it('a soak, with the sites that soak', () => {
    const [canary, rest] = held('Soaking', `They must stay so until ${at(60_000)}. Lower it.`);
    expect(canary).toMatchObject({
      hold: { is: 'Soaking', until: at(60_000) },
      chips: [{ site: 'a', tone: 'held', says: 'soaking' }],
    });
    expect(rest?.hold).toBeNull();
  });

  it('a window that is shut, before the stage that comes next', () => {
    const [canary, rest] = held('OutsideWindow', `No window is open. It goes on at ${at(5_000)}. Change it.`);
    expect([canary?.hold, rest?.hold]).toEqual([null, { is: 'OutsideWindow', until: at(5_000) }]);
  });

  it('checks, with when a verdict is overdue', () => {
    const [canary] = held('Verifying', `A verdict that has not come by ${at(9_000)} is none.`);
    expect(canary?.hold).toEqual({ is: 'Verifying', until: at(9_000) });
  });

  it('a site that somebody edited is overridden, and has not failed', () => {
    const failing = [{ site: 'b', capp: 'shop-b', reason: 'Overridden', message: 'edited' }];
    const [, rest] = held('SitesUnderWay', 'On its way', { failing });
    expect(rest?.chips[0]).toMatchObject({ site: 'b', tone: 'held', says: 'overridden' });
  });

  it('figures of the checks of each site', () => {
    const [first, ...others] = capps;
    const says = 'smoke: 9 of 10 answers are as asked, and 9 are enough';
    const conditions = [
      ...(first?.status?.conditions ?? []),
      aCondition('Verified', 'True', 'ChecksPassed', says),
    ];
    const checked = { ...first, status: { ...first?.status, conditions } } as (typeof capps)[number];
    const { lanes } = model(aSet('AwaitsApproval'), { capps: [checked, ...others] });
    expect(lanes.map(({ chips }) => chips.map(({ checks }) => checks))).toEqual([[says], ['', '']]);
  });
});

test('a Bundle names the sites that differ from most of the others', () => {
  const bundle = {
    metadata: { name: 'base', namespace: 'apps', uid: 'u', generation: 1 },
    spec: { sites: { clusters: ['a', 'b', 'c'] }, strategy: {} },
    status: {
      sites: 3,
      revision: NEW,
      readyOfSites: '1/3',
      stages: [{ ...counts, name: 'all', sites: 3, ready: 1, state: 'Open' }],
      rollout: { revision: NEW },
      revisions: [
        { revision: NEW, number: 2 },
        { revision: '', number: 1, sites: ['b'] },
      ],
      failing: [
        { cluster: 'c', kind: '', name: '', condition: '', reason: 'SiteUnreachable', message: 'lost' },
      ],
      conditions: [aCondition('Progressing', 'True', 'SitesUnderWay', 'On its way')],
    },
  } as unknown as Bundle;
  const { lanes } = rolloutModel({ is: 'Bundle', object: bundle }, facts());
  expect(lanes[0]?.chips.map(({ site, says }) => [site, says])).toEqual([
    ['a', 'has the revision'],
    ['b', 'waits'],
    ['c', 'offline'],
  ]);
  expect(rolloutLines(facts({ bundles: [bundle] }))).toEqual({
    'rollout/Bundle/apps/base': expect.objectContaining({ ready: '1/3', tone: 'busy' }),
  });
});
