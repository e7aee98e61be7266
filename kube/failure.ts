// The one error of our client. It says what was asked and how it was refused. It quotes an answer only for
// programs that asked for that: a body may quote Secret data.

export interface ApiRefusal {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** HTTP status; 0 when there was no answer that could be read. */
  readonly code: number;
  /**
   * Kubernetes' StatusReason, or ours where there is none: Unreachable, Timeout, Idle, Ended, Unreadable,
   * TooLong, NoCredentials.
   */
  readonly reason: string;
  readonly retryAfterMs?: number | null;
  readonly fields?: readonly string[];
  readonly by?: string | null;
  readonly said?: string | undefined;
  readonly cause?: unknown;
}

export class ApiError extends Error {
  readonly method: string;
  readonly path: string;
  readonly code: number;
  readonly reason: string;
  /** How long the server asked to be left alone, in milliseconds; null if it did not. */
  readonly retryAfterMs: number | null;
  /**
   * When the API calls an object invalid: each offending field's path and what kind of offence it is, never
   * its value.
   */
  readonly fields: readonly string[];
  /**
   * The policy, webhook or quota that refuses, by its kind and its name; null if none does, or none is named.
   */
  readonly by: string | null;
  /** The server's own message; only where the transport or the call quotes refusals. */
  declare readonly said?: string;

  constructor({
    method,
    path,
    code,
    reason,
    retryAfterMs = null,
    fields = [],
    by = null,
    said,
    cause,
  }: ApiRefusal) {
    super(
      `${method} ${path}: ${code === 0 ? '' : `${code} `}${reason}`,
      cause === undefined ? undefined : { cause },
    );
    this.name = 'ApiError';
    this.method = method;
    this.path = path;
    this.code = code;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
    this.fields = fields;
    this.by = by;
    if (said !== undefined) this.said = said;
  }
}

export function isNotFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 404;
}

/** Another write came first, or a precondition (uid, resourceVersion) failed. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 409 && error.reason !== 'AlreadyExists';
}

export function isAlreadyExists(error: unknown): error is ApiError {
  return error instanceof ApiError && error.reason === 'AlreadyExists';
}

export function isInvalid(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 422;
}

export function isForbidden(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 403;
}

/** The resourceVersion or page token is older than what the server remembers. */
export function isExpired(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 410;
}

/** After this many conflicts in a row the caller has to try later. */
const MOST_TRIES = 4;

/**
 * Runs the body again, from its first read on, after a Conflict. `tries` counts the runs from 1. Throws the
 * last Conflict.
 */
export async function retryOnConflict<T>(body: (tries: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await body(tries);
    } catch (error) {
      if (!isConflict(error) || tries === MOST_TRIES) throw error;
    }
  }
}

/** The server had answered and then was silent: nothing changed, or the connection is dead. */
export function isSilence(error: unknown): boolean {
  return error instanceof ApiError && error.code === 0 && error.reason === 'Idle';
}

/** The watch can resume at its last version; after any other refusal (410 above all) it must list. */
export function leavesNoHole(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 429 || (error.code === 0 && error.reason !== 'Unreadable');
}
