// Tells the failure of an activity from a bug in workflow code.
import { ActivityFailure, ApplicationFailure, TemporalFailure } from '@temporalio/common';
import { isCancellation } from '@temporalio/workflow';
import { TERMINAL, type RefusedGeneration } from '../failures.ts';

/**
 * An activity has failed for good. The class does not say of what kind: a local activity's failure arrives as
 * an ActivityFailure when it happens, and as its bare cause when it is replayed from its marker (seen with
 * core of 1.24.0), so both must lead to the same commands.
 */
export function isFailed(error: unknown): error is TemporalFailure {
  return error instanceof TemporalFailure && !isCancellation(error);
}

/** Whether the worker has no such activity; by the words of the SDK, which has no type for it. */
export function isUnknownActivity(message: string): boolean {
  return /not registered/i.test(message);
}

/** The message for people. */
export function messageOf(error: TemporalFailure): string {
  const cause = error instanceof ApplicationFailure ? error : error.cause;
  return cause instanceof ApplicationFailure ? cause.message : 'The hub did not answer in time.';
}

/** The generation of the Capp that was refused; null if the failure does not say it. */
export function generationOf(error: TemporalFailure): number | null {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const [about] = (cause instanceof ApplicationFailure ? (cause.details ?? []) : []) as (
    | RefusedGeneration
    | undefined
  )[];
  return about?.generation ?? null;
}

/** Another try would fail in the same way. */
export function isFinal(error: TemporalFailure): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && TERMINAL.some((type) => type === cause.type);
}
