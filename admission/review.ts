// Kubernetes' AdmissionReview (admission.k8s.io/v1), read and answered.
import { isFields } from '../kube/fields.ts';
import { at, textAt } from './fields.ts';
import type { Problem, RuleResult } from './rule.ts';
import type { AdmissionRequest } from './request.ts';
import { isTooHeavy } from './weight.ts';

/** Longer than any name or uid that the API server knows. */
const LONGEST_NAME = 253;

const OPERATIONS = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

/** What is read of it; whatever else it has is left alone. */
export interface Review {
  readonly request: {
    readonly uid: string;
    readonly kind: { readonly group: string; readonly kind: string };
    readonly operation: (typeof OPERATIONS)[number];
    readonly name: string;
    readonly namespace: string;
    readonly username: string;
    readonly object: unknown;
    readonly oldObject: unknown;
    readonly dryRun: boolean;
  };
}

/** The API server shows a client at most 256 characters of each. */
const LONGEST_WARNING = 256;
const MOST_WARNINGS = 16;
/** Enough to see what is wrong, in an answer that is no larger than what was asked. */
const MOST_PROBLEMS = 16;
const LONGEST_MESSAGE = 4_096;
const LONGEST_FIELD = 512;

/** Null if the text is not an AdmissionReview, or holds more than any. */
export function readReview(text: string): Review | null {
  if (isTooHeavy(text)) return null;
  try {
    return reviewIn(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Takes each field by its name: a copy of all that came would take as long as there are others. */
function reviewIn(read: unknown): Review | null {
  const isReview = at(read, 'apiVersion') === 'admission.k8s.io/v1' && at(read, 'kind') === 'AdmissionReview';
  const request = at(read, 'request');
  const text = (path: readonly string[], otherwise?: string): string =>
    textOr(at(request, ...path), otherwise);
  const operation = OPERATIONS.find((one) => one === at(request, 'operation'));
  const dryRun = at(request, 'dryRun') ?? false;
  const uid = text(['uid']);
  const isWhole = isReview && uid.length <= LONGEST_NAME && isFields(at(request, 'userInfo'));
  if (!isWhole || operation === undefined || typeof dryRun !== 'boolean') return null;
  return {
    request: {
      uid,
      kind: { group: text(['kind', 'group']), kind: text(['kind', 'kind']) },
      operation,
      name: text(['name'], ''),
      namespace: text(['namespace'], ''),
      username: text(['userInfo', 'username'], ''),
      object: at(request, 'object'),
      oldObject: at(request, 'oldObject'),
      dryRun,
    },
  };
}

/** Throws an Error for what is no text, and for what is missing unless that means something. */
function textOr(value: unknown, otherwise?: string): string {
  const found = value === undefined ? otherwise : value;
  if (typeof found !== 'string') throw new TypeError('A field of the AdmissionReview is no text');
  return found;
}

export function requestOf({ request }: Review): AdmissionRequest {
  const { operation, name, namespace, username, object, oldObject, dryRun } = request;
  return {
    operation,
    // By generateName the API server asks without a name. When it validates, the object has got one.
    name: name === '' ? textAt(object, 'metadata', 'name') : name,
    namespace,
    username,
    object: object ?? null,
    oldObject: oldObject ?? null,
    dryRun,
  };
}

/**
 * A refusal is `Invalid`, not `Forbidden`, which would suggest missing rights. For a deletion the API has no
 * other reason.
 */
export function answer({ request }: Review, { problems, patches, warnings }: Required<RuleResult>): object {
  const allowed = problems.length === 0;
  const response = {
    uid: request.uid,
    allowed,
    ...(warnings.length === 0
      ? {}
      : { warnings: warnings.slice(0, MOST_WARNINGS).map((text) => text.slice(0, LONGEST_WARNING)) }),
    ...(allowed ? {} : { status: refusal(request, problems.slice(0, MOST_PROBLEMS).map(short)) }),
    ...(allowed && patches.length > 0
      ? { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patches)).toString('base64') }
      : {}),
  };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}

function short({ field, message, ...rest }: Problem): Problem {
  return { ...rest, field: cut(field, LONGEST_FIELD), message: cut(message, LONGEST_MESSAGE) };
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function refusal({ kind, name, operation }: Review['request'], problems: readonly Problem[]): object {
  const isDeletion = operation === 'DELETE';
  return {
    code: isDeletion ? 403 : 422,
    reason: isDeletion ? 'Forbidden' : 'Invalid',
    message: problems.map(({ field, message }) => (isDeletion ? message : `${field}: ${message}`)).join('; '),
    details: {
      name: cut(name, LONGEST_NAME),
      group: cut(kind.group, LONGEST_NAME),
      kind: cut(kind.kind, LONGEST_NAME),
      causes: problems.map(({ field, reason, message }) => ({ field, reason, message })),
    },
  };
}
