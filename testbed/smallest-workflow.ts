// The least that a durable rollout can be: a workflow that hears a ring, does one thing at once and stays. What it takes is Temporal's alone.
import { condition, defineSignal, proxyLocalActivities, setHandler } from '@temporalio/workflow';

export interface Act {
  act(name: string): Promise<void>;
}

export const ring = defineSignal('ring');

const { act } = proxyLocalActivities<Act>({ startToCloseTimeout: '5s' });

/** Ends when somebody ends it. */
export async function smallest(name: string): Promise<void> {
  setHandler(ring, () => undefined);
  await act(name);
  await condition(() => false);
}
