// The deeds of the world in memory: each is noted, and can be held at its begin or made to fail at its end.
import { ApplicationFailure } from '@temporalio/common';
import type { Agent } from '../../../../workflows/ports/agent.ts';
import type { Hub } from '../../../../workflows/ports/hub.ts';

export type ActivityName = keyof Hub | keyof Agent;

export interface Deeds {
  /** The activities that were called, in order. */
  readonly calls: ActivityName[];
  /** Does what an activity does, when it is not held; throws what it was told to, after that. */
  does<T>(activity: ActivityName, body: () => T | Promise<T>): Promise<T>;
  /** The next `times` of a deed fail after they have done their work. */
  fail(activity: ActivityName, times: number, type?: string): void;
  /** Holds every deed of this name at its begin until released. */
  hold(activity: ActivityName): { readonly arrived: Promise<void>; release(): void };
}

export function deeds(): Deeds {
  const calls: ActivityName[] = [];
  const failures = new Map<ActivityName, { left: number; type: string }>();
  const gates = new Map<ActivityName, { arrive: () => void; open: Promise<void> }>();
  return {
    calls,
    does: async (activity, body) => {
      calls.push(activity);
      const gate = gates.get(activity);
      gate?.arrive();
      await gate?.open;
      const result = await body();
      const failure = failures.get(activity);
      if (failure === undefined || failure.left === 0) return result;
      failure.left -= 1;
      throw ApplicationFailure.create({ type: failure.type, message: `${activity} was told to fail` });
    },
    fail: (activity, times, type = 'Unreachable') => void failures.set(activity, { left: times, type }),
    hold: (activity) => {
      const arrived = Promise.withResolvers<void>();
      const open = Promise.withResolvers<void>();
      gates.set(activity, { arrive: arrived.resolve, open: open.promise });
      return {
        arrived: arrived.promise,
        release: () => {
          gates.delete(activity);
          open.resolve();
        },
      };
    },
  };
}
