// Turns a refusal of an API server into an ApiError, with only those fields of its Status that are safe to
// repeat.
import { ApiError } from './failure.ts';

interface Status {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: {
    readonly retryAfterSeconds?: number;
    readonly causes?: readonly { readonly field?: string; readonly reason?: string }[];
  };
}

export interface RequestLine {
  readonly method: string;
  /** Its query is not repeated in the error. */
  readonly path: string;
}

/** The reason where a proxy or a health check answers without a Status. */
const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

const LONGEST_FIELD = 256;
const MOST_FIELDS = 5;
const LONGEST_MESSAGE = 16_384;
/** Of structured-merge-diff; the code of such an answer is 500. */
const UNTYPED = 'failed to create typed patch object';

/** From an answer with an error status. `quoted` repeats the server's message, for the person who asked. */
export function refusalOf(
  asked: RequestLine,
  code: number,
  text: string,
  { retryAfter, quoted = false }: { retryAfter?: string | undefined; quoted?: boolean } = {},
): ApiError {
  const status = { ...statusIn(text), code };
  return errorOf(asked, status, waitOf(retryAfter), quoted ? status.message : undefined);
}

/** From the object of a watch's ERROR event. */
export function refusalIn(asked: RequestLine, object: unknown): ApiError {
  const status = isStatus(object) ? object : {};
  return errorOf(asked, { ...status, code: status.code ?? 500 }, null);
}

/** From a call without a readable answer. */
export function noAnswer(asked: RequestLine, reason: string, cause?: unknown): ApiError {
  return new ApiError({ method: asked.method, path: pathIn(asked), code: 0, reason, cause });
}

function errorOf(
  asked: RequestLine,
  status: Status & { code: number },
  waitMs: number | null,
  said?: string,
): ApiError {
  const { code, reason, details } = status;
  const seconds = details?.retryAfterSeconds;
  return new ApiError({
    method: asked.method,
    path: pathIn(asked),
    code,
    reason: reason && /^\w+$/.test(reason) ? reason : (REASONS[code] ?? 'Unknown'),
    retryAfterMs: waitMs ?? (typeof seconds === 'number' ? seconds * 1000 : null),
    fields: [
      ...(details?.causes ?? []).flatMap(({ field, reason: offence }) =>
        field ? [`${field.slice(0, LONGEST_FIELD)}: ${offence ?? 'FieldValueInvalid'}`] : [],
      ),
      ...mistyped(status.message),
      ...denied(status.message),
    ],
    said: typeof said === 'string' ? said : undefined,
  });
}

/**
 * The fields that a server-side apply names when it cannot read an object, and what is wrong with each: never
 * the value, which follows it.
 */
function mistyped(message: unknown): string[] {
  if (typeof message !== 'string' || !message.startsWith(UNTYPED)) return [];
  const found = message
    .slice(0, LONGEST_MESSAGE)
    .matchAll(/(\.[\w.[\]="-]+): (?:element \d+: )?(field not declared in schema|expected \w+)/g);
  return [...found].slice(0, MOST_FIELDS).map(([, field = '', what = '']) => {
    const offence = what.startsWith('field') ? 'FieldUnknown' : 'FieldTypeInvalid';
    return `${field.slice(1, LONGEST_FIELD)}: ${offence}`;
  });
}

const DENIED = /^admission webhook "[\w.-]{1,253}" denied the request: /;
/** Some of Knative's checks write a few words behind the path. */
const PATH = /^((?:spec|metadata)(?:\.[\w/-]+|\[[\w./-]+\])+)(?:$|[ =])/;

/**
 * The fields that a webhook of Knative's kind names at the end of each line of its refusal, behind the value
 * (knative.dev/pkg, apis/field_error.go).
 */
function denied(message: unknown): string[] {
  if (typeof message !== 'string' || !DENIED.test(message)) return [];
  const lines = message.slice(0, LONGEST_MESSAGE).replace(DENIED, '').split('\n');
  return lines
    .flatMap((line) => {
      const paths = line.slice(line.lastIndexOf(': ') + 2).split(', ');
      return paths
        .flatMap((path) => PATH.exec(path.slice(0, LONGEST_FIELD))?.[1] ?? [])
        .map((path) => `${path}: ${offenceIn(line)}`);
    })
    .slice(0, MOST_FIELDS);
}

function offenceIn(line: string): string {
  if (line.includes('missing field(s)')) return 'FieldValueRequired';
  return line.includes('must not set the field(s)') ? 'FieldValueForbidden' : 'FieldValueInvalid';
}

function statusIn(text: string): Status {
  try {
    const parsed: unknown = JSON.parse(text);
    return isStatus(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function isStatus(value: unknown): value is Status {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status';
}

/** RFC 9110 allows seconds or a date. */
function waitOf(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function pathIn({ path }: RequestLine): string {
  return path.split('?', 1)[0] ?? path;
}
