// Somebody who queries a workflow all the while, as a page that shows it does.
import type { WorkflowHandle } from '@temporalio/client';

/** At once, one query after the other in each. */
const LINES = 3;
/** Every workflow of the SDK answers it. */
const QUERY = '__temporal_workflow_metadata';

/**
 * Until what is played has ended. A query that is not answered, since nobody runs the workflow, says nothing.
 */
export async function whileQueried(
  handle: Pick<WorkflowHandle, 'query'>,
  play: () => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const line = async (): Promise<void> => {
    while (!over.signal.aborted) await handle.query(QUERY).catch(() => undefined);
  };
  const lines = Array.from({ length: LINES }, line);
  try {
    await play();
  } finally {
    over.abort();
    await Promise.all(lines);
  }
}
