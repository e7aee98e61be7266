// Asks Temporal when an agent last polled its queue, so that no site needs a heartbeat.
import type { Client } from '@temporalio/client';
import { agentQueue } from '../../workflows/names.ts';

/**
 * When an agent on a cluster last began to poll, in milliseconds since the epoch; null if Temporal remembers
 * none (it forgets after five minutes). A poll lasts a minute, so the agent may have been there a minute
 * longer. Throws what the Temporal client throws.
 */
export type LastPoll = (cluster: string) => Promise<number | null>;

/** Asks at most once in `ms` milliseconds for each cluster: several look at the same agents. */
export function remembering(ask: LastPoll, ms: number, now: () => number = Date.now): LastPoll {
  const asked = new Map<string, { readonly at: number; readonly answer: ReturnType<LastPoll> }>();
  return (cluster) => {
    const known = asked.get(cluster);
    if (known !== undefined && now() - known.at < ms) return known.answer;
    const answer = ask(cluster);
    asked.set(cluster, { at: now(), answer });
    answer.catch(() => asked.delete(cluster));
    return answer;
  };
}

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
