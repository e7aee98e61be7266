// Metrics for operators: moves by reason and result, their duration and wait. No label per Capp, since there
// may be thousands.
import { metricMeter, workflowInfo } from '@temporalio/workflow';
import { rolledOut } from '../capp/facts/rolled-out.ts';
import type { State } from '../capp/state.ts';

/**
 * Counts a message that could not be read, by the type of the workflow that received it. Replays count
 * nothing.
 */
export function countUnreadable(): void {
  const { workflowType } = workflowInfo();
  metricMeter
    .createCounter(
      'cappstan_messages_unreadable_total',
      undefined,
      'Signals, Updates and answers that could not be read',
    )
    .add(1, { workflow: workflowType });
}

/** Counts a Capp whose workflow keeps failing. Replays count nothing. */
export function failing(): void {
  metricMeter
    .createCounter(
      'cappstan_workflows_failing_total',
      undefined,
      'Workflows of Capps whose task was found to fail again and again',
    )
    .add(1);
}

/** Counts verdicts, and moves that a step has begun or ended. Replays count nothing. */
export function measure(before: State, after: State): void {
  for (const { result, took } of rolledOut(before, after)) {
    metricMeter
      .createCounter(
        'cappstan_rollouts_total',
        undefined,
        'Generations of Capps about which a site has given its verdict',
      )
      .add(1, { result });
    metricMeter
      .createHistogram(
        'cappstan_rollout_duration_seconds',
        'float',
        undefined,
        'Seconds from sending a generation to the verdict of its site',
      )
      .record(took / 1000, { result });
  }
  const { lastMove, move } = after;
  if (lastMove !== null && lastMove.at !== before.lastMove?.at) {
    const labels = { reason: lastMove.reason, result: lastMove.result };
    metricMeter.createCounter('cappstan_moves_total', undefined, 'Moves that have ended').add(1, labels);
    metricMeter
      .createHistogram(
        'cappstan_move_duration_seconds',
        'float',
        undefined,
        'Seconds from the first step of a move to its end',
      )
      .record((lastMove.at - lastMove.since) / 1000, labels);
  }
  if (move !== null && before.move === null && before.leave !== null) {
    const waited = Math.max(0, move.since - before.leave.since);
    metricMeter
      .createHistogram(
        'cappstan_move_wait_seconds',
        'float',
        undefined,
        'Seconds from the reason to leave to the first step',
      )
      .record(waited / 1000, { reason: move.reason });
  }
}
