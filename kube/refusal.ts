// Turns a refusal of an API server into an ApiError, with only those fields of its Status that are safe to
// repeat.
import { ApiError } from './failure.ts';
import { fieldsIn, type NamingStatus, refuserIn } from './refused-fields.ts';

interface Status extends NamingStatus {
  readonly code?: number;
  readonly reason?: string;
  readonly details?: NamingStatus['details'] & { readonly retryAfterSeconds?: number };
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
  const { code, reason } = status;
  const seconds = status.details?.retryAfterSeconds;
  return new ApiError({
    method: asked.method,
    path: pathIn(asked),
    code,
    reason: reason && /^\w+$/.test(reason) ? reason : (REASONS[code] ?? 'Unknown'),
    retryAfterMs: waitMs ?? (typeof seconds === 'number' ? seconds * 1000 : null),
    fields: fieldsIn(status),
    by: refuserIn(status.message),
    said: typeof said === 'string' ? said : undefined,
  });
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
