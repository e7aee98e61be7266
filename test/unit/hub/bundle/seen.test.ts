// What a work says of its site: only about its present generation, briefly, and without what may be secret.
import type { ManifestWork } from '../../../../crds/ocm/ocm.ts';
import { seenOf, seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import {
  aBundle,
  aConfigMap,
  aDeployment,
  rendered,
  reportedWork,
  WRITTEN_AT,
  type Reported,
} from '../../../support/builders/fleet/bundles.ts';

const bundle = aBundle({ manifests: [aConfigMap(), aDeployment()] });
const seen = (reported?: Reported) => seenOf(reportedWork(bundle, reported));
const READY = { web: { status: 'True' as const } };
const FAILED = 'Failed to apply manifest: ';

test('a work that is applied and whose rules hold is Ready, at the revision that it carries', () => {
  const { revision, content } = rendered(bundle);
  expect(seen({ rules: READY })).toEqual({
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
  ['has not been applied', { generation: 3, observed: 2, rules: READY }],
  ['was refused', { generation: 3, observed: 2, refused: { settings: `${FAILED}not allowed to apply` } }],
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

test.each<[string, string, string, string]>([
  [
    'the executor has no rights',
    'not allowed to apply the resource  configmaps, apps settings, will try again in 1m0s',
    'NotAllowed',
    'not allowed to apply the resource  configmaps, apps settings',
  ],
  [
    'another owns a field',
    'Apply failed with 1 conflict: conflict with "kubectl": .data.color',
    'Conflict',
    'Apply failed with 1 conflict: conflict with "kubectl": .data.color',
  ],
  [
    'the kind is unknown',
    'no matches for kind "Foo" in version "b/v1"',
    'Rejected',
    'no matches for kind "Foo" in version "b/v1". Correct apiVersion and kind, or ship the CustomResourceDefinition first.',
  ],
  [
    'a value is wrong',
    'ConfigMap "settings" is invalid: data[a]: Invalid value: "canary-1": must be short',
    'Rejected',
    "The site's API server refuses it: data[a]: Invalid. The status of the ManifestWork has its words.",
  ],
  [
    'a field cannot be changed any more',
    'Deployment.apps "web" is invalid: spec.selector: Invalid value: v1.LabelSelector{}: field is immutable',
    'Rejected',
    "The site's API server refuses it: spec.selector: Invalid. The status of the ManifestWork has its words. That stays as it is in an object that exists: give the manifest another name, or delete the object on the site.",
  ],
  [
    'a StatefulSet cannot be changed so',
    'StatefulSet.apps "db" is invalid: spec: Forbidden: updates to statefulset spec for fields other than replicas are forbidden',
    'Rejected',
    'StatefulSet.apps "db" is invalid: spec: Forbidden: updates to statefulset spec for fields other than replicas are forbidden. That stays as it is in an object that exists: give the manifest another name, or delete the object on the site.',
  ],
  [
    'a value is no text',
    'failed to create typed patch object (apps/web; apps/v1, Kind=Deployment): .spec.template.spec.containers[name="c"].env[name="PORT"].value: expected string, got &value.valueUnstructured{Value:canary-5}',
    'Rejected',
    'The site\'s API server refuses it: spec.template.spec.containers[name="c"].env[name="PORT"].value: expected string. Put the value in quotes.',
  ],
  [
    'a field is misspelt',
    'failed to create typed patch object (apps/web; apps/v1, Kind=Deployment): .spec.replica: field not declared in schema',
    'Rejected',
    "The site's API server refuses it: spec.replica: field not declared in schema. Correct the spelling of the field, or take it out.",
  ],
  [
    'what is emptied may not be null',
    'Prometheus.monitoring.coreos.com "p" is invalid: spec.ruleSelector: Invalid value: "null": spec.ruleSelector in body must be of type object: "null"',
    'Rejected',
    "The site's API server refuses it: spec.ruleSelector: Invalid. The status of the ManifestWork has its words. What was not empty cannot become empty at once: leave the field out, and write it empty in a later edit if you need it.",
  ],
  [
    'its Namespace is missing',
    'namespaces "shops" not found',
    'Rejected',
    'namespaces "shops" not found. Ship that Namespace, too, or have it made on the site.',
  ],
])(
  'when %s, the site’s words become a reason and a message without values',
  (_what, words, reason, message) => {
    const { state, problems } = seen({ refused: { settings: `${FAILED}${words}` } });
    expect(state).toBe('Failed');
    expect(problems).toEqual([
      { kind: 'ConfigMap', name: 'settings', namespace: 'apps', condition: 'Applied', reason, message },
    ]);
  },
);

test('a webhook that does not answer yet is waited for, and what is refused for good beside it is said first', () => {
  const down =
    'Internal error occurred: failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://10.0.0.1": no endpoints available';
  const problem = {
    reason: 'NotReady',
    message:
      "The site's webhook webhook.cert-manager.io does not answer yet. It is tried again: if it stays so, look at the Service and the Pods of that webhook on the site.",
  };
  const waits = { settings: `${FAILED}${down}` };
  expect(seen({ refused: waits })).toMatchObject({ state: 'Progressing', problems: [problem] });
  const manifests = [aConfigMap(), aDeployment()];
  const refused = { ...waits, web: `${FAILED}admission webhook "a.b" denied the request: no` };
  const both = seenOf(reportedWork(aBundle({ manifests }), { refused }));
  expect(both).toMatchObject({ state: 'Failed', problems: [{ reason: 'Rejected' }, problem] });
});

test('what is refused for good fails the Bundle, however many objects wait for their webhook before it', () => {
  const names = Array.from({ length: 30 }, (_, index) => `issuer-${index}`);
  const manifests = [...names.map((name) => aConfigMap({}, name)), aDeployment()];
  const down = `${FAILED}Internal error occurred: failed calling webhook "a.b": no endpoints available`;
  const refused = {
    ...Object.fromEntries(names.map((name) => [name, down])),
    web: `${FAILED}admission webhook "a.b" denied the request: no`,
  };
  const { state, problems } = seenOf(reportedWork(aBundle({ manifests }), { refused }));
  expect([state, problems.length, problems[0]?.name]).toEqual(['Failed', 20, 'web']);
});

test('a refused Secret is named without a word of the refusal', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tls', namespace: 'apps' }, data: {} };
  const work = reportedWork(aBundle({ manifests: [secret] }), { refused: { tls: `${FAILED}bad canary-2` } });
  expect(JSON.stringify(seenOf(work).problems)).not.toContain('canary-2');
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

test('of a kind that the hub does not know, what it says of its namespace helps', () => {
  const thing = { apiVersion: 'x.io/v1', kind: 'Thing', metadata: { name: 'a' } };
  const lost = { a: `${FAILED}the server could not find the requested resource` };
  const without = seenOf(reportedWork(aBundle({ manifests: [thing] }), { refused: lost })).problems[0];
  expect(without?.message).toBe(
    'the server could not find the requested resource. If the kind is in namespaces, give the manifest metadata.namespace.',
  );
  const work = reportedWork(
    aBundle({ manifests: [{ ...thing, metadata: { name: 'a', namespace: 'apps' } }] }),
  );
  const [status] = work.status?.resourceStatus?.manifests ?? [];
  const { namespace: _namespace, ...resourceMeta } = status?.resourceMeta ?? {};
  const manifests = [{ ...status, resourceMeta }];
  const told = seenOf({ ...work, status: { ...work.status, resourceStatus: { manifests } } }).problems[0];
  expect(told).toMatchObject({ reason: 'Rejected' });
  expect(told?.message).toMatch(/^On the site Thing is in no namespace: take metadata.namespace out/);
});

test('a kind that the site calls otherwise is reported with what to write', () => {
  const work = reportedWork(aBundle(), { resource: 'configs' });
  const [problem] = seenOf(work).problems;
  expect(problem).toMatchObject({ reason: 'WrongPlural' });
  expect(problem?.message).toContain('spec.plurals: {ConfigMap: configs}');
});

test('at most twenty resources are named, each message in 256 bytes, and a cache keeps no manifest', () => {
  const many = aBundle({ manifests: Array.from({ length: 30 }, (_, index) => aConfigMap({}, `c-${index}`)) });
  const refused = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`c-${index}`, `${FAILED}${'é'.repeat(400)}`]),
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
  const work = reportedWork(bundle, { rules: READY });
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
