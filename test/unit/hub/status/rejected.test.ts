// What the hub says of an object that a site refuses for what it is, or by rules of its own: the field, and
// no value.
import { factsOf } from '../../../../activities/hub/status/work-facts.ts';
import { refusedWork } from '../../../support/builders/hub/refused-works.ts';

/** Faults as an API server says them when there is one: without brackets. */
const SINGLE = [
  ['type', 'Unsupported value: "c4n4ry"'],
  ['spec', 'Forbidden: c4n4ry'],
  ['data', 'Too long: may not be more than 1048576 bytes'],
  ['data[tls.key]', 'Required value'],
  ['metadata.labels', 'Invalid value: "c4n4ry": a valid label must be an empty string'],
] as const;

test.each<[string, number, string, string]>([
  [
    'an immutable ConfigMap with other content',
    2,
    'ConfigMap "settings" is invalid: data: Forbidden: field is immutable when `immutable` is set',
    'site-1 refuses ConfigMap settings, and keeps what it had: it is immutable there. Give the new content a new name,',
  ],
  [
    'a Secret of another type',
    1,
    'Secret "db" is invalid: [type: Invalid value: "c4n4ry": field is immutable, data[tls.key]: Required value: c4n4ry]',
    'site-1 refuses Secret db, and keeps what it had: type (Invalid), data[tls.key] (Required): that cannot be changed there. Give the new content a new name,',
  ],
  ...SINGLE.map(([field, words]): [string, number, string, string] => [
    `a Secret whose ${field} cannot be so`,
    1,
    `Secret "db" is invalid: ${field}: ${words}`,
    `site-1 refuses Secret db, and keeps what it had: ${field} (`,
  ]),
  [
    'a Secret that gets another type',
    1,
    'Secret "db" is invalid: type: Invalid value: "c4n4ry": field is immutable',
    'site-1 refuses Secret db, and keeps what it had: type (Invalid): that cannot be changed there. Give the new content a new name,',
  ],
  [
    'a Secret whose value looks like a field',
    1,
    'Secret "db" is invalid: data: Invalid value: "\\"c4n4ry: Forbidden: c4n4ry: Required": no',
    'keeps what it had: data (Invalid). Correct it',
  ],
  [
    'a ConfigMap that a policy of the site refuses',
    2,
    `configmaps "settings" is forbidden: ValidatingAdmissionPolicy 'no-settings.example.com' with binding 'b' denied request: c4n4ry`,
    'site-1 refuses ConfigMap settings, and keeps what it had, by ValidatingAdmissionPolicy no-settings.example.com. Ask whoever runs site-1',
  ],
  [
    'a ConfigMap that a webhook of the site refuses',
    2,
    'admission webhook "validation.gatekeeper.sh" denied the request: [c4n4ry] no',
    'and keeps what it had, by webhook validation.gatekeeper.sh.',
  ],
  [
    'a Secret beyond a quota',
    1,
    'secrets "db" is forbidden: exceeded quota: few, requested: secrets=1, used: secrets=1, limited: secrets=1',
    'keeps what it had: ResourceQuota few of its namespace there is used up.',
  ],
  [
    'a Role that grants too much',
    2,
    'roles.rbac.authorization.k8s.io "x" is forbidden: user "system:serviceaccount:a:b" (groups=["c4n4ry"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
    "keeps what it had: whoever applies the hub's Capps there may not grant what it grants.",
  ],
  [
    'a list with an entry twice',
    2,
    'failed to create typed patch object (apps/settings; v1, Kind=ConfigMap): .a[name="c4n4ry"].env: duplicate entries for key [name="c4n4ry"]',
    'keeps what it had: a[name].env (duplicate entries). Correct it',
  ],
  [
    'a field that the site does not know',
    2,
    'failed to create typed patch object (apps/settings; v1, Kind=ConfigMap): .dat: field not declared in schema c4n4ry',
    'site-1 refuses ConfigMap settings, and keeps what it had: dat (field not declared). Correct it',
  ],
])('%s is reported as Rejected, with the field and without a value', (_name, ordinal, said, words) => {
  const { refused } = factsOf(refusedWork({ [ordinal]: `Failed to apply manifest: ${said}` }));
  expect(refused?.reason).toBe('Rejected');
  expect(refused?.message).toContain(words);
  expect(JSON.stringify(refused)).not.toMatch(/c4n4ry|orged/);
});

const POLICY = `configmaps "settings" is forbidden: ValidatingAdmissionPolicy 'no.example.com' with binding 'b' denied request: no`;
const QUOTA = 'secrets "db" is forbidden: exceeded quota: few, requested: secrets=1';
const GRANTS = 'roles "x" is forbidden: user "a" is attempting to grant RBAC permissions not currently held:';
const FAULT = 'Secret "db" is invalid: type: Invalid value: "a": field is immutable';
const DENIED = 'admission webhook "v.example.com" denied the request: no';

test.each<[string, Record<number, string>, true | undefined]>([
  ['a policy refuses', { 2: POLICY }, true],
  ['a quota has no room for', { 1: QUOTA }, true],
  ['needs rights that are missing', { 1: GRANTS }, true],
  ['a webhook denies', { 1: DENIED }, undefined],
  ['cannot be so', { 1: FAULT }, undefined],
  ['cannot be so, beside what a quota has no room for', { 1: QUOTA, 2: FAULT }, undefined],
])('what %s may pass, unless it is for good', (_what, said, mayPass) => {
  expect(factsOf(refusedWork(said)).refused).toMatchObject({ reason: 'Rejected' });
  expect(factsOf(refusedWork(said)).refused?.mayPass).toBe(mayPass);
});
