// What a new Capp waits while a hub with many Capps settles something large. The hub is real; its sites are
// simulated, since two of them cannot hold so many.
//
// Usage: node bench/measures/storms.ts [Capps]
import { dailyLooks } from '../load/growth/daily-looks.ts';
import { emptying } from '../load/growth/emptying.ts';
import { CLUSTERS, fill, openFleet, told, type GrownFleet } from '../load/growth/fleet.ts';
import { silence, temporalLost } from '../load/growth/losses.ts';
import { arrivals, configuration, deletions, type Storm } from '../load/growth/storms.ts';
import { measure } from '../measure.ts';

const AT_ONCE = 600;
const EMPTIED = 1_000;

await measure('storms', 3_000, async (testbed, count) => {
  const fleet = await openFleet(testbed);
  await fill(fleet.load, count);
  const looks = await dailyLooks(fleet.load);
  console.log(`daily looks: ${JSON.stringify(looks)}`);
  const storms = await weather(fleet);
  const lost = await temporalLost(fleet.load);
  console.log(`Temporal lost: ${lost.capps} Capps in ${lost.seconds} s, ${lost.worksChanged} works changed`);
  const ratios = Object.values(storms).map(({ newcomers }) => newcomers.ratio);
  return {
    ours: `${count} Capps: a new one takes ${Math.min(...ratios)} to ${Math.max(...ratios)} times the floor; Temporal lost: ${lost.capps} Capps started again in ${lost.seconds} s, ${lost.worksChanged} works changed`,
    figures: { clusters: CLUSTERS, dailyLooks: looks, storms, temporalLost: lost },
  };
});

/** One storm after the other. */
async function weather({ load, clusters, agents }: GrownFleet): Promise<Record<string, Storm>> {
  const changed = told('the RCSConfig changes', await configuration(load, clusters.narrow));
  const created = told(`${AT_ONCE} more at once`, await arrivals(load, AT_ONCE));
  const deleted = told(`${AT_ONCE} deleted at once`, await deletions(load, AT_ONCE));
  const drained = told(`a site of ${EMPTIED} is drained`, await emptying(load, clusters, EMPTIED));
  const { silent, back } = await silence(load, agents);
  told('all agents fall silent', silent);
  told('all agents are back', back);
  return { changed, created, deleted, drained, silent, back };
}
