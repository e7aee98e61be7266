// Questions to the webhook with as many fields as are asked for, each where another reader would look at
// them.
import { PATHS } from '../../../admission/router.ts';
import { raw } from './admission.ts';

export const fieldsOf = (count: number, value: unknown = ''): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

interface Around {
  /** Beside what is asked. */
  readonly inRequest?: object;
  readonly beside?: object;
}

/** By a cluster's own identity, about which most is asked. */
export function questionOf(
  object: object,
  oldObject: object | null,
  { inRequest, beside }: Around = {},
): string {
  const request = {
    uid: 'u',
    kind: { group: 'g', kind: 'k' },
    operation: oldObject === null ? 'CREATE' : 'UPDATE',
    namespace: 'apps',
    name: 'app',
    userInfo: { username: 'system:open-cluster-management:site-1:agent' },
    ...inRequest,
    object,
    oldObject,
  };
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request, ...beside });
}

type Heavy = readonly [path: string, question: (fields: number) => string];
const GOING = { deletionTimestamp: 'now' };

function twice(path: string, object: (half: number, value: string) => object): Heavy {
  return [path, (fields) => questionOf(object(fields / 2, ''), object(fields / 2, 'x'))];
}

/** By where the fields are. */
export const HEAVY: Readonly<Record<string, Heavy>> = {
  'labels of a cluster': [
    PATHS.validateClusterFacts,
    (fields) => questionOf(raw({}, { labels: fieldsOf(fields) }), null),
  ],
  'labels of a cluster that goes': twice(PATHS.validateClusterFacts, (half, value) =>
    raw({}, { ...GOING, labels: fieldsOf(half, value) }),
  ),
  'annotations of a Capp': [
    PATHS.mutateCapp,
    (fields) => questionOf(raw({}, { annotations: fieldsOf(fields) }), null),
  ],
  'annotations of a CappSet that goes': [
    PATHS.mutateCappSet,
    (fields) => questionOf(raw({}, { ...GOING, annotations: fieldsOf(fields) }), null),
  ],
  'fields beside the request': [
    PATHS.validateCapp,
    (fields) => questionOf(raw({}), null, { beside: fieldsOf(fields) }),
  ],
  'fields in the request': [
    PATHS.validateCapp,
    (fields) => questionOf(raw({}), null, { inRequest: fieldsOf(fields) }),
  ],
  'fields of a spec that stays': twice(PATHS.validateCapp, (half) => raw({ more: fieldsOf(half) })),
  'fields of a spec that stays, completed,': twice(PATHS.mutateCapp, (half) => raw({ more: fieldsOf(half) })),
};
