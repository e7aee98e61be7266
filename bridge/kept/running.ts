// Which workflows run, as Temporal's visibility knows it, which lags by a moment.
import type { Client } from '@temporalio/client';

/** The ids of those of these types which `isOwn` takes; none for no type. Throws what the client throws. */
export async function runningIn(
  client: Pick<Client, 'workflow'>,
  types: readonly string[],
  isOwn: (workflowId: string) => boolean = () => true,
): Promise<ReadonlySet<string>> {
  const running = new Set<string>();
  if (types.length === 0) return running;
  const named = types.map((type) => `'${type}'`).join(', ');
  for await (const { workflowId } of client.workflow.list({
    query: `WorkflowType IN (${named}) AND ExecutionStatus = 'Running'`,
  }))
    if (isOwn(workflowId)) running.add(workflowId);
  return running;
}
