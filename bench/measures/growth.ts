// What grows with the number of Capps: the cost of one more, memory, starts. The hub is real; its sites are
// simulated, since two of them cannot hold so many.
//
// Usage: node bench/measures/growth.ts [Capps]
import { CLUSTERS, fill, openFleet, told } from '../load/growth/fleet.ts';
import { measureLevel, type Level } from '../load/growth/level.ts';
import type { Load } from '../load/growth/load.ts';
import { restart, type Storm } from '../load/growth/storms.ts';
import { measure } from '../measure.ts';
import { tenth } from '../../testbed/quantiles.ts';

/** Few enough that the hub worker keeps all their workflows in memory. */
const FEW = 200;
const LEVELS = [FEW, 1_000, 3_000, 10_000];

interface Grown extends Level {
  readonly bridgeStarts: Storm;
  readonly hubWorkerStarts: Storm;
}

await measure('growth', 3_000, async (testbed, count) => {
  const { load } = await openFleet(testbed);
  const levels: Grown[] = [];
  for (const capps of [...LEVELS.filter((level) => level < count), count]) {
    await fill(load, capps);
    levels.push(await grown(load));
  }
  const each = levels.map(
    (level) => `${level.capps} there: ${cost(level)} ms, alone ${level.alone.ratio} times the floor`,
  );
  return {
    ours: `processor time of one more, with so many: ${each.join('; ')}`,
    figures: { clusters: CLUSTERS, levels },
  };
});

async function grown(load: Load): Promise<Grown> {
  const level = await measureLevel(load);
  const { capps, alone, atRest, unscored, processors } = level;
  console.log(
    `with ${capps} Capps: ${cost(level)} ms for one more, alone p50 ${alone.cappMs.p50} ms, ${alone.ratio} times the floor`,
  );
  for (const spent of [atRest, unscored, processors]) console.log(`  ${JSON.stringify(spent.msEach)}`);
  const bridgeStarts = told('the bridge restarts', await restart(load, 'bridge'));
  const hubWorkerStarts = told('the hub worker restarts', await restart(load, 'hub-worker'));
  return { ...level, bridgeStarts, hubWorkerStarts };
}

/** Milliseconds of all processes together, without this one. */
function cost({ processors }: Level): number {
  const { measure: _sites, ...others } = processors.msEach;
  return tenth(Object.values(others).reduce((sum, ms) => sum + ms, 0));
}
