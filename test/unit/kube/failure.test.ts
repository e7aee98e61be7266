// The errors of requests to an API server: they name request and reason, and never quote the body.
import { inspect } from 'node:util';
import {
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
} from '../../../kube/failure.ts';
import { noAnswer, refusalIn, refusalOf } from '../../../kube/refusal.ts';

const CANARY = 'c4n4ry-of-a-secret';
const asked = { method: 'POST', path: '/api/v1/namespaces/default/secrets?fieldManager=x' };

function status(code: number, reason: string, details: object = {}): string {
  return JSON.stringify({ kind: 'Status', code, reason, message: `Invalid value: "${CANARY}"`, details });
}

describe('the error for a refused request', () => {
  const causes = [
    { field: 'data[key]', reason: 'FieldValueInvalid', message: `Invalid value: "${CANARY}"` },
    { field: 'metadata.name', message: CANARY },
    { message: CANARY },
  ];

  it('names the request, the code, the reason and the invalid fields', () => {
    const error = refusalOf(asked, 422, status(422, 'Invalid', { name: CANARY, causes }));
    expect(error.message).toBe('POST /api/v1/namespaces/default/secrets: 422 Invalid');
    expect(error.fields).toEqual(['data[key]: FieldValueInvalid', 'metadata.name: FieldValueInvalid']);
  });

  it('names the fields that a server-side apply cannot read, and no value', () => {
    const message = [
      'failed to create typed patch object (ns/app; serving.knative.dev/v1, Kind=Service): errors:',
      '  .spec.template.spec.containers[name="app"].lifecycle: field not declared in schema',
      `  .spec.template.spec.containers[name="app"].args: element 1: expected string, got &value.valueUnstructured{Value:"${CANARY}"}`,
      `  .spec.template.spec.timeoutSeconds: expected numeric (int or float), got &value.valueUnstructured{Value:"${CANARY}"}`,
    ].join('\n');
    const error = refusalOf(asked, 500, JSON.stringify({ kind: 'Status', code: 500, reason: '', message }));
    expect(error.fields).toEqual([
      'spec.template.spec.containers[name="app"].lifecycle: FieldUnknown',
      'spec.template.spec.containers[name="app"].args: FieldTypeInvalid',
      'spec.template.spec.timeoutSeconds: FieldTypeInvalid',
    ]);
    expect(inspect(error, { depth: 9 })).not.toContain(CANARY);
  });

  it.each<[string, string]>([
    // As an API server with Knative's CRDs says them (test/activity/site/twice.test.ts).
    [
      `.spec.template.spec.containers[0].env: duplicate entries for key [name="${CANARY}"]`,
      'env: FieldValueDuplicate',
    ],
    [
      '.spec.template.spec.imagePullSecrets: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)',
      'imagePullSecrets: FieldValueRequired',
    ],
    [
      `.spec.env[name="a ] b"].value: expected string, got &value.valueUnstructured{Value:"${CANARY}"}`,
      'value: FieldTypeInvalid',
    ],
  ])(
    'names the field of a list that a server-side apply cannot read, and not by which entry: %s',
    (said, field) => {
      const message = `failed to create typed patch object (ns/app; serving.knative.dev/v1, Kind=Service): ${said}`;
      const error = refusalOf(asked, 500, JSON.stringify({ kind: 'Status', code: 500, message }));
      expect(error.fields).toEqual([expect.stringMatching(new RegExp(`^spec\\..*${field}$`))]);
      expect(inspect(error, { depth: 9 })).not.toContain(CANARY);
    },
  );

  it.each<[string, number, string, readonly string[]]>([
    [
      `admission webhook "webhook.serving.knative.dev" denied the request: mutation failed: cannot decode incoming new object: json: cannot unmarshal string into Go struct field PodSecurityContext.spec.ConfigurationSpec.template.spec.PodSpec.securityContext.fsGroup of type int64`,
      400,
      'webhook webhook.serving.knative.dev',
      ['spec.template.spec.securityContext.fsGroup: FieldTypeInvalid'],
    ],
    [
      `services.serving.knative.dev "a" is forbidden: ValidatingAdmissionPolicy 'no-latest.example.com' with binding 'no-latest' denied request: ${CANARY}`,
      422,
      'ValidatingAdmissionPolicy no-latest.example.com',
      [],
    ],
    [
      `admission webhook "validation.gatekeeper.sh" denied the request: [labels] ${CANARY}`,
      403,
      'webhook validation.gatekeeper.sh',
      [],
    ],
    [
      `services.serving.knative.dev "a" is forbidden: exceeded quota: team-a, requested: count/services=1, used: 1, limited: 1 ${CANARY}`,
      403,
      'ResourceQuota team-a',
      [],
    ],
    [
      `pods "a" is forbidden: failed quota: team-a: must specify cpu for: app ${CANARY}`,
      403,
      'ResourceQuota team-a',
      [],
    ],
  ])('names who refuses, and no words of theirs: %s', (message, code, by, fields) => {
    const error = refusalOf(asked, code, JSON.stringify({ kind: 'Status', code, message }));
    expect(error).toMatchObject({ by, fields });
    expect(inspect(error, { depth: 9 })).not.toContain(CANARY);
  });

  it('names nobody whose name could not be that of an object of Kubernetes', () => {
    for (const name of ['A"b', 'a b', `-${CANARY}`, 'x'.repeat(300)]) {
      const message = `admission webhook "${name}" denied the request: no`;
      expect(refusalOf(asked, 403, JSON.stringify({ kind: 'Status', message })).by).toBeNull();
    }
  });

  it('names the fields that Knative’s webhook refuses, and no value', () => {
    const message = [
      `admission webhook "validation.webhook.serving.knative.dev" denied the request: validation failed: invalid value: ${CANARY}: spec.template.metadata.annotations.autoscaling.knative.dev/min-scale`,
      'missing field(s): spec.template.spec.containers[0].image, data',
      `expected 0 <= ${CANARY} <= 600: spec.template.spec.timeoutSeconds`,
      'must not set the field(s): spec.template.spec.hostNetwork',
      `invalid value: spec.${CANARY}: ${CANARY}`,
      'invalid value: 0: spec.template.metadata.annotations.autoscaling.knative.dev/initial-scale=0 not allowed by cluster',
    ].join('\n');
    const status = { kind: 'Status', code: 400, reason: 'BadRequest', message };
    const error = refusalOf(asked, 400, JSON.stringify(status));
    expect(error.fields).toEqual([
      'spec.template.metadata.annotations.autoscaling.knative.dev/min-scale: FieldValueInvalid',
      'spec.template.spec.containers[0].image: FieldValueRequired',
      'spec.template.spec.timeoutSeconds: FieldValueInvalid',
      'spec.template.spec.hostNetwork: FieldValueForbidden',
      'spec.template.metadata.annotations.autoscaling.knative.dev/initial-scale: FieldValueInvalid',
    ]);
    expect(inspect(error, { depth: 9 })).not.toContain(CANARY);
  });

  it.each([
    ['the message of a Status', refusalOf(asked, 422, status(422, 'Invalid', { name: CANARY, causes }))],
    ['a plain text body', refusalOf(asked, 500, `internal error: ${CANARY}`)],
    ['a truncated Status', refusalOf(asked, 500, status(500, 'InternalError').slice(0, -1))],
    ['a reason that is not a word', refusalOf(asked, 500, status(500, `because "${CANARY}"`))],
    ['the Status in a watch event', refusalIn(asked, JSON.parse(status(410, 'Expired', { causes })))],
  ])('never quotes %s', (_, error) => {
    expect(inspect(error, { depth: 9 })).not.toContain(CANARY);
  });

  it.each([
    [403, 'Forbidden'],
    [429, 'TooManyRequests'],
    [502, 'Unknown'],
  ])('has a reason even without a Status in the body: %d %s', (code, reason) => {
    expect(refusalOf(asked, code, '<html>')).toMatchObject({ code, reason });
  });

  it.each([
    ['a Retry-After header in seconds', '7', {}, 7000],
    ['retryAfterSeconds in the Status', undefined, { retryAfterSeconds: 3 }, 3000],
    ['the header rather than the Status', '7', { retryAfterSeconds: 3 }, 7000],
    ['neither, which gives null', undefined, {}, null],
    ['an invalid header, which gives null', 'soon', {}, null],
    ['a date in the past, which gives 0', 'Wed, 21 Oct 2015 07:28:00 GMT', {}, 0],
  ])('has retryAfterMs from %s', (_, header, details, expected) => {
    expect(
      refusalOf(asked, 429, status(429, 'TooManyRequests', details), { retryAfter: header }).retryAfterMs,
    ).toBe(expected);
  });
});

