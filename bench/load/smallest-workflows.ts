// Runs the smallest workflow (testbed/smallest-workflow.ts) with a worker in this process.
import { fileURLToPath } from 'node:url';
import { WorkflowNotFoundError, type WorkflowHandle } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { createLog } from '../../workers/process/log.ts';
import { installRuntime, disableWorkflowStacks } from '../../workers/process/temporal-worker.ts';
import { workflowWorker } from '../../workers/hub/workflow-worker.ts';
import { ring, smallest, type Act } from '../../testbed/smallest-workflow.ts';
import type { Testbed } from './testbed.ts';

const SOURCE = fileURLToPath(new URL('../../testbed/smallest-workflow.ts', import.meta.url));

export interface Smallest {
  /**
   * Starts one by a ring. Resolves to the milliseconds until its activity has run. The workflow stays open
   * until the benchmark ends. Throws when the worker ends.
   */
  run(name: string): Promise<number>;
  /** Stops the worker, as the end of the benchmark does. A second call waits for the first. */
  stop(): Promise<void>;
}

/** The worker has the options of the hub worker. Call it once per process. */
export async function smallestWorkflows({ stack, namespace, afterwards }: Testbed): Promise<Smallest> {
  installRuntime(createLog('bench', 'warn'));
  disableWorkflowStacks();
  const connection = await NativeConnection.connect({ address: stack.temporalAddress });
  const waiting = new Map<string, () => void>();
  const act: Act['act'] = async (name) => waiting.get(name)?.();
  const taskQueue = `${namespace}-smallest`;
  const bundlerOptions = { preloadModules: ['@temporalio/workflow', SOURCE] };
  const ended = Promise.withResolvers<never>();
  const end = (): void =>
    ended.reject(new Error('The worker of the smallest workflows has ended, or one of them hangs.'));
  const worker = await workflowWorker(end).create({
    connection,
    taskQueue,
    activities: { act },
    workflowsPath: SOURCE,
    bundlerOptions,
  });
  const running = worker.run().finally(end);
  // Both are awaited elsewhere; here they must not be unhandled.
  for (const promise of [running, ended.promise]) promise.catch(() => undefined);
  const close = async (): Promise<void> => {
    worker.shutdown();
    await running;
    await connection.close();
  };
  let closed: Promise<void> | undefined;
  const stop = (): Promise<void> => (closed ??= close());
  afterwards(stop);
  const started: WorkflowHandle[] = [];
  afterwards(() => Promise.all(started.map(terminate)));
  return {
    run: async (name) => {
      const begun = performance.now();
      const done = new Promise<void>((resolve) => waiting.set(name, resolve));
      const workflowId = `${taskQueue}/${name}`;
      started.push(
        await stack.temporal.workflow.signalWithStart(smallest, {
          taskQueue,
          workflowId,
          args: [name],
          signal: ring,
        }),
      );
      await Promise.race([done, ended.promise]);
      return performance.now() - begun;
    },
    stop,
  };
}

/** It has gone where the benchmark has lost Temporal's data. */
async function terminate(handle: WorkflowHandle): Promise<void> {
  await handle.terminate('the benchmark has ended').catch((error: unknown) => {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  });
}
