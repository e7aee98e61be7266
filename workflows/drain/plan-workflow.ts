// A short workflow that answers what a drain of a cluster would do. It changes nothing.
import { setCurrentDetails, setHandler } from '@temporalio/workflow';
import { describePlan } from './decide/plan-details.ts';
import type { Plan } from './decide/plan.ts';
import { readCluster } from './input.ts';
import { inputOf } from '../engine/input.ts';
import * as messages from '../messages.ts';
import { hub } from '../engine/proxies.ts';

/** Takes `{"cluster":"site-1"}`. Fails at once for an unknown cluster. */
export async function plan(given: { readonly cluster: string }): Promise<Plan> {
  let found: Plan | null = null;
  setHandler(messages.planned, () => found, { description: 'What would happen to the Capps of the cluster' });
  const cluster = inputOf(() => readCluster(given));
  found = await hub(`Plan the drain of ${cluster}`).plan(cluster);
  setCurrentDetails(describePlan(found));
  return found;
}
