// Somebody who queries a workflow all the while, as a page that shows it does.
import type { WorkflowHandle } from '@temporalio/client';

/** At once, one query after the other in each. */
const LINES = 3;
/** Every workflow of the SDK answers it. */
const QUERY = '__temporal_workflow_metadata';

/** Until what is played has ended. A query that is not answered, since nobody runs the workflow, says nothing. */
export async function whileQueried(
  handle: Pick<WorkflowHandle, 'query'>,
  play: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  const line = async (): Promise<void> => {
    while (!isOver) await handle.query(QUERY).catch(() => undefined);
  };
  const lines = Array.from({ length: LINES }, line);
  try {
    await play();
  } finally {
    isOver = true;
    await Promise.all(lines);
  }
}
