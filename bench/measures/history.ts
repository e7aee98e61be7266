// The number of events in the history of a Capp's workflow after its first rollout, and the number that a
// move adds.
//
// Usage: node bench/measures/history.ts [Capps]
import { CAPP } from '../../crds/capp/capp.ts';
import { readCapp, siteOf, untilReady } from '../../testbed/capps.ts';
import { eventsAtRest } from '../../testbed/at-rest/events.ts';
import { eventually } from '../../testbed/eventually.ts';
import { measure } from '../measure.ts';
import { quantiles } from '../../testbed/quantiles.ts';
import { numbered } from '../load/testbed.ts';

await measure('history', 5, async (testbed, count) => {
  const { namespace, stack } = testbed;
  const rollouts: number[] = [];
  const moves: number[] = [];
  for (const name of numbered('app', count)) {
    const key = { namespace, name };
    const handle = stack.temporal.workflow.getHandle(`capp/${namespace}/${name}`);
    await testbed.create(name);
    const home = siteOf(await untilReady(stack.hub, key));
    const rollout = await eventsAtRest(handle);
    await stack.hub.patch(CAPP, key, { metadata: { annotations: { 'rcs.dana.io/migrate': '#1' } } });
    const move = await eventually(
      async () => (await readCapp(stack.hub, key)).status?.migration?.lastMove ?? undefined,
      {
        withinMs: 120_000,
        everyMs: 200,
      },
    );
    if (move.result !== 'Moved' || move.from !== home)
      throw new Error(`Capp ${name} did not move from ${home}: ${JSON.stringify(move)}`);
    rollouts.push(rollout);
    moves.push((await eventsAtRest(handle)) - rollout);
  }
  const [rollout, move] = [quantiles(rollouts), quantiles(moves)];
  return {
    ours: `first rollout p50 ${rollout.p50}, max ${rollout.max}; a move adds p50 ${move.p50}, max ${move.max}`,
    figures: { firstRolloutEvents: rollouts, moveEvents: moves },
  };
});
