// What a work says of its site: only about its present generation, briefly, and without what may be secret.
import type { ManifestWork } from '../../../../../crds/ocm/ocm.ts';
import { seenOf, seenWork } from '../../../../../activities/hub/bundle/status/seen.ts';
import {
  aBundle,
  aConfigMap,
  aDeployment,
  rendered,
  reportedWork,
  WRITTEN_AT,
  type Reported,
  SETTINGS_AND_WEB,
  seen,
  APPLY_FAILED,
} from '../../../../support/builders/fleet/bundles.ts';

const WEB_READY = { web: { status: 'True' as const } };

test('a work that is applied and whose rules hold is Ready, at the revision that it carries', () => {
  const { revision, content } = rendered(SETTINGS_AND_WEB);
  expect(seen({ rules: WEB_READY })).toEqual({
    state: 'Ready',
    problems: [],
    revision,
    content,
    at: WRITTEN_AT,
    since: 0,
    isTakenUp: true,
    held: { objects: expect.stringMatching(/^[0-9a-f]{12} [0-9a-f]{12}$/) },
  });
});

test.each<[string, Reported]>([
  ['has not been applied', { generation: 3, observed: 2, rules: WEB_READY }],
  [
    'was refused',
    { generation: 3, observed: 2, refused: { settings: `${APPLY_FAILED}not allowed to apply` } },
  ],
])('a work whose former generation %s is on its way', (_what, reported) => {
  expect(seen(reported)).toMatchObject({ state: 'Progressing', problems: [{ reason: 'Applying' }] });
});

test('a Deployment whose rule says nothing yet, or no, is not ready', () => {
  expect(seen()).toMatchObject({
    state: 'Progressing',
    problems: [{ kind: 'Deployment', reason: 'NotReady' }],
  });
  expect(seen({ rules: { web: { status: 'False' } } })).toMatchObject({ state: 'Progressing' });
});

test('an object that has failed for good fails its site at once, before others and in its own words', () => {
  const manifests = [aDeployment('slow'), aDeployment('web')];
  const rules = {
    slow: { status: 'False' as const, message: 'Waits: FailedCreate: exceeded quota' },
    web: { status: 'False' as const, message: 'Failed: ProgressDeadlineExceeded: timed out' },
  };
  const { state, problems } = seenOf(reportedWork(aBundle({ manifests }), { rules }));
  expect(state).toBe('Failed');
  expect(problems.map(({ name, reason, message }) => [name, reason, message])).toEqual([
    ['web', 'Failed', 'ProgressDeadlineExceeded: timed out'],
    ['slow', 'NotReady', 'It is applied, and not ready yet: FailedCreate: exceeded quota'],
  ]);
});

test.each(['no such key: canary-4', 'Manifest is not Ready', ''])('of %j no word is repeated', (message) => {
  const { problems } = seen({ rules: { web: { status: 'False', message } } });
  expect(problems[0]).toMatchObject({ reason: 'NotReady', message: 'It is applied, and not ready yet.' });
});

test('a rule that cannot be compiled is a bad rule, and one that lacks a field is not met yet', () => {
  const reason = 'ConditionRuleExpressionError';
  const bad = { web: { status: 'False' as const, reason, message: 'ERROR: <input>:1:3: Syntax error' } };
  expect(seen({ rules: bad })).toMatchObject({ state: 'Failed', problems: [{ reason: 'BadRule' }] });
  const early = { web: { status: 'False' as const, reason, message: 'no such key: status' } };
  expect(seen({ rules: early })).toMatchObject({ state: 'Progressing', problems: [{ reason: 'NotReady' }] });
});

