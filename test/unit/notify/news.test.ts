// What of an object is news: a table from what its status says to what people are told.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Drain } from '../../../crds/drain/drain.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { newsOfCapp } from '../../../notify/news/capp.ts';
import { newsOfFleet, type WatchedFleet } from '../../../notify/news/fleet.ts';
import { newsOfDrain, newsOfSite } from '../../../notify/news/hub.ts';
import { oneLine, type News } from '../../../notify/news/news.ts';

const AT = '2026-11-27T10:00:00.000Z';
const MIN = 60_000;
const condition = (type: string, status: string, reason: string, lastTransitionTime = AT) => ({
  type,
  status,
  reason,
  message: `because of ${reason}.`,
  lastTransitionTime,
});
const metadata = { namespace: 'team-a', name: 'shop', uid: 'u1', generation: 1 };
const cappOf = (status: object, more: object = {}): Capp =>
  ({ metadata: { ...metadata, ...more }, spec: {}, status }) as unknown as Capp;
const fleetOf = (status: object): WatchedFleet => ({ metadata, status });
const said = (news: readonly News[]) =>
  news.map(({ topic, reason, dueAt }) => [topic, reason, (dueAt - Date.parse(AT)) / MIN]);

const moved = (result: string) => ({
  migration: {
    lastMove: { from: 'site-1', to: 'site-2', reason: 'Unfit', message: 'why', endedAt: AT, result },
  },
});

test.each([
  ['nothing', {}, []],
  [
    'a stalled one',
    { conditions: [condition('Stalled', 'True', 'DeadlinePassed')] },
    [['AppStuck', 'DeadlinePassed', 0]],
  ],
  ['one that is Progressing', { conditions: [condition('Stalled', 'False', 'Progressing')] }, []],
  [
    'one without a site, after a while',
    { conditions: [condition('Placed', 'False', 'NoCandidate')] },
    [['AppStuck', 'NoCandidate', 5]],
  ],
  ['one that waits for its own old copy', { conditions: [condition('Placed', 'False', 'StillLeaving')] }, []],
  [
    'one that cannot be shipped, after a while',
    { conditions: [condition('Applied', 'False', 'MissingReference')] },
    [['AppStuck', 'MissingReference', 5]],
  ],
  [
    'one that a person must confirm',
    { conditions: [condition('Migrating', 'False', 'AwaitsConfirmation')] },
    [['ApprovalAwaited', 'AwaitsConfirmation', 0]],
  ],
  ['one that has moved', moved('Moved'), [['AppMoved', 'Unfit', 0]]],
  ['one that could not move', moved('Failed'), [['AppMoved', 'Unfit', 0]]],
  ['one whose move was called off', moved('Cancelled'), []],
])('of a Capp: %s', (_what, status, expected) => {
  expect(said(newsOfCapp(cappOf(status)))).toEqual(expected);
});

test('a deletion that waits for a lost site is told after a while, and nothing else of what is deleted', () => {
  const deleted = { deletionTimestamp: AT };
  const conditions = [
    condition('Stalled', 'True', 'DeadlinePassed'),
    condition('Ready', 'False', 'SiteUnreachable'),
  ];
  expect(said(newsOfCapp(cappOf({ conditions }, deleted)))).toEqual([['AppStuck', 'SiteUnreachable', 5]]);
  expect(newsOfCapp(cappOf({ conditions: conditions.slice(0, 1) }, deleted))).toEqual([]);
});

test('a Capp of a CappSet is told of by its set alone', () => {
  const owner = {
    apiVersion: 'rcs.dana.io/v1alpha1',
    kind: 'CappSet',
    name: 's',
    uid: 'x',
    controller: true,
  };
  const status = { conditions: [condition('Stalled', 'True', 'DeadlinePassed')] };
  expect(newsOfCapp(cappOf(status, { ownerReferences: [owner] }))).toEqual([]);
});

const going = (reason: string, status = 'False') => condition('Progressing', status, reason);
const stalled = (reason: string) => condition('Stalled', 'True', reason);

