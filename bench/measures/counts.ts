// What each story costs: requests to the hub's API server, by process; history, workflow tasks and signals;
// calls to Temporal, bytes written to etcd, watch events. Needs a stack with an audit log.
//
// Usage: node bench/measures/counts.ts [lives]
import { setTimeout as pause } from 'node:timers/promises';
import { beyond } from '../../testbed/counts/budget.ts';
import { countStories } from '../../testbed/counts/count.ts';
import { STORIES } from '../../testbed/counts/stories.ts';
import { eachOf, readMeters } from '../conditions/meters.ts';
import { measure } from '../measure.ts';

const REST_MS = 30_000;

await measure('counts', 5, async ({ stack }, lives) => {
  const before = await readMeters(stack);
  await pause(REST_MS);
  const rest = [before, await readMeters(stack)] as const;
  const others: Record<string, Readonly<Record<string, number>>> = {};
  const costs = await countStories(stack, lives, async (name, work) => {
    const begun = await readMeters(stack);
    await work();
    others[name] = eachOf(lives, [begun, await readMeters(stack)], rest);
  });
  const excess = beyond(costs);
  if (excess.length > 0) throw new Error(`Stories cost more than their budget:\n${excess.join('\n')}`);
  const stories = Object.fromEntries(
    Object.entries(costs).map(([name, cost]) => [name, { ...cost, others: others[name] }]),
  );
  const first = costs['a first rollout'];
  return {
    ours: `${Object.keys(STORIES).length} stories; a first rollout: ${first.events} events, ${first.tasks} workflow tasks`,
    figures: { lives, stories },
  };
});
