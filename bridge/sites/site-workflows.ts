// Keeps one workflow for each managed cluster, which receives the inventories of the cluster's agent.
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { isMember } from '../../crds/ocm/ocm.ts';
import { keyedQueue } from '../../kube/queue.ts';
import { HUB_QUEUE, SITE_WORKFLOW, siteWorkflowId } from '../../workflows/names.ts';
import type { BridgeWatched } from '../changes/watched.ts';

export interface Sites {
  /** Starts missing workflows. Running ones are left alone. */
  ensureAll(): void;
  stop(): Promise<void>;
}

export function keepSites(
  client: Pick<Client, 'workflow'>,
  { clusters }: Pick<BridgeWatched, 'clusters'>,
  onError: (key: string, error: unknown) => void,
): Sites {
  const queue = keyedQueue({
    concurrency: 4,
    onError,
    work: (name) =>
      isMember(clusters.get({ namespace: null, name })) ? ensure(client, name) : end(client, name),
  });
  const ensureAll = (): void => {
    for (const { metadata } of clusters.list()) queue.add(metadata.name);
  };
  const unsubscribe = clusters.subscribe(({ type, object, previous }) => {
    if (type === 'Modified' && isMember(previous ?? undefined) === isMember(object)) return;
    queue.add(object.metadata.name);
  });
  return {
    ensureAll,
    stop: () => {
      unsubscribe();
      return queue.stop();
    },
  };
}

async function ensure(client: Pick<Client, 'workflow'>, cluster: string): Promise<void> {
  await client.workflow.start(SITE_WORKFLOW, {
    workflowId: siteWorkflowId(cluster),
    taskQueue: HUB_QUEUE,
    args: [{ version: 1, cluster, inventories: [] }],
    workflowIdConflictPolicy: 'USE_EXISTING',
    staticSummary: `Inventories of ${cluster}`,
  });
}

async function end(client: Pick<Client, 'workflow'>, cluster: string): Promise<void> {
  try {
    await client.workflow.getHandle(siteWorkflowId(cluster)).cancel();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
