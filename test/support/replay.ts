// Replays a history against the workflows as they are now: a command that differs is an error that names it.
import { Worker } from '@temporalio/worker';
import { workflowBundle } from './bundle.ts';
import { RESYNC } from './commands.ts';
import type { Book } from './history.ts';

/** Throws DeterminismViolationError when the workflow says something else than the history. */
export async function replay(history: { readonly events: readonly unknown[] }): Promise<void> {
  await Worker.runReplayHistory({ workflowBundle: await workflowBundle(), replayName: 'test' }, history, begunAs(history).workflowId);
}

/** Replays many by one worker, which takes milliseconds each; gives what went wrong by name. */
export async function replayAll(
  histories: ReadonlyMap<string, { readonly events: readonly unknown[] }>,
): Promise<Map<string, Error | undefined>> {
  const nameOf = new Map([...histories].map(([name, history]) => [begunAs(history).originalExecutionRunId, name]));
  const named = [...histories.values()].map((history) => ({ workflowId: begunAs(history).workflowId, history }));
  const results = new Map<string, Error | undefined>();
  for await (const { runId, error } of Worker.runReplayHistories({ workflowBundle: await workflowBundle(), replayName: 'test' }, named)) {
    results.set(nameOf.get(runId) ?? runId, error);
  }
  return results;
}

interface Begun {
  readonly workflowId: string;
  readonly originalExecutionRunId: string;
}

/** A drain looks at its own id. */
function begunAs({ events: [first] }: { readonly events: readonly unknown[] }): Begun {
  return (first as { readonly workflowExecutionStartedEventAttributes: Begun }).workflowExecutionStartedEventAttributes;
}

/**
 * Replays a written history of a Capp. Replay does not miss a command that the last turn lacks, so a day passes at the end of one that is
 * still open: whatever the workflow said beyond its last turn then stands before the next day's timer. (Only one more timer would pass for it.)
 */
export async function follows(book: Book): Promise<void> {
  await replay(book.isOpen ? book.resyncs().turn(RESYNC) : book);
}