test.each(['no such key: canary-3', 'no such key: canary-3, expected bool', 'ERROR: <input>:1:3: canary-3'])(
  'what CEL quotes in %j is not repeated',
  (message) => {
    const rules = { web: { status: 'False' as const, reason: 'ConditionRuleExpressionError', message } };
    const { problems } = seen({ rules });
    expect(JSON.stringify(problems)).not.toContain('canary-3');
    expect(problems[0]?.message).toContain('The status of the ManifestWork has the words of CEL.');
    if (message.startsWith('ERROR')) expect(problems[0]?.message).toContain('(line 1, column 3)');
  },
);

test('at most twenty resources are named, each message in 256 bytes, and a cache keeps no manifest', () => {
  const many = aBundle({ manifests: Array.from({ length: 30 }, (_, index) => aConfigMap({}, `c-${index}`)) });
  const refused = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`c-${index}`, `${APPLY_FAILED}${'é'.repeat(400)}`]),
  );
  const work = reportedWork(many, { refused });
  const { problems } = seenOf(work);
  expect(problems).toHaveLength(20);
  for (const { message } of problems) expect(Buffer.byteLength(message)).toBeLessThanOrEqual(256);
  const kept = seenWork(work as never);
  expect(Object.keys(kept).toSorted()).toEqual(['apiVersion', 'kind', 'metadata', 'seen']);
});

test('somebody’s change of the manifests of a work is seen', () => {
  const work = reportedWork(aBundle());
  const manifests = [aConfigMap({ color: 'green' })];
  const changed = { ...work, spec: { ...work.spec, workload: { manifests } } };
  expect(seenOf(changed).content).not.toBe(rendered(aBundle()).content);
  // It carries no revision any more, so it is written again.
  expect(seenOf(changed).revision).toBeNull();
  expect(seenOf(work).content).toBe(rendered(aBundle()).content);
});

test('a work is Ready since the hub last heard from its agent, since a condition keeps the time of the former generation', () => {
  const work = reportedWork(SETTINGS_AND_WEB, { rules: WEB_READY });
  const conditions = (work.status?.conditions ?? []).map((one) => ({
    ...one,
    lastTransitionTime: '2026-03-01T08:00:00Z',
  }));
  const reported = { ...work, status: { ...work.status, conditions } };
  expect(seenOf(reported).since).toBe(Date.parse('2026-03-01T08:00:00Z'));
  const managedFields = [
    { subresource: 'status', time: '2026-03-01T11:58:00Z' },
    { time: '2026-03-01T11:59:00Z' },
  ];
  const metadata = { ...reported.metadata, managedFields } as ManifestWork['metadata'];
  expect(seenOf({ ...reported, metadata }).since).toBe(Date.parse('2026-03-01T11:58:00Z'));
});

test('no word of what a failed container has written last is told', () => {
  const output =
    'RevisionFailed: Revision "web-1" failed with message: Container failed with: password=canary-7';
  const said = { web: { status: 'False' as const, message: `Failed: ${output}` } };
  const text = JSON.stringify(seen({ rules: said }));
  expect(text).not.toContain('canary-7');
  expect(text).toContain('the container failed.');
});

describe('a work proves nothing', () => {
  const { status, ...work } = reportedWork(aBundle());
  const [one] = status?.resourceStatus?.manifests ?? [];
  const stateOf = (said: object) => seenOf({ ...work, status: { ...status, ...said } }).state;

  test('while its agent has not applied it as a whole, also where no object of it is named', () => {
    expect(stateOf({})).toBe('Ready');
    const conditions = [{ type: 'Applied', status: 'False', observedGeneration: 1 }];
    expect(stateOf({ conditions })).toBe('Progressing');
    expect(stateOf({ conditions, resourceStatus: { manifests: [] } })).toBe('Progressing');
  });

  test.each(['Unknown', 'False', null])(
    'while an object is applied, and of its being there is said %j',
    (is) => {
      const others = (one?.conditions ?? []).filter(({ type }) => type !== 'Available');
      const conditions = is === null ? others : [...others, { type: 'Available', status: is }];
      expect(stateOf({ resourceStatus: { manifests: [{ ...one, conditions }] } })).toBe('Progressing');
    },
  );
});
