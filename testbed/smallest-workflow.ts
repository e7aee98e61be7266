// The smallest workflow that resembles a rollout: a ring starts it, it runs one local activity and stays
// open. Its cost is Temporal's alone.
import { condition, defineSignal, proxyLocalActivities, setHandler } from '@temporalio/workflow';

export interface Act {
  act(name: string): Promise<void>;
}

export const ring = defineSignal('ring');

const { act } = proxyLocalActivities<Act>({ startToCloseTimeout: '5s' });

/** Runs until it is terminated. */
export async function smallest(name: string): Promise<void> {
  setHandler(ring, () => undefined);
  await act(name);
  await condition(() => false);
}
