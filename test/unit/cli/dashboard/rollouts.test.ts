// What the page is told of a rollout: lanes, chips, gates, and what a person may ask.
import { rolloutLines, rolloutModel } from '../../../../cli/dashboard/view/rollout/rollouts.ts';
import { changesSince, seenOfRollout } from '../../../../cli/dashboard/view/seen.ts';
import { waitingFor } from '../../../../cli/dashboard/view/waiting.ts';
import type { Bundle } from '../../../../crds/bundle/bundle.ts';
import { SET_REVISION } from '../../../../crds/labels.ts';
import type { ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import type { CappSet } from '../../../../crds/set/cappset.ts';
import { aCondition, at, facts, ready } from '../../../support/builders/facts.ts';

const NEW = 'a'.repeat(32);
const OLD = 'b'.repeat(32);
const counts = { ready: 0, underWay: 0, failed: 0, offline: 0 };

const STRATEGY = {
  soakSeconds: 60,
  stages: [
    { name: 'canary', sites: { matchLabels: { tier: 'canary' } }, soakSeconds: 600 },
    { name: 'rest', approval: 'Required' },
  ],
};

function aSet(reason: string, status: object = {}, strategy: object = STRATEGY): CappSet {
  return {
    apiVersion: 'rcs.dana.io/v1alpha1',
    kind: 'CappSet',
    metadata: { name: 'shop', namespace: 'apps', uid: 'set-1', generation: 1 },
    spec: {
      sites: { clusters: ['a', 'b', 'c'] },
      strategy,
    },
    status: {
      observedGeneration: 1,
      sites: 3,
      readySites: '1/3',
      revision: NEW,
      stages: [
        { ...counts, name: 'canary', sites: 1, ready: 1, state: 'Passed' },
        { ...counts, name: 'rest', sites: 2, state: 'Waiting' },
      ],
      rollout: { revision: NEW, settled: OLD },
      conditions: [aCondition('Progressing', 'False', reason, 'Stage rest waits')],
      ...status,
    },
  } as unknown as CappSet;
}

function child(site: string, revision: string) {
  const capp = ready(`shop-${site}`, site);
  const ownerReferences = [
    { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'CappSet', name: 'shop', uid: 'set-1', controller: true },
  ];
  const annotations = { [SET_REVISION]: `${revision}/hash/${at(0)}` };
  return {
    ...capp,
    metadata: { ...capp.metadata, ownerReferences, annotations },
    spec: { ...capp.spec, site },
  };
}

const cluster = (name: string, tier: string, available = 'True') =>
  ({
    metadata: { name, labels: { tier } },
    status: { conditions: [{ type: 'ManagedClusterConditionAvailable', status: available }] },
  }) as unknown as ManagedCluster;

const clusters = [cluster('a', 'canary'), cluster('b', 'prod'), cluster('c', 'prod', 'Unknown')];
const capps = [child('a', NEW), child('b', OLD), child('c', OLD)];
const model = (set: CappSet, some = {}) =>
  rolloutModel({ is: 'CappSet', object: set }, facts({ capps, clusters, ...some }));

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

test.each([
  ['AwaitsApproval', {}, ['approve', 'pause-rollout', 'abort', 'undo']],
  [
    'SitesFailed',
    { stages: [{ ...counts, name: 'rest', sites: 3, failed: 1, state: 'Open' }] },
    ['retry', 'pause-rollout', 'abort', 'undo'],
  ],
  ['Paused', {}, ['resume-rollout', 'abort', 'undo']],
  ['Aborted', {}, ['pause-rollout', 'undo']],
  ['Done', {}, ['pause-rollout', 'undo']],
])('while it is %s, a person may %j', (reason, status, acts) => {
  expect(model(aSet(reason, status)).acts.map(({ act }) => act)).toEqual(acts);
});

test('nobody is offered what they may not do, nor anything before the hub has looked', () => {
  expect(model(aSet('AwaitsApproval'), { may: () => false }).acts).toEqual([]);
  const patcher = model(aSet('AwaitsApproval'), { may: (verb: string) => verb === 'patch' });
  expect(patcher.acts.map(({ act }) => act)).toEqual(['approve', 'pause-rollout', 'abort']);
  expect(model({ ...aSet('AwaitsApproval'), status: {} }).acts).toEqual([]);
});

test('a sheet of an approval is void once the revision, the reason or the stage is another, and says which', () => {
  const seen = (set: CappSet) => seenOfRollout({ is: 'CappSet', object: set });
  const before = seen(aSet('AwaitsApproval'));
  const since = (set: CappSet) => changesSince(before, seen(set));
  expect(since(aSet('AwaitsApproval'))).toEqual([]);
  expect(since(aSet('Paused'))).toEqual(['it stands at Paused, and stood at AwaitsApproval then']);
  expect(since(aSet('AwaitsApproval', { rollout: { revision: OLD } }))).toEqual([
    'its revision is bbbbbbbbbb, and was aaaaaaaaaa then',
  ]);
  // Somebody else has approved the stage, and the next one waits by now: nobody looked at that.
  const stages = [...STRATEGY.stages, { name: 'last', approval: 'Required' }];
  const next = { stages: [{ ...counts, name: 'last', sites: 2, state: 'Waiting' }] };
  expect(since(aSet('AwaitsApproval', next, { ...STRATEGY, stages }))).toEqual([
    'stage last waits for approval, and stage rest waits then',
  ]);
});

describe('where checks came to no verdict, the page decides as the command does:', () => {
  const verify = [{ name: 'smoke' }];
  const stages = [
    { name: 'canary', sites: { matchLabels: { tier: 'canary' } }, verify },
    { name: 'rest', approval: 'Required' },
  ];
  const status = {
    stages: [
      { ...counts, name: 'canary', sites: 1, ready: 1, state: 'Open' },
      { ...counts, name: 'rest', sites: 2, state: 'Waiting' },
    ],
  };
  const set = aSet('VerificationInconclusive', status, { soakSeconds: 0, stages });

  it('the stage that is open may be approved, and its checks made once more', () => {
    const { acts } = model(set);
    expect(acts.map(({ act }) => act)).toEqual(['approve', 'retry', 'pause-rollout', 'abort', 'undo']);
    expect(acts[0]).toMatchObject({
      says: expect.stringContaining('The stage canary passes for revision aaaaaaaaaa'),
      choice: { options: ['canary'] },
    });
    expect(acts[1]).toMatchObject({
      says: expect.stringContaining('checks are made once more'),
      choice: { none: 'all sites' },
    });
  });

  it('that waits for who may decide it', () => {
    const lines = waitingFor(facts({ sets: [set] }));
    expect(lines.map(({ what }) => what)).toEqual(['has checks without a verdict']);
    expect(waitingFor(facts({ sets: [set], may: () => false }))).toEqual([]);
  });
});

test('the planner is offered to who may write, since a plan is a write that is not stored', () => {
  const set = aSet('AwaitsApproval');
  const plans = (may: (verb: string) => boolean) => {
    const { mayPlan, acts } = model(set, { may });
    return [mayPlan, acts.find(({ act }) => act === 'approve')?.plan];
  };
  expect(plans(() => true)).toEqual([true, 'rollout']);
  expect(plans((verb) => verb === 'patch')).toEqual([false, null]);
});

test('an approval waits for who may give it, and a rollout that goes on for nobody', () => {
  const sets = [aSet('AwaitsApproval')];
  expect(waitingFor(facts({ sets }))).toEqual([
    {
      href: '/rollouts/CappSet/apps/shop',
      name: 'apps/shop',
      what: 'awaits approval',
      says: 'Stage rest waits',
    },
  ]);
  expect(waitingFor(facts({ sets, may: () => false }))).toEqual([]);
  expect(waitingFor(facts({ sets: [aSet('SitesUnderWay')] }))).toEqual([]);
});

test('a removal and an approval that wait at once are two lines, each with its own words', () => {
  const heldRemoval = { count: 3, set: 'abc' };
  const lines = (reason: string) =>
    waitingFor(facts({ sets: [aSet(reason, { heldRemoval })] })).map(({ what, says }) => [what, says]);
  expect(lines('AwaitsApproval')).toEqual([
    ['awaits approval', 'Stage rest waits'],
    ['holds a removal', '3 copies on sites that are no longer selected wait for a person.'],
  ]);
  expect(lines('RemovalHeld')).toEqual([['holds a removal', 'Stage rest waits']]);
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
