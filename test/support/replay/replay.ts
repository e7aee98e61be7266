// Replays a history against the workflows as they are now: a command that differs is an error that names it,
// and what was said is written down.
import type { InjectedSinks, ReplayWorkerOptions } from '@temporalio/worker';
import { Worker } from './replaying-worker.ts';
import { callRecordingBundle } from '../flow/bundle.ts';
import { RESYNC } from './commands.ts';
import type { Said } from './call-recorder.ts';
import type { Book } from './book.ts';
import { Transcript } from './transcript.ts';

interface Recorded {
  readonly events: readonly unknown[];
}

export interface Replayed {
  readonly error: Error | undefined;
  /** Every call that left the workflow, with its arguments, one line each. */
  readonly said: readonly string[];
}

/**
 * Replays a written history: the workflow must answer with its commands, and say in them what it said when
 * the snapshots were written. `make record` writes them anew after a change that is meant. Throws
 * DeterminismViolationError for another command.
 */
export async function replays(history: Recorded): Promise<void> {
  const transcripts = new Map<string, Transcript>();
  await Worker.runReplayHistory(await listening(transcripts), history, begunAs(history).workflowId);
  const said = [...transcripts.values()].flatMap(({ lines }) => lines);
  expect(said.join('\n')).toMatchSnapshot();
}

/**
 * Replays many by one worker, which takes milliseconds each; gives by name what went wrong, and what was
 * said.
 */
export async function replayAll(histories: ReadonlyMap<string, Recorded>): Promise<Map<string, Replayed>> {
  const nameOf = new Map(
    [...histories].map(([name, history]) => [begunAs(history).originalExecutionRunId, name]),
  );
  const named = [...histories.values()].map((history) => ({
    workflowId: begunAs(history).workflowId,
    history,
  }));
  const transcripts = new Map<string, Transcript>();
  const errors = new Map<string, Error | undefined>();
  for await (const { runId, error } of Worker.runReplayHistories(await listening(transcripts), named))
    errors.set(runId, error);
  const results = [...errors].map(
    ([runId, error]) =>
      [nameOf.get(runId) ?? runId, { error, said: transcripts.get(runId)?.lines ?? [] }] as const,
  );
  return new Map(results);
}

/** A worker for replays that notes down, by run, what is said. */
async function listening(transcripts: Map<string, Transcript>): Promise<ReplayWorkerOptions> {
  const note = ({ runId }: { readonly runId: string }, kind: string, what: string): void => {
    const transcript = transcripts.get(runId) ?? new Transcript();
    transcripts.set(runId, transcript);
    transcript.note(kind, what);
  };
  const sinks: InjectedSinks<Said> = { said: { note: { fn: note, callDuringReplay: true } } };
  return { workflowBundle: await callRecordingBundle(), replayName: 'test', sinks };
}

interface Begun {
  readonly workflowId: string;
  readonly originalExecutionRunId: string;
}

/** A drain looks at its own id. */
function begunAs({ events: [first] }: Recorded): Begun {
  return (first as { readonly workflowExecutionStartedEventAttributes: Begun })
    .workflowExecutionStartedEventAttributes;
}

/**
 * Replays a written history of a Capp. Replay does not miss a command that the last turn lacks, so a day
 * passes at the end of one that is still open: whatever the workflow said beyond its last turn then stands
 * before the next day's timer. (Only one more timer would pass for it.)
 */
export async function follows(book: Book): Promise<void> {
  await replays(book.isOpen ? book.resyncs().turn(RESYNC) : book);
}
