// A site with many Capps is emptied by a Drain, and what a newcomer waits for meanwhile.
import type { Capp } from '../../../crds/capp/capp.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { DRAIN } from '../../../crds/drain/drain.ts';
import { siteOf } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { configure } from '../../../testbed/rcs-config.ts';
import { numbered } from '../testbed.ts';
import { untilAtRest } from './at-rest.ts';
import type { GrownClusters } from './clusters.ts';
import type { Load } from './load.ts';
import { during, type Storm } from './storms.ts';

/** So that the lanes of the drain do not bound it: many on their way at once, and to one site. */
const LANES = { width: 200, perTarget: 200, ratePerSecond: 100 };
const EMPTY = { withinMs: 1_200_000, everyMs: 500 };

/** Places so many Capps on one cluster and drains it: `seconds` is until all of them are Ready elsewhere. */
export async function emptying(load: Load, clusters: GrownClusters, count: number): Promise<Storm> {
  const { hub, afterwards } = load.testbed;
  const names = numbered('drained', count);
  const undo = await configure(hub, { placements: [clusters.narrow] });
  await load.population.add(names);
  await load.population.allReady(names);
  await undo();
  await untilAtRest(load.testbed.stack.layout);
  const site = await onlySiteOf(load, names);
  const remove = async (): Promise<void> => void (await hub.remove(DRAIN, { namespace: null, name: site }));
  const drain = { apiVersion: DRAIN.apiVersion, kind: DRAIN.kind, metadata: { name: site }, spec: LANES };
  const strike = async (): Promise<void> => {
    await hub.create(DRAIN, drain);
    afterwards(remove);
    await eventually(async () => {
      const left = (await cappsOf(load, names)).filter((capp) => siteOf(capp) === site);
      if (left.length > 0) throw new Error(`${left.length} Capps are on ${site} still.`);
      return true;
    }, EMPTY);
    await load.population.allReady(names);
  };
  const storm = await during(load, 'emptying', { concerned: count, strike });
  await remove();
  return storm;
}

async function cappsOf({ testbed: { hub, namespace } }: Load, names: readonly string[]): Promise<Capp[]> {
  const wanted = new Set(names);
  const { items } = await hub.list<Capp>(CAPP, { namespace });
  return items.filter(({ metadata }) => wanted.has(metadata.name));
}

async function onlySiteOf(load: Load, names: readonly string[]): Promise<string> {
  const sites = [...new Set((await cappsOf(load, names)).map(siteOf))];
  const [site] = sites;
  if (site === undefined || sites.length > 1)
    throw new Error(`The Capps should be on one site, and are on ${sites.join(', ')}.`);
  return site;
}
