// How fast a tainted site is left, while watches on both sites tell whether every Capp serves somewhere.
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import { MANIFEST_WORK, PLACEMENT_DECISION, PLACEMENT_LABEL, type PlacementDecision } from '../../crds/ocm/ocm.ts';
import type { Kube } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { watch, type Change } from '../../kube/watch/watch.ts';
import { siteOf } from '../../testbed/apps.ts';
import { eventually } from '../../testbed/eventually.ts';
import { setTaints } from '../../testbed/sites.ts';
import type { Outcome } from '../measure.ts';
import { tenth } from '../../testbed/quantiles.ts';
import { numbered, type Stage } from './testbed.ts';

const TAINT = [{ key: 'bench', effect: 'NoSelect' }] as const;

type Prepare = (stage: Stage, from: string) => Promise<() => void>;

const asItIs: Prepare = async () => () => undefined;

interface Way {
  readonly from: string;
  readonly to: string;
}

interface Observed {
  /** What both watches told. */
  readonly changes: number;
  /** How often a Capp was found to serve nowhere. */
  readonly down: number;
}

/** `prepare` is told the site that will be left; what it returns is called when all works are written. */
export async function leave(stage: Stage, count: number, prepare: Prepare = asItIs): Promise<Outcome> {
  const [from, to] = stage.stack.sites;
  if (from === undefined || to === undefined) throw new Error('A move needs two sites: make up SITES=2');
  const way = { from, to };
  await settleOn(stage, way, count);
  const written = await workTimes(stage, to);
  const observed = await following(stage, way);
  const isWritten = await prepare(stage, from);
  await setTaints(stage.stack, from, TAINT);
  await eventually(async () => ((await decided(stage.stack.hub)).includes(from) ? undefined : true), { withinMs: 60_000, everyMs: 5 });
  const dropped = performance.now();
  await eventually(() => (written.length >= count ? true : undefined), { withinMs: 600_000, everyMs: 50 });
  isWritten();
  await eventually(() => allMoved(stage, way, count), { withinMs: 600_000, everyMs: 1_000 });
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

/** All Capps are Ready on one site, and the other is to be had again. */
async function settleOn(stage: Stage, { from, to }: Way, count: number): Promise<void> {
  const { hub } = stage.stack;
  for (const site of [from, to]) stage.afterwards(() => setTaints(stage.stack, site, []));
  await setTaints(stage.stack, to, TAINT);
  await eventually(async () => ((await decided(hub)).join() === from ? true : undefined));
  const names = numbered('app', count);
  for (const name of names) await stage.create(name);
  await stage.allReady(names);
  await setTaints(stage.stack, to, []);
  await eventually(async () => ((await decided(hub)).includes(to) ? true : undefined));
}

async function decided(hub: Kube): Promise<string[]> {
  const { items } = await hub.list<KubeObject & PlacementDecision>(PLACEMENT_DECISION, { namespace: 'placements' });
  const ours = items.filter(({ metadata }) => metadata.labels?.[PLACEMENT_LABEL] === 'default');
  return ours.flatMap(({ status }) => status?.decisions ?? []).map(({ clusterName }) => clusterName);
}

/** When each Capp's work was first seen on that site; grows as they come. */
async function workTimes({ stack, namespace, afterwards }: Stage, site: string): Promise<readonly number[]> {
  const times: number[] = [];
  const options = { resource: MANIFEST_WORK, namespace: site, metadataOnly: true };
  const works = watch<KubeObject>(stack.hub, options, ({ type, object }) => {
    if (type === 'Added' && object.metadata.name.startsWith(`mw-create-${namespace}-`)) times.push(performance.now());
  });
  afterwards(() => works.stop());
  await works.synced;
  return times;
}

async function allMoved({ stack, namespace }: Stage, { to }: Way, count: number): Promise<true> {
  const { items } = await stack.hub.list<Capp>(CAPP, { namespace });
  const there = items.filter((capp) => siteOf(capp) === to && capp.status?.migration?.lastMove?.result === 'Moved');
  if (there.length < count) throw new Error(`${there.length} of ${count} Capps have moved to ${to}`);
  return true;
}

/** What it returns ends it. After every change on a site each Capp must serve on one. Two watches are not one: a Capp that seems to serve nowhere is asked for on both. */
async function following({ stack, namespace, afterwards }: Stage, { from, to }: Way): Promise<() => Promise<Observed>> {
  const serving = new Map([from, to].map((site) => [site, new Set<string>()]));
  const suspects: Promise<boolean>[] = [];
  let changes = 0;
  const isDown = async (name: string): Promise<boolean> => {
    for (const site of [to, from, to]) {
      const found = await stack.site(site).get<Capp>(CAPP, { namespace, name });
      if (found !== null && serves(found)) return false;
    }
    return true;
  };
  const suspect = (name: string): void => {
    const asked = isDown(name);
    suspects.push(asked);
    // What could not be asked fails the measure when it is awaited, with all tidied up, and not before.
    asked.catch(() => undefined);
  };
  const note = (here: Set<string>, { type, object }: Change<Capp>): void => {
    const { name } = object.metadata;
    changes += 1;
    if (type !== 'Deleted' && serves(object)) return void here.add(name);
    here.delete(name);
    if ([...serving.values()].every((there) => !there.has(name))) suspect(name);
  };
  const watches = [...serving].map(([site, here]) =>
    watch<Capp>(stack.site(site), { resource: CAPP, namespace }, (change) => note(here, change)),
  );
  const end = (): Promise<unknown> => Promise.all(watches.map((one) => one.stop()));
  afterwards(end);
  await Promise.all(watches.map(({ synced }) => synced));
  return async () => {
    await end();
    return { changes, down: (await Promise.all(suspects)).filter(Boolean).length };
  };
}

function serves({ status }: Capp): boolean {
  return status?.conditions?.find(({ type }) => type === 'Serving')?.status === 'True';
}
