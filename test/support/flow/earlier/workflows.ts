// Workflows of CappSets and Bundles with the commands of the earlier version 834d80aa, in their order: the
// histories that its own code has left replay with them (test/history/upgraded.test.ts).
import {
  condition,
  defineSignal,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';

interface Earlier {
  turnBundle(id: string): Promise<void>;
  turnSet(id: string): Promise<void>;
}

const once = { maximumAttempts: 1 };
const local = proxyLocalActivities<Earlier>({ startToCloseTimeout: '5s', retry: once });
const hub = proxyActivities<Earlier>({ startToCloseTimeout: '30s' });
const DAY_MS = 86_400_000;

export async function bundle(): Promise<void> {
  const { workflowId } = workflowInfo();
  let isRung = true;
  setHandler(defineSignal('bundleChanged'), () => void (isRung = true));
  for (;;) {
    isRung = false;
    await local.turnBundle(workflowId).catch(() => hub.turnBundle(workflowId));
    if (!isRung) await condition(() => isRung, DAY_MS);
  }
}

export async function cappSet(): Promise<void> {
  const { workflowId } = workflowInfo();
  let isDue = true;
  setHandler(defineSignal('ring'), () => void (isDue = true));
  for (;;) {
    isDue = false;
    await hub.turnSet(workflowId);
    await sleep(2_000);
    if (!isDue) await condition(() => isDue, DAY_MS);
  }
}
