// What a set knows of the checks of its Capps: a verdict counts for exactly the order, the generation and the
// site that it asked about.
import { orderChecks, unverified, verificationOf } from '../../../activities/hub/set/verification.ts';
import { failedBefore, failureFor } from '../../../activities/hub/ship/failed-before.ts';
import { ordersOf } from '../../../activities/hub/ship/orders.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { travelling as travels } from '../../../crds/capp/travelling.ts';
import { SET_REVISION, VERIFY } from '../../../crds/labels.ts';
import { VerifyCheck } from '../../../crds/verification/check.ts';
import { keyOf, orderText, readOrder } from '../../../crds/verification/order.ts';
import { writtenAs } from '../../../crds/written.ts';
import type { Kube } from '../../../kube/client.ts';
import { aCapp } from '../../support/builders/capps.ts';

const AT = Date.parse('2026-03-01T12:00:00Z');
const LOOK = { writtenAt: AT, now: AT + 600_000 };
const CHECKS = [VerifyCheck.parse({ name: 'answers', http: { path: '/healthz' } })];
const ORDER = { revision: 'f'.repeat(32), round: '1/0', generation: 3, at: AT, checks: CHECKS };

interface Plain {
  readonly order?: string;
  readonly generation?: number;
  readonly said?: object;
  readonly written?: string;
  readonly site?: string;
}

function child({
  order,
  generation = 3,
  said = {},
  written = ORDER.revision,
  site = 'site-1',
}: Plain = {}): Capp {
  const annotations = {
    [VERIFY]: order ?? orderText(ORDER),
    [SET_REVISION]: writtenAs({ revision: written, content: '0123456789', at: AT }),
  };
  const capp = aCapp({ annotations });
  const verification = {
    key: keyOf(ORDER),
    generation: 3,
    site: 'site-1',
    verdict: 'Passed' as const,
    at: '2026-03-01T12:05:00Z',
    checks: [],
    ...said,
  };
  return {
    ...capp,
    metadata: { ...capp.metadata, generation },
    spec: { ...capp.spec, site },
    status: { verification },
  };
}

test('a verdict by the order, on the generation and the site that were asked about, counts', () => {
  expect(verificationOf(child(), LOOK)).toMatchObject({
    revision: ORDER.revision,
    round: '1/0',
    checks: JSON.stringify(CHECKS),
    result: { verdict: 'Passed', at: AT + 300_000 },
  });
});

test.each<[string, Plain]>([
  ['by another order', { said: { key: 'another' } }],
  ['on another generation', { said: { generation: 2 } }],
  ['from another site', { said: { site: 'site-2' } }],
])('a verdict %s is none', (_what, plain) => {
  expect(verificationOf(child(plain), LOOK)?.result).toBeNull();
});

test('a failure by the same order stands, whatever its checks have come to elsewhere since', () => {
  const capp = child();
  const { verification } = capp.status ?? {};
  const failedVerification = { ...verification, verdict: 'Failed' };
  const both = { ...capp, status: { verification, failedVerification } } as Capp;
  expect(verificationOf(both, LOOK)?.result).toMatchObject({ verdict: 'Failed' });
});

test.each<[string, Plain]>([
  ['that cannot be read', { order: '{"key":"x"}' }],
  ['of an earlier generation', { generation: 4 }],
])('an order %s is none', (_what, plain) => {
  expect(verificationOf(child(plain), LOOK)).toBeUndefined();
});

test('the key names the revision, the checks and the try', () => {
  const others = [
    { ...ORDER, revision: 'e'.repeat(32) },
    { ...ORDER, round: '1/5' },
    { ...ORDER, checks: [{ ...CHECKS[0], count: 9 }] as typeof CHECKS },
  ];
  expect(new Set([ORDER, ...others].map(keyOf)).size).toBe(4);
  expect(keyOf({ ...ORDER })).toBe(keyOf(ORDER));
});

test('the hub ships an order to the workflow for this generation and this revision alone', () => {
  expect(ordersOf(child()).order).toMatchObject({
    key: keyOf(ORDER),
    checks: [{ name: 'answers', count: 3 }],
  });
  expect(ordersOf(child({ generation: 4 }))).toEqual({});
  expect(ordersOf(child({ written: 'e'.repeat(32) }))).toEqual({});
  expect(ordersOf(child({ order: 'nonsense' }))).toEqual({});
});

test('checks of a move are there as long as the Capp asks for them', () => {
  const capp = child({ order: '' });
  const spec = {
    ...capp.spec,
    migration: {
      policy: 'Evacuate',
      strategy: 'MakeBeforeBreak',
      failback: 'Never',
      verify: CHECKS,
    } as const,
  };
  expect(ordersOf({ ...capp, spec }).moveOrder?.checks).toHaveLength(1);
});

