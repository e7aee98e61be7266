// Workflows of CappSets and Bundles as an earlier version began them: what their histories hold first is the
// same.
import {
  condition,
  defineSignal,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';

interface Earlier {
  turnBundle(): Promise<void>;
  turnSet(): Promise<void>;
}

const { turnBundle } = proxyLocalActivities<Earlier>({ startToCloseTimeout: '5s' });
const { turnSet } = proxyActivities<Earlier>({ startToCloseTimeout: '30s' });

export async function bundle(): Promise<void> {
  setHandler(defineSignal('bundleChanged'), () => undefined);
  await turnBundle();
  await condition(() => false, 86_400_000);
}

export async function cappSet(): Promise<void> {
  setHandler(defineSignal('ring'), () => undefined);
  await turnSet();
  await condition(() => false, 86_400_000);
}
