// Temporal's worker without the watchdog that its SDK starts, as a thread of its own, for every call into a workflow: see decision 20.
import { Worker } from '@temporalio/worker';
import { answeringIn } from '../process/in-time.ts';

type Make = (typeof Worker)['createWorkflowCreator'];

/** A turn takes milliseconds. A workflow that has not come back for so long never will. */
export const STUCK_MS = 30_000;

/** A Worker that calls `onStuck` when a workflow has kept its thread busy for `STUCK_MS`. */
export function workflowWorker(onStuck: () => void): typeof Worker {
  return class extends Worker {
    protected static override async createWorkflowCreator(...[bundle, options, logger]: Parameters<Make>): ReturnType<Make> {
      // The SDK hands the figure to `node:vm`, which starts no watchdog for undefined.
      const isolateExecutionTimeoutMs = undefined as unknown as number;
      const creator = await super.createWorkflowCreator(bundle, { ...options, isolateExecutionTimeoutMs }, logger);
      return {
        createWorkflow: async (workflow) => answeringIn(STUCK_MS, await creator.createWorkflow(workflow), onStuck),
        destroy: () => creator.destroy(),
      };
    }
  };
}
