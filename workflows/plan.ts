// What would happen if a cluster were drained: a short workflow that looks, touches nothing, and can be asked afterwards.
import { setCurrentDetails, setHandler } from '@temporalio/workflow';
import { describePlan } from './decide/plan-details.ts';
import type { Plan } from './decide/plan.ts';
import * as messages from './messages.ts';
import { hub } from './proxies.ts';

export async function plan({ cluster }: { readonly cluster: string }): Promise<Plan> {
  let found: Plan | null = null;
  setHandler(messages.planned, () => found, { description: 'What would become of the Capps on the cluster' });
  found = await hub(`Plan the drain of ${cluster}`).plan(cluster);
  setCurrentDetails(describePlan(found));
  return found;
}
