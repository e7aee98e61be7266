// Replays histories on Temporal's own engine, and records every activation.
import type { InjectedSinks } from '@temporalio/worker';
import { Worker } from '../replay/replaying-worker.ts';
import { recordingBundle } from '../flow/bundle.ts';
import type { Activation, Recorder } from './record-activations.ts';

export interface Recorded {
  readonly events: readonly unknown[];
}

export interface ReplayedRun {
  /** Set if the workflow's commands differ from the history. */
  readonly error: Error | undefined;
  readonly activations: readonly Activation[];
}

interface Begun {
  readonly workflowId: string;
  readonly originalExecutionRunId: string;
}

/** Takes and gives runs by name. Takes milliseconds for each. */
export async function replayedRuns(
  histories: ReadonlyMap<string, Recorded>,
): Promise<ReadonlyMap<string, ReplayedRun>> {
  const activations = new Map<string, Activation[]>();
  const record = ({ runId }: { readonly runId: string }, activation: Activation): void => {
    const known = activations.get(runId) ?? [];
    known.push(activation);
    activations.set(runId, known);
  };
  const sinks: InjectedSinks<Recorder> = { activations: { record: { fn: record, callDuringReplay: true } } };
  const options = { workflowBundle: await recordingBundle(), replayName: 'engines', sinks };
  const named = [...histories.values()].map((history) => ({
    workflowId: begunAs(history).workflowId,
    history,
  }));
  const errors = new Map<string, Error | undefined>();
  for await (const { runId, error } of Worker.runReplayHistories(options, named)) errors.set(runId, error);
  const runs = [...histories].map(([name, history]) => {
    const { originalExecutionRunId: runId } = begunAs(history);
    return [name, { error: errors.get(runId), activations: activations.get(runId) ?? [] }] as const;
  });
  return new Map(runs);
}

function begunAs({ events: [first] }: Recorded): Begun {
  return (first as { readonly workflowExecutionStartedEventAttributes: Begun })
    .workflowExecutionStartedEventAttributes;
}
