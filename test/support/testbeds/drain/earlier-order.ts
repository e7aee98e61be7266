// Workflows of the types that earlier versions had for an order and a plan, each with a call that the present
// ones do not make.
import { condition, proxyActivities, setHandler, defineSignal } from '@temporalio/workflow';

const hub = proxyActivities<{ readDrain(cluster: string): Promise<unknown> }>({ startToCloseTimeout: '30s' });

/** Has read its Drain, and waits for its drain. */
export async function drain({ cluster }: { readonly cluster: string }): Promise<void> {
  setHandler(defineSignal('drainChanged'), () => undefined);
  await hub.readDrain(cluster);
  await condition(() => false, '10m');
}

/** The same in the place of a plan. */
export async function plan({ cluster }: { readonly cluster: string }): Promise<void> {
  await hub.readDrain(cluster);
  await condition(() => false, '10m');
}
