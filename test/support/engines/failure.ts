// Failures, as Temporal's JSON histories carry them.
import { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';
import { allOf, type Json } from '../replay/payloads.ts';

/** As the server has it: the workflow is told of an activity's failure by what caused it. */
export function failureOf(error: Error): Json {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const message = cause?.message ?? '';
  if (cause instanceof TimeoutFailure)
    return { message, timeoutFailureInfo: { timeoutType: `TIMEOUT_TYPE_${cause.timeoutType}` } };
  if (!(cause instanceof ApplicationFailure)) throw new Error(`no history says ${String(cause)}`);
  const { type, nonRetryable, details } = cause;
  return {
    message,
    applicationFailureInfo: {
      type,
      nonRetryable: nonRetryable === true,
      ...(details ? { details: allOf(details) } : {}),
    },
  };
}
