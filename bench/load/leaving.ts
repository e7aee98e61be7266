// Measures how fast Capps leave a tainted site. Watches on both sites check that every Capp serves somewhere
// all the time.
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { MANIFEST_WORK } from '../../crds/ocm/ocm.ts';
import { PLACEMENT_DECISION, PLACEMENT_LABEL, type PlacementDecision } from '../../crds/ocm/placements.ts';
import type { Kube } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/resource.ts';
import type { Change } from '../../kube/watch/store.ts';
import { watch } from '../../kube/watch/watch.ts';
import { siteOf } from '../../testbed/capps.ts';
import { eventually } from '../../testbed/eventually.ts';
import { setTaints } from '../../testbed/sites.ts';
import type { BenchOutcome } from '../measure.ts';
import { tenth } from '../../testbed/quantiles.ts';
import { numbered, type Testbed } from './testbed.ts';

const TAINT = [{ key: 'bench', effect: 'NoSelect' }] as const;

type Prepare = (testbed: Testbed, from: string) => Promise<() => void>;

const unprepared: Prepare = async () => () => undefined;

interface Route {
  readonly from: string;
  readonly to: string;
}

interface Observed {
  /** Changes of Capps that the watches saw. */
  readonly changes: number;
  /** How often a Capp served nowhere. */
  readonly down: number;
}

/**
 * `prepare` gets the site that will be tainted. The function that it returns is called when all works are
 * written.
 */
export async function leave(
  testbed: Testbed,
  count: number,
  prepare: Prepare = unprepared,
): Promise<BenchOutcome> {
  const [from, to] = testbed.stack.sites;
  if (from === undefined || to === undefined) throw new Error('A move needs two sites. Run: make up SITES=2');
  const route = { from, to };
  await settleOn(testbed, route, count);
  const written = await workTimes(testbed, to);
  const observed = await watchServing(testbed, route);
  const isWritten = await prepare(testbed, from);
  await setTaints(testbed.stack, from, TAINT);
  await eventually(async () => ((await decided(testbed.stack.hub)).includes(from) ? undefined : true), {
    withinMs: 60_000,
    everyMs: 5,
  });
  const dropped = performance.now();
  await eventually(() => (written.length >= count ? true : undefined), { withinMs: 600_000, everyMs: 50 });
  isWritten();
  await eventually(() => allMoved(testbed, route, count), { withinMs: 600_000, everyMs: 1_000 });
  const settled = performance.now();
  const { changes, down } = await observed();
  const seconds = (until: number): number => tenth((until - dropped) / 1000);
  const allWorks = Math.max(...written);
  const worksPerSecond = tenth(count / ((allWorks - dropped) / 1000));
  const figures = {
    capps: count,
    firstWorkSeconds: seconds(Math.min(...written)),
    lastWorkSeconds: seconds(allWorks),
    worksPerSecond,
    allMovedSeconds: seconds(settled),
    changes,
    down,
  };
  return {
    ours: `${count} in ${seconds(settled)} s, ${worksPerSecond} works a second; ${down} down at ${changes} changes of Capps on both sites`,
    figures,
  };
}

/** Creates the Capps on one site, and waits until they are Ready and the other site can be chosen too. */
async function settleOn(testbed: Testbed, { from, to }: Route, count: number): Promise<void> {
  const { hub } = testbed.stack;
  for (const site of [from, to]) testbed.afterwards(() => setTaints(testbed.stack, site, []));
  await setTaints(testbed.stack, to, TAINT);
  await eventually(async () => ((await decided(hub)).join() === from ? true : undefined));
  const names = numbered('app', count);
  for (const name of names) await testbed.create(name);
  await testbed.allReady(names);
  await setTaints(testbed.stack, to, []);
  await eventually(async () => ((await decided(hub)).includes(to) ? true : undefined));
}

async function decided(hub: Kube): Promise<string[]> {
  const { items } = await hub.list<KubeObject & PlacementDecision>(PLACEMENT_DECISION, {
    namespace: 'placements',
  });
  const ours = items.filter(({ metadata }) => metadata.labels?.[PLACEMENT_LABEL] === 'default');
  return ours.flatMap(({ status }) => status?.decisions ?? []).map(({ clusterName }) => clusterName);
}

/** The times at which a watch saw each Capp's work on that site. The array grows as they come. */
async function workTimes(
  { stack, namespace, afterwards }: Testbed,
  site: string,
): Promise<readonly number[]> {
  const times: number[] = [];
  const options = { resource: MANIFEST_WORK, namespace: site, metadataOnly: true };
  const works = watch<KubeObject>(stack.hub, options, ({ type, object }) => {
    if (type === 'Added' && object.metadata.name.startsWith(`mw-create-${namespace}-`))
      times.push(performance.now());
  });
  afterwards(() => works.stop());
  await works.synced;
  return times;
}

async function allMoved({ stack, namespace }: Testbed, { to }: Route, count: number): Promise<true> {
  const { items } = await stack.hub.list<Capp>(CAPP, { namespace });
  const there = items.filter(
    (capp) => siteOf(capp) === to && capp.status?.migration?.lastMove?.result === 'Moved',
  );
  if (there.length < count) throw new Error(`${there.length} of ${count} Capps have moved to ${to}`);
  return true;
}

/**
 * Watches until the returned function is called. After every change on a site, the Capp must serve on one of
 * both. The two watches are not synchronous, so a Capp that seems to serve nowhere is read from both sites
 * before it counts.
 */
async function watchServing(
  { stack, namespace, afterwards }: Testbed,
  { from, to }: Route,
): Promise<() => Promise<Observed>> {
  const serving = new Map([from, to].map((site) => [site, new Set<string>()]));
  const checks: Promise<boolean>[] = [];
  let changes = 0;
  const isDown = async (name: string): Promise<boolean> => {
    for (const site of [to, from, to]) {
      const found = await stack.site(site).get<Capp>(CAPP, { namespace, name });
      if (found !== null && serves(found)) return false;
    }
    return true;
  };
  const check = (name: string): void => {
    const asked = isDown(name);
    checks.push(asked);
    // A failed read fails the benchmark later, when `checks` is awaited.
    asked.catch(() => undefined);
  };
  const note = (here: Set<string>, { type, object }: Change<Capp>): void => {
    const { name } = object.metadata;
    changes += 1;
    if (type !== 'Deleted' && serves(object)) return void here.add(name);
    here.delete(name);
    if ([...serving.values()].every((there) => !there.has(name))) check(name);
  };
  const watches = [...serving].map(([site, here]) =>
    watch<Capp>(stack.site(site), { resource: CAPP, namespace }, (change) => note(here, change)),
  );
  const end = (): Promise<unknown> => Promise.all(watches.map((one) => one.stop()));
  afterwards(end);
  await Promise.all(watches.map(({ synced }) => synced));
  return async () => {
    await end();
    return { changes, down: (await Promise.all(checks)).filter(Boolean).length };
  };
}

function serves({ status }: Capp): boolean {
  return status?.conditions?.find(({ type }) => type === 'Serving')?.status === 'True';
}
