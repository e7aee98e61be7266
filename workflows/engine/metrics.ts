// Metrics for operators: moves by reason and result, their duration and wait. No label per Capp, since there
// may be thousands.
import { metricMeter, workflowInfo } from '@temporalio/workflow';
import type { State } from '../capp/state.ts';

/**
 * Counts a message that could not be read, by the type of the workflow that received it. Replays count
 * nothing.
 */
export function countUnreadable(): void {
  const { workflowType } = workflowInfo();
  metricMeter
    .createCounter('messages_unreadable', undefined, 'Signals, Updates and answers that could not be read')
    .add(1, { workflow: workflowType });
}

/** Counts a Capp whose workflow keeps failing. Replays count nothing. */
export function failing(): void {
  metricMeter
    .createCounter(
      'capp_workflows_failing',
      undefined,
      'Workflows of Capps whose task failed again and again',
    )
    .add(1);
}

/** Counts moves that a step has begun or ended. Replays count nothing. */
export function measure(before: State, after: State): void {
  const { lastMove, move } = after;
  if (lastMove !== null && lastMove.at !== before.lastMove?.at) {
    const labels = { reason: lastMove.reason, result: lastMove.result };
    metricMeter.createCounter('capp_moves', undefined, 'Moves of Capps that have ended').add(1, labels);
    metricMeter
      .createHistogram('capp_move_duration', 'int', 'ms', 'From the first step of a move to its end')
      .record(lastMove.at - lastMove.since, labels);
  }
  if (move !== null && before.move === null && before.leave !== null) {
    const waited = Math.max(0, move.since - before.leave.since);
    metricMeter
      .createHistogram('capp_move_wait', 'int', 'ms', 'From the reason to leave to the first step')
      .record(waited, { reason: move.reason });
  }
}
