// What `kubectl capp why` and the page say of checks that are under way or have not passed: what was asked,
// what was measured, and when.
import { appView } from '../../../../cli/dashboard/view/app.ts';
import { whyText } from '../../../../cli/commands/why.ts';
import { explainBundle, explainSet } from '../../../../cli/explain/set/spread.ts';
import { explain } from '../../../../cli/explain/capp/why.ts';
import { checksOfMembers } from '../../../../cli/hub/objects/checked.ts';
import { spreadText } from '../../../../cli/show/spread.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { VERIFY } from '../../../../crds/labels.ts';
import { VerifyCheck } from '../../../../crds/verification/check.ts';
import { keyOf, moveKeyOf, orderText } from '../../../../crds/verification/order.ts';
import type { VerdictStatus } from '../../../../crds/verification/status.ts';
import type { Key } from '../../../../kube/resource.ts';
import { aBundle } from '../../../support/builders/fleet/bundles.ts';
import { aSet } from '../../../support/builders/fleet/sets.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { NO_COLOURS } from '../../../support/builders/process/terminals.ts';

const NOW = Date.parse('2026-03-01T12:05:00Z');
const OPTIONS = { now: NOW, colours: NO_COLOURS };
const CHECKS = [
  VerifyCheck.parse({ name: 'answers', http: { path: '/healthz' }, interval: '10s', failureLimit: 1 }),
];
const ORDER = { revision: 'r1', round: '0', generation: 1, at: 0, checks: CHECKS };
const ASKED =
  'asked  GET /healthz of the app, where status >= 200 && status < 300 is expected, 3 times, every 10 s; 1 may fail, and 1 may come to nothing';

function failed(key: string): VerdictStatus {
  return {
    key,
    verdict: 'Failed',
    at: '2026-03-01T12:03:00Z',
    checks: [
      {
        name: 'answers',
        is: 'Failed',
        successful: 0,
        failed: 2,
        inconclusive: 0,
        errors: 0,
        says: '0 of 2 measurements were successful, 2 failed (failureLimit 1)',
        measurements: [
          { at: '2026-03-01T12:02:50Z', is: 'Failed', says: 'status 500' },
          { at: '2026-03-01T12:03:00Z', is: 'Failed', says: 'status 502' },
        ],
      },
    ],
  };
}

const verified = (reason: string, message = 'It says so.'): object => ({
  type: 'Verified',
  status: 'Unknown',
  reason,
  message,
  lastTransitionTime: '2026-03-01T12:00:00Z',
});

interface Given {
  readonly status: object;
  readonly migration?: object;
  readonly isOrdered?: boolean;
}

function given({ status, migration, isOrdered = false }: Given): Capp {
  const { metadata, ...capp } = aCapp();
  const annotations = isOrdered ? { [VERIFY]: orderText(ORDER) } : {};
  const spec = migration === undefined ? capp.spec : { ...capp.spec, migration };
  return { ...capp, metadata: { ...metadata, generation: 1, annotations }, spec, status } as unknown as Capp;
}

const why = (capp: Capp): string => whyText(explain(capp, NOW), OPTIONS);
const at = { generation: 1, site: 'site-2' };

test('of checks that failed it says what was asked, what was measured, the limits and when', () => {
  const verification = { ...failed(keyOf(ORDER)), ...at };
  const capp = given({ status: { verification, conditions: [verified('ChecksFailed')] }, isOrdered: true });
  expect(why(capp))
    .toContain(`The checks of generation 1 on site-2 failed. That was 2m ago, at 2026-03-01T12:03:00Z.
Check answers: Failed
  ${ASKED}
  found  0 of 2 measurements were successful, 2 failed (failureLimit 1)
AT                     RESULT   MEASURED
2026-03-01T12:02:50Z   Failed   status 500
2026-03-01T12:03:00Z   Failed   status 502`);
  expect(appView(capp, { may: () => true, now: NOW }).checks).toEqual(explain(capp, NOW).checks);
});

