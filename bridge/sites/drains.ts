// Rings the workflow `turns/<cluster>` when the Drain of the cluster changes or is gone, and starts it if the
// Drain asks for something. The workflow reads for itself what that is.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { isNewVersion, type Drain } from '../../crds/drain/drain.ts';
import { isSettledDrain } from '../../crds/drain/status.ts';
import { keyedQueue } from '../../kube/queue.ts';
import { DRAIN_PRIORITY } from '../../workflows/drain/state.ts';
import { drainChanged } from '../../workflows/messages.ts';
import {
  clusterOfTurnsWorkflowId,
  EARLIER_DRAIN_WORKFLOWS,
  HUB_QUEUE,
  TURNS_WORKFLOW,
  turnsWorkflowId,
} from '../../workflows/names.ts';
import type { Watched } from '../changes/watched.ts';
import { BRIDGE_TIMES } from '../times.ts';

export interface Drains {
  /**
   * Starts the workflows that are missing, as after a loss of Temporal's data. Rings those that have not seen
   * the newest generation of their Drain, or whose Drain is gone, and at its first call those of all Drains
   * that are under way. Takes a synced cache. Throws what the Temporal client throws.
   */
  compare(): Promise<void>;
  stop(): Promise<void>;
}

export function keepDrains(
  client: Pick<Client, 'workflow'>,
  { drains }: Pick<Watched, 'drains'>,
  onError: (cluster: string, error: unknown) => void,
): Drains {
  const drainOf = (name: string): Drain | undefined => drains.get({ namespace: null, name });
  const queue = keyedQueue({
    concurrency: 4,
    onError,
    work: (cluster) => ring(client, cluster, drainOf(cluster)),
  });
  const unsubscribe = drains.subscribe(({ type, object, previous }) => {
    if (type !== 'Modified' || isNewVersion(previous, object)) queue.add(object.metadata.name);
  });
  const leftovers = ringSeldom((cluster) => queue.add(cluster));
  let isFirst = true;
  return {
    compare: async () => {
      const running = await listed(client);
      leftovers([...running].filter((cluster) => drainOf(cluster) === undefined));
      for (const drain of drains.list())
        if (isDue(drain, running.has(drain.metadata.name) && !isFirst)) queue.add(drain.metadata.name);
      isFirst = false;
      await endEarlier(client);
    },
    stop: () => {
      unsubscribe();
      return queue.stop();
    },
  };
}

/** The clusters whose workflow runs. */
async function listed(client: Pick<Client, 'workflow'>): Promise<Set<string>> {
  const running = new Set<string>();
  for await (const { workflowId } of client.workflow.list({
    query: `WorkflowType = '${TURNS_WORKFLOW}' AND ExecutionStatus = 'Running'`,
  })) {
    const cluster = clusterOfTurnsWorkflowId(workflowId);
    if (cluster !== null) running.add(cluster);
  }
  return running;
}

/** Nobody has heeded it, or what it asks for is not done and nobody is known to do it. */
function isDue(drain: Drain, isCarriedOut: boolean): boolean {
  const isHeeded = drain.status?.observedGeneration === drain.metadata.generation;
  return !isHeeded || (!isSettledDrain(drain) && !isCarriedOut);
}

/**
 * Rings those without a Drain at once and then seldom: their Drain may have been deleted while no bridge
 * watched, and most of them have never had one, since Capps began them.
 */
function ringSeldom(call: (cluster: string) => void): (clusters: readonly string[]) => void {
  const rang = new Map<string, number>();
  return (clusters) => {
    const now = Date.now();
    for (const cluster of rang.keys()) if (!clusters.includes(cluster)) rang.delete(cluster);
    for (const cluster of clusters) {
      if (now - (rang.get(cluster) ?? 0) < BRIDGE_TIMES.goneDrain.ms) continue;
      rang.set(cluster, now);
      call(cluster);
    }
  };
}

/** Orders of earlier versions fail when they wake: without a ring that may take them ten minutes. */
async function endEarlier(client: Pick<Client, 'workflow'>): Promise<void> {
  const types = EARLIER_DRAIN_WORKFLOWS.map((type) => `'${type}'`).join(', ');
  const query = `WorkflowType IN (${types}) AND ExecutionStatus = 'Running'`;
  for await (const { workflowId } of client.workflow.list({ query })) await wake(client, workflowId);
}

async function ring(
  client: Pick<Client, 'workflow'>,
  cluster: string,
  drain: Drain | undefined,
): Promise<void> {
  const workflowId = turnsWorkflowId(cluster);
  const isOver = drain?.metadata.deletionTimestamp !== undefined || drain === undefined;
  if (isOver || isSettledDrain(drain)) return wake(client, workflowId);
  await client.workflow.signalWithStart(TURNS_WORKFLOW, {
    workflowId,
    taskQueue: HUB_QUEUE,
    args: [{ cluster }],
    signal: drainChanged,
    staticSummary: `Turns to leave ${cluster}`,
    priority: DRAIN_PRIORITY,
  });
}

/** One that does not run needs no ring. */
async function wake(client: Pick<Client, 'workflow'>, workflowId: string): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId).signal(drainChanged);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
