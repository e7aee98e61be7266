// Temporal's worker without the watchdog that its SDK starts, as a thread of its own, for every call into a
// workflow: see decision 20.
import { Worker } from '@temporalio/worker';
import { HUB_TIMES } from '../../activities/hub/times.ts';

type Make = (typeof Worker)['createWorkflowCreator'];

/** A Worker that calls `onStuck` when a workflow has blocked its thread for `HUB_TIMES.blocked.ms`. */
export function workflowWorker(onStuck: () => void): typeof Worker {
  return class extends Worker {
    protected static override async createWorkflowCreator(
      ...[bundle, options, logger]: Parameters<Make>
    ): ReturnType<Make> {
      // The SDK hands the figure to `node:vm`, which starts no watchdog for undefined.
      const isolateExecutionTimeoutMs = undefined as unknown as number;
      const creator = await super.createWorkflowCreator(
        bundle,
        { ...options, isolateExecutionTimeoutMs },
        logger,
      );
      return {
        createWorkflow: async (workflow) =>
          withWatchdog(HUB_TIMES.blocked.ms, await creator.createWorkflow(workflow), onStuck),
        destroy: () => creator.destroy(),
      };
    }
  };
}

/**
 * Wraps an object. `late` is called if a promise that one of its methods returns is not settled within that
 * many milliseconds.
 */
export function withWatchdog<T extends object>(milliseconds: number, target: T, late: () => void): T {
  return new Proxy(target, {
    get: (object, key) => {
      const member: unknown = Reflect.get(object, key);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(member, object, args);
        if (answer instanceof Promise) watch(answer, milliseconds, late);
        return answer;
      };
    },
  });
}

/** In two halves: a process that was itself suspended receives answers before the second half is over. */
function watch(answer: Promise<unknown>, milliseconds: number, late: () => void): void {
  const half = milliseconds / 2;
  let timer = setTimeout(() => {
    timer = setTimeout(late, half).unref();
  }, half).unref();
  const settled = (): void => clearTimeout(timer);
  answer.then(settled, settled);
}