test.each([
  ['nothing', {}, []],
  ['Done', { conditions: [going('Done')] }, []],
  ['under way', { conditions: [going('SitesUnderWay', 'True')] }, []],
  ['outside of its window', { conditions: [going('OutsideWindow')] }, []],
  ['paused by a person', { conditions: [going('Paused')] }, []],
  ['aborted by a person', { conditions: [going('Aborted')] }, []],
  [
    'awaiting approval',
    { conditions: [going('AwaitsApproval')] },
    [['ApprovalAwaited', 'AwaitsApproval', 0]],
  ],
  [
    'awaiting it with a site that fails',
    { conditions: [stalled('NotReady'), going('AwaitsApproval')] },
    [['ApprovalAwaited', 'AwaitsApproval', 0]],
  ],
  [
    'removals that wait',
    { conditions: [going('RemovalHeld'), stalled('RemovalHeld')] },
    [['ApprovalAwaited', 'RemovalHeld', 0]],
  ],
  [
    'failed sites',
    { conditions: [going('SitesFailed'), stalled('SitesFailed')] },
    [['RolloutHeld', 'SitesFailed', 0]],
  ],
  ['going back', { conditions: [going('RollingBack', 'True')] }, [['RolloutHeld', 'RollingBack', 0]]],
  [
    'a decision that is on its way',
    { conditions: [going('NoDecision'), stalled('NoDecision')] },
    [['RolloutHeld', 'NoDecision', 1]],
  ],
  ['invalid', { conditions: [stalled('Invalid')] }, [['RolloutHeld', 'Invalid', 0]]],
])('of a CappSet: %s', (_what, status, expected) => {
  expect(said(newsOfFleet('CappSet', fleetOf(status)))).toEqual(expected);
});

describe('an id', () => {
  const waits = (stage: string, revision = 'r1', at = AT): string | undefined =>
    newsOfFleet(
      'Bundle',
      fleetOf({
        revision,
        stages: [{ name: stage, state: 'Waiting' }],
        conditions: [condition('Progressing', 'False', 'AwaitsApproval', at)],
      }),
    )[0]?.id;

  test('is the same while the same is so', () => {
    expect(waits('canary')).toBe(waits('canary'));
  });

  test('is another for another stage, revision or time', () => {
    const later = '2026-11-27T11:00:00.000Z';
    expect(
      new Set([waits('canary'), waits('rest'), waits('canary', 'r2'), waits('canary', 'r1', later)]).size,
    ).toBe(4);
  });

  test('is another for another object of that name', () => {
    const of = (uid: string) => newsOfCapp(cappOf(moved('Moved'), { uid }))[0]?.id;
    expect(of('u1')).not.toBe(of('u2'));
  });
});

const clusterOf = (status: string | null, accepted = true): ManagedCluster => ({
  metadata: { name: 'site-3', uid: 'c1' },
  spec: { hubAcceptsClient: accepted },
  status: {
    conditions:
      status === null
        ? []
        : [{ type: 'ManagedClusterConditionAvailable', status: status as 'True', lastTransitionTime: AT }],
  },
});

test.each([
  ['available', clusterOf('True'), 0],
  ['lost', clusterOf('Unknown'), 1],
  ['said to be away', clusterOf('False'), 1],
  ['never seen', clusterOf(null), 0],
  ['not accepted', clusterOf('Unknown', false), 0],
])('of a site that is %s', (_what, cluster, count) => {
  expect(newsOfSite(cluster)).toHaveLength(count);
});

test.each([
  [
    'that has ended',
    { phase: 'Done', endedAt: AT, observedGeneration: 1, moved: 9, stayed: 1 },
    {},
    ['CappsStay'],
  ],
  [
    'that has emptied its site',
    { phase: 'Done', endedAt: AT, observedGeneration: 1, moved: 9 },
    {},
    ['SiteEmpty'],
  ],
  ['that goes on', { phase: 'Draining', observedGeneration: 1 }, {}, []],
  [
    'of which the end is about an earlier spec',
    { phase: 'Done', endedAt: AT, observedGeneration: 0 },
    {},
    [],
  ],
  ['in a dry run', { phase: 'Done', endedAt: AT, observedGeneration: 1 }, { dryRun: true }, []],
])('of a Drain %s', (_what, status, spec, reasons) => {
  const drain = { metadata: { name: 'site-3', uid: 'd', generation: 1 }, spec, status } as unknown as Drain;
  expect(newsOfDrain(drain).map(({ reason }) => reason)).toEqual(reasons);
});

test('a text is one line, bounded, without characters that hide others', () => {
  const text = oneLine(`a\u202eb\r\nc\u0000d\u2028e ${'ü'.repeat(2_000)}`);
  expect(text.startsWith('a b c d e ü')).toBe(true);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(700);
});
