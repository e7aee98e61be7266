// What a user reads when the API server of a site refuses an object: the field, or who refuses and whom to
// ask, in no word that may quote a value.
import { ApiError } from '../../../../kube/failure.ts';
import { refusalOf } from '../../../../kube/refusal.ts';
import { asFault } from '../../../../site/objects/fault.ts';

const asked = { method: 'PATCH', path: '/apis/serving.knative.dev/v1/namespaces/apps/services/a' };

function said(code: number, message: string): string | null {
  const error = refusalOf(asked, code, JSON.stringify({ kind: 'Status', code, message }));
  const fault = asFault(error, 'the Knative Service a');
  return fault instanceof ApiError ? null : (fault as Error).message;
}

test.each<[string, number, string, string]>([
  [
    'a policy',
    422,
    "services.serving.knative.dev \"a\" is forbidden: ValidatingAdmissionPolicy 'no-latest' with binding 'b' denied request: c4n4ry",
    ': Invalid, by ValidatingAdmissionPolicy no-latest. Ask whoever runs the site what it asks for.',
  ],
  [
    "somebody else's webhook",
    403,
    'admission webhook "validation.gatekeeper.sh" denied the request: [c4n4ry] no',
    ': Forbidden, by webhook validation.gatekeeper.sh. Ask whoever runs the site what it asks for.',
  ],
  [
    'a quota',
    403,
    'services.serving.knative.dev "a" is forbidden: exceeded quota: few, requested: count/services.serving.knative.dev=1, used: count/services.serving.knative.dev=1, limited: count/services.serving.knative.dev=1',
    ': Forbidden, by ResourceQuota few. Free something that counts there, or ask whoever runs the site for more.',
  ],
  [
    'nobody who is named',
    403,
    'services "a" is forbidden: c4n4ry',
    ': Forbidden. Ask whoever runs the site why, and whether the Capp may have it.',
  ],
  [
    "Knative's webhook, which cannot read it",
    400,
    'admission webhook "webhook.serving.knative.dev" denied the request: mutation failed: cannot decode incoming new object: json: cannot unmarshal string into Go struct field PodSecurityContext.spec.ConfigurationSpec.template.spec.PodSpec.securityContext.fsGroup of type int64',
    ': BadRequest (spec.template.spec.securityContext.fsGroup: FieldTypeInvalid). Correct that in the Capp.',
  ],
  [
    'the schema, by a variable that is there twice',
    500,
    'failed to create typed patch object (apps/a; serving.knative.dev/v1, Kind=Service): .spec.template.spec.containers[0].env: duplicate entries for key [name="c4n4ry"]',
    ': InternalError (spec.template.spec.containers[0].env: FieldValueDuplicate). Correct that in the Capp.',
  ],
])('a refusal by %s', (_who, code, message, words) => {
  expect(said(code, message)).toBe(`The site refused the Knative Service a${words}`);
});

test.each<[string, number, string]>([
  ['an error of the server', 500, 'etcd is away'],
  ['a webhook that does not answer', 500, 'failed calling webhook "webhook.serving.knative.dev": Post'],
])('%s is tried again, and is no refusal', (_what, code, message) => {
  expect(said(code, message)).toBeNull();
});