test.each(['ChecksFailed', 'ChecksInconclusive'])(
  'a Capp that is Ready and has %s is not one of which nothing is missing, and what helps is said',
  (reason) => {
    const ready = { ...verified('Ready'), type: 'Ready', status: 'True' };
    const verification = { ...failed(keyOf(ORDER)), ...at };
    const text = why(given({ status: { verification, conditions: [ready, verified(reason)] } }));
    expect(text).not.toContain('nothing is missing');
    expect(text).toContain(`(${reason})`);
    expect(text).toContain('kubectl capp rollout retry <set>');
  },
);

test('a Capp whose checks are under way or have passed misses nothing', () => {
  for (const reason of ['ChecksRunning', 'ChecksPassed'])
    expect(explain(given({ status: { conditions: [verified(reason)] } }), NOW).findings).toEqual([]);
});

test('of checks that are under way in a move it says what the move asks', () => {
  const moving = { ...verified('AwaitsChecks'), type: 'Migrating', status: 'True' };
  const message = 'One check is made on site-2.';
  const conditions = [moving, verified('ChecksRunning', message)];
  const capp = given({ status: { conditions }, migration: { verify: CHECKS } });
  expect(why(capp)).toContain(`${message}\nCheck answers: under way\n  ${ASKED}`);
});

test('of checks that nobody makes, since the Capp is paused, it says nothing', () => {
  const paused = { ...verified('Paused'), type: 'Migrating', status: 'False' };
  const conditions = [paused, verified('ChecksRunning')];
  expect(explain(given({ status: { conditions }, isOrdered: true }), NOW).checks).toEqual([]);
});

test('of checks that a CappSet has ordered and that are under way it says what it asks', () => {
  const [found] = explain(
    given({ status: { conditions: [verified('ChecksRunning')] }, isOrdered: true }),
    NOW,
  ).checks;
  expect(found?.checks).toMatchObject([{ name: 'answers', verdict: 'UnderWay', asked: ASKED.slice(7) }]);
});

test('of a failure that is kept it says what was measured, beside a move and before Verified is said again', () => {
  const failedVerification = { ...failed(keyOf(ORDER)), ...at };
  const beside = why(given({ status: { failedVerification }, isOrdered: true }));
  const again = why(given({ status: { verification: failedVerification }, isOrdered: true }));
  for (const text of [beside, again]) expect(text).toContain('The checks of generation 1 on site-2 failed.');
  const other = { ...failedVerification, generation: 7 };
  expect(explain(given({ status: { verification: other } }), NOW).checks).toEqual([]);
});

test('a check that this version cannot read takes nothing else with it', () => {
  const checks = [{ name: 'answers', http: { path: '/healthz' }, count: 3 }];
  const conditions = [
    { ...verified('AwaitsChecks'), type: 'Migrating', status: 'True' },
    verified('ChecksRunning', 'One check is made.'),
  ];
  expect(why(given({ status: { conditions }, migration: { verify: checks } }))).toContain(
    'One check is made.',
  );
});

test('of a move that was given up it says for a day what its checks found, and what they had asked', () => {
  const lastMove = { to: 'site-2', verification: failed(moveKeyOf(CHECKS)) };
  const status = { migration: { lastMove } };
  const asked = why(given({ status, migration: { verify: CHECKS } }));
  expect(asked).toContain('The checks of the move to site-2, which was given up, failed.');
  expect(asked).toContain(ASKED);
  const other = [{ ...CHECKS[0], count: 7 }];
  const edited = why(given({ status, migration: { verify: other } }));
  expect(edited).toContain('status 502');
  expect(edited).not.toContain('asked');
  const toldAfter = (ms: number): number =>
    explain(given({ status }), Date.parse(lastMove.verification.at) + ms).checks.length;
  expect([86_399_999, 86_400_000].map(toldAfter)).toEqual([1, 0]);
});