describe('each predicate on errors', () => {
  const named = { isNotFound, isConflict, isAlreadyExists, isInvalid, isForbidden, isExpired };

  it.each([
    ['isNotFound', refusalOf(asked, 404, status(404, 'NotFound'))],
    ['isConflict', refusalOf(asked, 409, status(409, 'Conflict'))],
    ['isAlreadyExists', refusalOf(asked, 409, status(409, 'AlreadyExists'))],
    ['isInvalid', refusalOf(asked, 422, status(422, 'Invalid'))],
    ['isForbidden', refusalOf(asked, 403, status(403, 'Forbidden'))],
    ['isExpired', refusalOf(asked, 410, status(410, 'Expired'))],
    [null, noAnswer(asked, 'Timeout')],
  ])('matches its own error and no other: %s', (name, error) => {
    expect(Object.entries(named).flatMap(([each, is]) => (is(error) ? [each] : []))).toEqual(
      name === null ? [] : [name],
    );
  });
});

test('only for a person who asked does a refusal quote the server', () => {
  const text = status(403, 'Forbidden');
  expect(refusalOf(asked, 403, text, { quoted: true }).said).toBe(`Invalid value: "${CANARY}"`);
  expect(refusalOf(asked, 403, text)).not.toHaveProperty('said');
  expect(refusalOf(asked, 403, '<html>', { quoted: true })).not.toHaveProperty('said');
});