test('the order does not travel to the site', () => {
  expect(Object.keys(travels(child().metadata.annotations))).not.toContain(VERIFY);
});

test('an order is an annotation of exactly this Capp, and names its generation', async () => {
  const patches: unknown[] = [];
  const patch = ((_: unknown, key: unknown, body: unknown) => {
    patches.push([key, body]);
    return Promise.resolve({ metadata: { resourceVersion: '7' } });
  }) as Kube['patch'];
  const ask = { cluster: 'site-1', revision: ORDER.revision, round: '1/0', checks: JSON.stringify(CHECKS) };
  const given = child();
  expect(await orderChecks({ patch } as Kube, given, ask, AT)).toBe('7');
  const { namespace, name, uid = '' } = given.metadata;
  expect(patches).toEqual([
    [{ namespace, name }, { metadata: { uid, annotations: { [VERIFY]: orderText(ORDER) } } }],
  ]);
  expect(readOrder(orderText(ORDER))).toEqual(ORDER);
});

test('a site whose checks have failed is named with what its Capp says, if that is about what is there', () => {
  const condition = {
    type: 'Verified',
    status: 'False' as const,
    reason: 'ChecksFailed',
    message: 'Check answers failed.',
    lastTransitionTime: '2026-03-01T12:00:00Z',
    observedGeneration: 3,
  };
  const capp = child();
  const said = (changes: object) =>
    unverified({ ...capp, status: { conditions: [{ ...condition, ...changes }] } });
  expect(said({})).toEqual({ reason: 'ChecksFailed', message: 'Check answers failed.' });
  expect(said({ observedGeneration: 2 })).toBeNull();
  expect(said({ reason: 'ChecksPassed' })).toBeNull();
});

const STAMP = 'uid-1/3/hash/one';
const ABOUT = { key: keyOf(ORDER), stamp: STAMP, site: 'site-1' };
const failed = {
  verdict: 'Failed' as const,
  stamp: STAMP,
  checks: [
    {
      name: 'answers',
      is: 'Failed' as const,
      successful: 1,
      failed: 1,
      inconclusive: 0,
      errors: 0,
      says: '1 of 2 measurements were successful',
      measurements: [{ at: '2026-03-01T12:04:00Z', is: 'Failed' as const, says: 'status 500' }],
    },
  ],
};

test('checks that have failed are remembered from the status, with what was said of them', () => {
  expect(failedBefore(child({ said: failed }), ABOUT)).toEqual({
    key: keyOf(ORDER),
    verdict: 'Failed',
    says: 'Check answers failed on site-1: 1 of 2 measurements were successful.',
    at: AT + 300_000,
    checks: [
      expect.objectContaining({
        name: 'answers',
        is: 'Failed',
        last: [{ at: AT + 240_000, is: 'Failed', says: 'status 500' }],
      }),
    ],
  });
});

test('a workflow that had this order there knows more than the status, and without an order nothing is asked', () => {
  const where = { stamp: STAMP, site: 'site-1' };
  const capp = child({ said: failed });
  const { order } = ordersOf(capp);
  if (order === undefined) throw new Error('nothing is ordered');
  const other = { ...order, key: 'other' };
  for (const known of [
    undefined,
    { stamp: STAMP },
    { stamp: STAMP, order: other },
    { stamp: 'other', order },
  ])
    expect(failureFor(capp, known, where)).toMatchObject({ failed: { verdict: 'Failed' } });
  expect(failureFor(capp, { stamp: STAMP, order }, where)).toEqual({});
  expect(failureFor(child({ said: failed, order: 'none' }), undefined, where)).toEqual({});
});

test.each<[string, object, Partial<typeof ABOUT>]>([
  ['that passed', { verdict: 'Passed' }, {}],
  ['that nobody knows', { verdict: 'Inconclusive' }, {}],
  ['by another order, such as after a retry', {}, { key: 'other' }],
  ['on other content, such as with a Secret that was renewed', {}, { stamp: 'uid-1/3/other/one' }],
  ['on another site', {}, { site: 'site-2' }],
  ['of an earlier version, without the content', { stamp: undefined }, {}],
  ['that cannot be read', { checks: 'none' }, {}],
])('what the status says of checks %s is no ground', (_what, said, about) => {
  expect(failedBefore(child({ said: { ...failed, ...said } }), { ...ABOUT, ...about })).toBeNull();
});
