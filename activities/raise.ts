// The only place that creates failures for Temporal: API errors become one of a closed list, without the
// response body.
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { ApiError } from '../kube/failure.ts';
import { Failure, TERMINAL, type RefusedGeneration } from '../workflows/failures.ts';

/**
 * Runs an activity's body. What it throws becomes an ApplicationFailure whose type decides whether to try
 * again.
 */
export async function raising<T>(body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw failureOf(error);
  }
}

/**
 * The same for a generation of a Capp: a final refusal carries its generation, and a message of its own if
 * there is one.
 */
export async function refusedAs<T>(
  generation: number,
  words: (error: ApiError) => string | null,
  body: () => Promise<T>,
): Promise<T> {
  try {
    return await body();
  } catch (error) {
    const isFinal = error instanceof ApiError && TERMINAL.includes(typeOf(error.code));
    throw isFinal ? failureOf(error, { generation }, words(error)) : error;
  }
}

/** The API server does not answer, or its answer does not tell whether it accepts the request. */
export function isUnreachable(error: unknown): error is ApiError {
  return error instanceof ApiError && typeOf(error.code) === Failure.Unreachable;
}

export function failureOf(error: unknown, about?: RefusedGeneration, words: string | null = null): unknown {
  if (error instanceof CancelledFailure) return endedBy(error);
  if (!(error instanceof ApiError)) return error;
  const type = typeOf(error.code);
  return ApplicationFailure.create({
    type,
    message: words ?? error.message,
    nonRetryable: TERMINAL.includes(type),
    ...(about === undefined ? {} : { details: [about] }),
    ...(error.retryAfterMs === null ? {} : { nextRetryDelay: error.retryAfterMs }),
  });
}

/**
 * Only a cancellation by the workflow counts. A workflow that waits would take a cancellation by a stopping
 * worker or a timeout for its own.
 */
function endedBy(error: CancelledFailure): unknown {
  if (error.message === 'CANCELLED') return error;
  return ApplicationFailure.create({
    type: Failure.Unreachable,
    message: `The try was ended: ${error.message}`,
  });
}

function typeOf(code: number): Failure {
  if (code === 409) return Failure.Conflict;
  if (code === 403) return Failure.Forbidden;
  if (code === 400 || code === 422) return Failure.Invalid;
  return code === 404 ? Failure.Gone : Failure.Unreachable;
}