test('of the query of a path it says nothing: it may have a token', () => {
  const checks = [VerifyCheck.parse({ name: 'answers', http: { path: '/healthz?token=abc?d' } })];
  const lastMove = { to: 'site-2', verification: failed(moveKeyOf(checks)) };
  const text = why(given({ status: { migration: { lastMove } }, migration: { verify: checks } }));
  expect(text).toContain('GET /healthz?… of the app');
  expect(text).not.toContain('abc');
});

test('of checks that have passed it says nothing', () => {
  const verification = { ...failed('x'), ...at, verdict: 'Passed' };
  expect(
    explain(given({ status: { verification, conditions: [verified('ChecksPassed')] } }), NOW).checks,
  ).toEqual([]);
});

const JOB = { template: { spec: { template: { spec: { restartPolicy: 'Never' } } } } };

test.each([
  [
    'a set',
    (strategy: object, status: object) => explainSet({ ...aSet('shop', { strategy }), status }),
    CHECKS,
    'asked  answers: GET /healthz of the app',
  ],
  [
    'a Bundle',
    (strategy: object, status: object) => explainBundle({ ...aBundle({ strategy }), status }),
    [{ name: 'smoke', job: JOB }],
    'asked  smoke: a Job on the site, which has to succeed within 300 s',
  ],
] as const)('of %s it says what the stage that is checked asks', (_name, explained, verify, says) => {
  const stage = { name: 'canary', sites: 1, ready: 1, underWay: 0, failed: 0, offline: 0, state: 'Open' };
  const text = (reason: string, state: string, fails?: string): string => {
    const conditions = [{ ...verified(reason), type: 'Progressing', status: 'True' }];
    const where = { site: 'a', capp: 'x', cluster: 'a', kind: 'Job', name: 'x' };
    const failing = fails === undefined ? [] : [{ ...where, reason: fails, message: 'x' }];
    const status = { conditions, failing, stages: [{ ...stage, state, failed: failing.length }] };
    return spreadText(explained({ stages: [{ name: 'canary', verify }] }, status), OPTIONS);
  };
  expect(text('Verifying', 'Open')).toContain('The checks of stage canary (Open)');
  expect(text('Verifying', 'Open')).toContain(says);
  expect(text('Verifying', 'Passed')).not.toContain('asked');
  expect(text('Soaking', 'Open')).not.toContain('asked');
  expect(text('SitesFailed', 'Open', 'ChecksFailed')).toContain(says);
  expect(text('SitesFailed', 'Open', 'RolloutFailed')).not.toContain('asked');
});

test('of a set the Capps are read whose checks have not passed, a few of many, and no others', async () => {
  const read: string[] = [];
  const verification = { ...failed(keyOf(ORDER)), ...at };
  const capp = given({ status: { verification, conditions: [verified('ChecksFailed')] } });
  // Stands for the hub: it counts what is read.
  const kube = { get: async (_kind: unknown, { name }: Key) => (read.push(name), capp) };
  const failing = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({
    site: `site-${name}`,
    capp: name,
    reason: name === 'b' ? 'RolloutFailed' : 'ChecksFailed',
    message: 'x',
  }));
  const found = await checksOfMembers({ kube } as never, { ...aSet('shop', {}), status: { failing } }, NOW);
  expect(read).toEqual(['a', 'c', 'd', 'e', 'f']);
  expect(found[0]?.checks[0]?.checks[0]?.measurements).toHaveLength(2);
});

test('one Capp of a set that cannot be read just now leaves the others told of', async () => {
  const capp = given({ status: {} });
  const get = async (_kind: unknown, { name }: Key) => {
    if (name === 'a') throw new Error('503');
    return capp;
  };
  const failing = ['a', 'b'].map((name) => ({
    site: `site-${name}`,
    capp: name,
    reason: 'ChecksFailed',
    message: 'x',
  }));
  const found = await checksOfMembers(
    { kube: { get } } as never,
    {
      ...aSet('shop', {}),
      status: { failing },
    },
    NOW,
  );
  expect(found).toHaveLength(1);
});
