// What a workflow was started with.
import { ApplicationFailure } from '@temporalio/common';
import { Failure } from '../failures.ts';

/**
 * Takes what reads the input. What that throws fails the workflow at once, in its words: a repeat reads the
 * same.
 */
export function inputOf<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw ApplicationFailure.create({
      type: Failure.Invalid,
      message: error instanceof Error ? error.message : String(error),
      nonRetryable: true,
    });
  }
}
