// Ends what still runs of workflow types of earlier versions. Such a history is none that today's code can
// follow: it would fail with its next task and do nothing (`EARLIER_FAIL` of the hub worker), but that may
// come a day later, and until then it would hold the id of its object.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { runningIn } from './running.ts';

/**
 * Gives the ids of those that it has ended, or that have ended meanwhile. One that Temporal refuses to end is
 * told to `onError`, and keeps nothing from the others. Throws what the Temporal client throws for a list.
 */
export async function endEarlier(
  client: Pick<Client, 'workflow'>,
  types: readonly string[],
  onError: (workflowId: string, error: unknown) => void,
): Promise<readonly string[]> {
  const ended: string[] = [];
  for (const id of await runningIn(client, types))
    try {
      await client.workflow
        .getHandle(id)
        .terminate('Its type is of an earlier version of Cappstan, and nothing follows it any more.')
        .catch(ignoreEnded);
      ended.push(id);
    } catch (error) {
      onError(id, error);
    }
  return ended;
}

function ignoreEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
