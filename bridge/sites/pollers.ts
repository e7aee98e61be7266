// Asks Temporal when an agent last polled its queue, so that no site needs a heartbeat.
import type { Client } from '@temporalio/client';
import { agentQueue } from '../../workflows/names.ts';

/**
 * When an agent on a cluster last began to poll, in milliseconds since the epoch; null if Temporal remembers
 * none (it forgets after five minutes). A poll lasts a minute, so the agent may have been there a minute
 * longer. Throws what the Temporal client throws.
 */
export type LastPoll = (cluster: string) => Promise<number | null>;

/** TASK_QUEUE_TYPE_ACTIVITY, which the client does not export (temporal: api/enums/v1/task_queue.proto). */
const ACTIVITIES = 2;

export function lastPollBy({
  connection,
  options: { namespace },
}: Pick<Client, 'connection' | 'options'>): LastPoll {
  return async (cluster) => {
    const taskQueue = { name: agentQueue(cluster) };
    const { pollers } = await connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue,
      taskQueueType: ACTIVITIES,
    });
    const times = (pollers ?? []).map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1000);
    return times.length === 0 ? null : Math.max(...times);
  };
}
