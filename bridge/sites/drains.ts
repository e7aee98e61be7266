// Keeps an order for each Drain: rings the workflow `drain/<cluster>` when the Drain changes, and starts it
// if work is left. The workflow reads for itself what the Drain asks for.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Drain } from '../../crds/drain/drain.ts';
import { isSettledDrain } from '../../crds/drain/status.ts';
import { keyedQueue } from '../../kube/queue.ts';
import { DRAIN_PRIORITY } from '../../workflows/drain/state.ts';
import { drainChanged } from '../../workflows/messages.ts';
import {
  clusterOfDrainWorkflowId,
  DRAIN_WORKFLOW,
  drainWorkflowId,
  HUB_QUEUE,
} from '../../workflows/names.ts';
import type { Watched } from '../changes/watched.ts';
import { BRIDGE_TIMES } from '../times.ts';

export interface DrainOrders {
  /**
   * Starts missing orders, as after a loss of Temporal's data. Rings orders that have not seen the newest
   * generation of their Drain, or whose Drain is gone. Takes a synced cache. Throws what the Temporal client
   * throws.
   */
  compare(): Promise<void>;
  stop(): Promise<void>;
}

export function keepDrainOrders(
  client: Pick<Client, 'workflow'>,
  { drains }: Pick<Watched, 'drains'>,
  onError: (cluster: string, error: unknown) => void,
): DrainOrders {
  const drainOf = (name: string): Drain | undefined => drains.get({ namespace: null, name });
  const queue = keyedQueue({
    concurrency: 4,
    onError,
    work: (cluster) => ring(client, cluster, drainOf(cluster)),
  });
  const unsubscribe = drains.subscribe(({ type, object, previous }) => {
    if (type !== 'Modified' || isNews(previous, object)) queue.add(object.metadata.name);
  });
  /** When each order without a Drain was last rung: people start orders by hand, so they are rung seldom. */
  const rang = new Map<string, number>();
  return {
    compare: async () => {
      const now = Date.now();
      const running = new Set<string>();
      for await (const { workflowId } of client.workflow.list({
        query: `WorkflowType = '${DRAIN_WORKFLOW}' AND ExecutionStatus = 'Running'`,
      })) {
        const cluster = clusterOfDrainWorkflowId(workflowId);
        if (cluster === null) continue;
        running.add(cluster);
        if (drainOf(cluster) !== undefined || now - (rang.get(cluster) ?? 0) < BRIDGE_TIMES.goneDrain.ms)
          continue;
        rang.set(cluster, now);
        queue.add(cluster);
      }
      for (const cluster of rang.keys()) if (!running.has(cluster)) rang.delete(cluster);
      for (const drain of drains.list()) {
        const isHeeded = drain.status?.observedGeneration === drain.metadata.generation;
        const isDue = !isHeeded || (!isSettledDrain(drain) && !running.has(drain.metadata.name));
        if (isDue) queue.add(drain.metadata.name);
      }
    },
    stop: () => {
      unsubscribe();
      return queue.stop();
    },
  };
}

/** A change of the status alone is no news. */
function isNews(before: Drain, { metadata }: Drain): boolean {
  return (
    before.metadata.uid !== metadata.uid ||
    before.metadata.generation !== metadata.generation ||
    before.metadata.deletionTimestamp !== metadata.deletionTimestamp
  );
}

async function ring(
  client: Pick<Client, 'workflow'>,
  cluster: string,
  drain: Drain | undefined,
): Promise<void> {
  const workflowId = drainWorkflowId(cluster);
  if (drain === undefined || drain.metadata.deletionTimestamp !== undefined || isSettledDrain(drain)) {
    await client.workflow.getHandle(workflowId).signal(drainChanged).catch(ignoreEnded);
    return;
  }
  await client.workflow.signalWithStart(DRAIN_WORKFLOW, {
    workflowId,
    taskQueue: HUB_QUEUE,
    args: [{ cluster, drain: drain.metadata.uid ?? '' }],
    signal: drainChanged,
    staticSummary: `Drain of ${cluster}`,
    priority: DRAIN_PRIORITY,
  });
}

/** No order runs for this Drain, so there is nobody to ring. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
