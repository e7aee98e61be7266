// Measures the way of a verdict with a worker in this process: from the moment at which a workflow asks an
// agent until it sees the answer.
import { fileURLToPath } from 'node:url';
import { NativeConnection } from '@temporalio/worker';
import { agentQueue } from '../../../workflows/names.ts';
import { createLog } from '../../../workers/process/log.ts';
import { installRuntime, disableWorkflowStacks } from '../../../workers/process/temporal-worker.ts';
import { workflowWorker } from '../../../workers/hub/workflow-worker.ts';
import { verdict, type Marks } from '../../../testbed/verdict-workflow.ts';
import type { InjectedSinks } from '@temporalio/worker';
import type { Testbed } from '../testbed.ts';

const SOURCE = fileURLToPath(new URL('../../../testbed/verdict-workflow.ts', import.meta.url));

/** Milliseconds. Throws when no agent answers within five minutes. */
export type VerdictTimer = (cluster: string) => Promise<number>;

/** The worker has the options of the hub worker, and ends with the benchmark. Call it once per process. */
export async function verdicts({ stack, namespace, afterwards }: Testbed): Promise<VerdictTimer> {
  installRuntime(createLog('bench', 'warn'));
  disableWorkflowStacks();
  const connection = await NativeConnection.connect({ address: stack.temporalAddress });
  const taskQueue = `${namespace}-verdicts`;
  const asked = new Map<string, number>();
  const seen = new Map<string, number>();
  const sinks: InjectedSinks<Marks> = {
    mark: {
      asks: { fn: ({ workflowId }) => void asked.set(workflowId, performance.now()) },
      sees: { fn: ({ workflowId }) => void seen.set(workflowId, performance.now()) },
    },
  };
  const worker = await workflowWorker(() => undefined).create({
    connection,
    taskQueue,
    workflowsPath: SOURCE,
    sinks,
  });
  const running = worker.run();
  // It is awaited at the end; until then it must not be unhandled.
  running.catch(() => undefined);
  afterwards(async () => {
    worker.shutdown();
    await running;
    await connection.close();
  });
  return async (cluster) => {
    const workflowId = `${taskQueue}/${crypto.randomUUID()}`;
    const options = { taskQueue, workflowId, args: [agentQueue(cluster)] as [string] };
    await stack.temporal.workflow.execute(verdict, options);
    return (seen.get(workflowId) ?? Number.NaN) - (asked.get(workflowId) ?? Number.NaN);
  };
}
