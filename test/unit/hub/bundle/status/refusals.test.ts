// What a work says of objects that its site refuses: a reason and what to do, without what may be secret.
import { seenOf } from '../../../../../activities/hub/bundle/status/seen.ts';
import {
  aBundle,
  aConfigMap,
  aDeployment,
  reportedWork,
  seen,
  APPLY_FAILED,
} from '../../../../support/builders/fleet/bundles.ts';

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
    'Apply failed with 1 conflict: conflict with "kubectl": .data.color. Take that out of the Bundle, or have the other give it up.',
  ],
  [
    'another Bundle has it out of another Secret',
    'Apply failed with 1 conflict: conflict with "work-agent-bundle-apps/one": .metadata.annotations.rcs.dana.io/bundle-manifest',
    'Conflict',
    'Apply failed with 1 conflict: conflict with "work-agent-bundle-apps/one": .metadata.annotations.rcs.dana.io/bundle-manifest. They do not say the same, or have it out of Secrets: keep it in one Bundle.',
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
    "The site's API server refuses it: spec.template.spec.containers[name].env[name].value: expected string. Put the value in quotes.",
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
    const { state, problems } = seen({ refused: { settings: `${APPLY_FAILED}${words}` } });
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
  const waits = { settings: `${APPLY_FAILED}${down}` };
  expect(seen({ refused: waits })).toMatchObject({ state: 'Progressing', problems: [problem] });
  const manifests = [aConfigMap(), aDeployment()];
  const refused = { ...waits, web: `${APPLY_FAILED}admission webhook "a.b" denied the request: no` };
  const both = seenOf(reportedWork(aBundle({ manifests }), { refused }));
  expect(both).toMatchObject({ state: 'Failed', problems: [{ reason: 'Rejected' }, problem] });
});

test.each<[string, string]>([
  [
    'conversion webhook for cert-manager.io/v1, Kind=Certificate failed: Post "https://cert-manager-webhook.cert-manager.svc:443/convert?timeout=30s": dial tcp 10.0.0.1:443: connect: connection refused c4n4ry',
    'The webhook that converts cert-manager.io/v1 on the site does not answer yet.',
  ],
  [
    'the server is currently unable to handle the request',
    'What serves this kind on the site does not answer',
  ],
  [
    'Timeout: request did not complete within requested timeout - context deadline exceeded',
    "The site's API server took too long.",
  ],
  ['etcdserver: request timed out', "The site's API server took too long."],
])('a server of the site that does not answer yet is waited for, and fails no stage: %s', (words, said) => {
  const { state, problems } = seen({ refused: { settings: `${APPLY_FAILED}${words}` } });
  expect(state).toBe('Progressing');
  expect(problems).toEqual([
    expect.objectContaining({ reason: 'NotReady', message: expect.stringContaining(said) }),
  ]);
  expect(JSON.stringify(problems)).not.toContain('c4n4ry');
});

test('a conversion that its webhook refuses is refused for good', () => {
  const words = 'conversion webhook for a.io/v1, Kind=Thing failed: no such version';
  expect(seen({ refused: { settings: `${APPLY_FAILED}${words}` } }).state).toBe('Failed');
});

test('what is refused for good fails the Bundle, however many objects wait for their webhook before it', () => {
  const names = Array.from({ length: 30 }, (_, index) => `issuer-${index}`);
  const manifests = [...names.map((name) => aConfigMap({}, name)), aDeployment()];
  const down = `${APPLY_FAILED}Internal error occurred: failed calling webhook "a.b": no endpoints available`;
  const refused = {
    ...Object.fromEntries(names.map((name) => [name, down])),
    web: `${APPLY_FAILED}admission webhook "a.b" denied the request: no`,
  };
  const { state, problems } = seenOf(reportedWork(aBundle({ manifests }), { refused }));
  expect([state, problems.length, problems[0]?.name]).toEqual(['Failed', 20, 'web']);
});

test('a refused Secret is named without a word of the refusal', () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tls', namespace: 'apps' }, data: {} };
  const work = reportedWork(aBundle({ manifests: [secret] }), {
    refused: { tls: `${APPLY_FAILED}bad canary-2` },
  });
  expect(JSON.stringify(seenOf(work).problems)).not.toContain('canary-2');
});

test('of a kind that the hub does not know, what it says of its namespace helps', () => {
  const thing = { apiVersion: 'x.io/v1', kind: 'Thing', metadata: { name: 'a' } };
  const lost = { a: `${APPLY_FAILED}the server could not find the requested resource` };
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
