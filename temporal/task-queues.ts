// Asks Temporal about a task queue: who polls it, and how long its oldest task has waited.
import type { Client } from '@temporalio/client';

export type Service = Pick<Client, 'connection' | 'options'>;

/** TaskQueueType, which the client does not export (temporal: api/enums/v1/task_queue.proto). */
const TYPES = { Workflow: 1, Activity: 2 } as const;

export interface TaskQueue {
  readonly name: string;
  readonly tasks: keyof typeof TYPES;
}

export interface Poller {
  /** Empty for one without a build. */
  readonly build: string;
  /** When it last began to poll, in milliseconds since the epoch. */
  readonly polledAt: number;
}

/** Temporal forgets pollers after five minutes. Throws what the Temporal client throws. */
export async function pollersOf(service: Service, queue: TaskQueue): Promise<readonly Poller[]> {
  const { pollers } = await describe(service, queue);
  return (pollers ?? []).map(({ deploymentOptions, lastAccessTime }) => ({
    build: deploymentOptions?.buildId ?? '',
    polledAt: Number(lastAccessTime?.seconds ?? 0) * 1000,
  }));
}

/**
 * In milliseconds; null if Temporal does not say. Its servers renew this figure every five seconds; older
 * ones have none. Throws what the Temporal client throws.
 */
export async function backlogOf(service: Service, queue: TaskQueue): Promise<number | null> {
  const { stats } = await describe(service, queue, { reportStats: true });
  if (stats == null) return null;
  const { seconds = 0, nanos = 0 } = stats.approximateBacklogAge ?? {};
  return Number(seconds) * 1_000 + Number(nanos) / 1e6;
}

function describe(
  { connection, options: { namespace } }: Service,
  { name, tasks }: TaskQueue,
  more: { readonly reportStats?: boolean } = {},
) {
  const taskQueue = { name };
  return connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue,
    taskQueueType: TYPES[tasks],
    ...more,
  });
}
