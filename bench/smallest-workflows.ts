// Runs many of the smallest workflow at once, with a worker of its own beside the client that starts them.
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { eventually } from '../test/support/eventually.ts';
import { createLog } from '../workers/log.ts';
import { installRuntime, spareWorkflowStacks } from '../workers/temporal-worker.ts';
import { ring, smallest, type Act } from './smallest-workflow.ts';
import type { Stage } from './stage.ts';

const SOURCE = fileURLToPath(new URL('./smallest-workflow.ts', import.meta.url));
const DONE = { withinMs: 600_000, everyMs: 5 };

/**
 * Starts workflows of these names at once, each by a ring, and says how many a second have done their one thing. They stay, at rest, until the
 * measure ends. Throws when one has not come so far after ten minutes. To be called once in a process.
 */
export async function smallestPerSecond({ stack, namespace, afterwards }: Stage, names: readonly string[]): Promise<number> {
  installRuntime(createLog('bench', 'warn'));
  spareWorkflowStacks();
  const connection = await NativeConnection.connect({ address: stack.temporalAddress });
  const done = new Set<string>();
  const act: Act['act'] = async (name) => void done.add(name);
  const taskQueue = `${namespace}-smallest`;
  const bundlerOptions = { preloadModules: ['@temporalio/workflow', SOURCE] };
  const worker = await Worker.create({ connection, taskQueue, activities: { act }, workflowsPath: SOURCE, bundlerOptions });
  const started: WorkflowHandle[] = [];
  afterwards(() => Promise.all(started.map((handle) => handle.terminate('the measure is over'))));
  const begun = performance.now();
  const seconds = await worker.runUntil(async () => {
    const starting = names.map(async (name) => {
      const workflowId = `${taskQueue}/${name}`;
      started.push(await stack.temporal.workflow.signalWithStart(smallest, { taskQueue, workflowId, args: [name], signal: ring }));
    });
    await Promise.all([...starting, eventually(() => (done.size === names.length ? true : undefined), DONE)]);
    return (performance.now() - begun) / 1_000;
  });
  await connection.close();
  return names.length / seconds;
}
