// Kubernetes' AdmissionReview (admission.k8s.io/v1), read and answered.
import { z } from 'zod';
import { textAt } from './fields.ts';
import type { Problem, RuleResult } from './rule.ts';
import type { AdmissionRequest } from './request.ts';

/** Longer than any name or uid that the API server knows. */
const LONGEST_NAME = 253;

const Review = z.looseObject({
  apiVersion: z.literal('admission.k8s.io/v1'),
  kind: z.literal('AdmissionReview'),
  request: z.looseObject({
    uid: z.string().max(LONGEST_NAME),
    kind: z.looseObject({ group: z.string(), kind: z.string() }),
    operation: z.enum(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']),
    name: z.string().default(''),
    namespace: z.string().default(''),
    userInfo: z.looseObject({ username: z.string().default('') }),
    object: z.unknown().optional(),
    oldObject: z.unknown().optional(),
    dryRun: z.boolean().default(false),
  }),
});
export type Review = z.infer<typeof Review>;

/** The API server shows a client at most 256 characters of each. */
const LONGEST_WARNING = 256;
const MOST_WARNINGS = 16;
/** Enough to see what is wrong, in an answer that is no larger than what was asked. */
const MOST_PROBLEMS = 16;
const LONGEST_MESSAGE = 4_096;
const LONGEST_FIELD = 512;

/** Null if the text is not an AdmissionReview. */
export function readReview(text: string): Review | null {
  try {
    return Review.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export function requestOf({ request }: Review): AdmissionRequest {
  const { operation, name, namespace, userInfo, object, oldObject, dryRun } = request;
  return {
    operation,
    // By generateName the API server asks without a name. When it validates, the object has got one.
    name: name === '' ? textAt(object, 'metadata', 'name') : name,
    namespace,
    username: userInfo.username,
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
