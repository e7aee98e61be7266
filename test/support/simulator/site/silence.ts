// What a workflow hears of an agent that does not answer.
import { ActivityFailure, RetryState, TimeoutFailure } from '@temporalio/common';

export function silence(name: string): ActivityFailure {
  const cause = new TimeoutFailure('activity ScheduleToStart timeout', undefined, 'SCHEDULE_TO_START');
  return new ActivityFailure(
    'Activity task timed out',
    name,
    undefined,
    RetryState.TIMEOUT,
    undefined,
    cause,
  );
}
