// Measures how fast a tainted site is left on the running local stack, and looks at both sites all the while: every Capp must serve somewhere.
//
// Usage: node bench/moves.ts [count] (default 300), with `make up` running. Writes raw JSON to bench/results/moves.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { CAPP, type Capp } from '../crds/capp.ts';
import { MANIFEST_WORK, PLACEMENT_DECISION } from '../crds/ocm.ts';
import type { KubeObject } from '../kube/resource.ts';
import { watch } from '../kube/watch.ts';
import { createCapp, newNamespace, readCapp, siteOf, untilReady } from '../test/support/apps.ts';
import { eventually } from '../test/support/eventually.ts';
import { setTaints } from '../test/support/sites.ts';
import { openStack } from '../test/support/stack.ts';

process.env['CAPPSTAN_STACK'] ??= '.local';
const count = Number(process.argv[2] ?? 300);
const taint = [{ key: 'bench', effect: 'NoSelect' }] as const;
const stack = await openStack();
const namespace = await newNamespace(stack.hub, 'bench-moves');
const names = Array.from({ length: count }, (_, index) => `app-${index}`);
const [from = '', to = ''] = stack.sites;

await setTaints(stack, to, taint);
await eventually(async () => ((await decided()).join() === from ? true : undefined));
for (const name of names) await createCapp(stack.hub, { namespace, name });
for (const name of names) await untilReady(stack.hub, { namespace, name });
await setTaints(stack, to, []);
await eventually(async () => ((await decided()).includes(to) ? true : undefined));

const written: number[] = [];
const works = watch<KubeObject>(stack.hub, { resource: MANIFEST_WORK, namespace: to, metadataOnly: true }, ({ type, object }) => {
  if (type === 'Added' && object.metadata.name.startsWith(`mw-create-${namespace}-`)) written.push(performance.now());
});
await works.synced;
const samples = sampling();
await setTaints(stack, from, taint);
await eventually(async () => ((await decided()).includes(from) ? undefined : true), { withinMs: 60_000, everyMs: 5 });
const dropped = performance.now();
await eventually(async () => (written.length >= count ? true : undefined), { withinMs: 600_000, everyMs: 50 });
await eventually(allMoved, { withinMs: 600_000, everyMs: 1_000 });
const settled = performance.now();
const { looks, down } = await samples.stop();
const movedOnce = await movesOf();
await setTaints(stack, from, []);

const seconds = (until: number): number => Math.round((until - dropped) / 10) / 100;
const perSecond = Math.round((count / ((Math.max(...written) - dropped) / 1000)) * 10) / 10;
const result = {
  at: new Date().toISOString(),
  cores: cpus().length,
  capps: count,
  firstWorkSeconds: seconds(Math.min(...written)),
  lastWorkSeconds: seconds(Math.max(...written)),
  worksPerSecond: perSecond,
  allMovedSeconds: seconds(settled),
  looks,
  down,
  movedOnce,
};
mkdirSync(new URL('results/', import.meta.url), { recursive: true });
writeFileSync(new URL('results/moves.json', import.meta.url), `${JSON.stringify(result, null, 2)}\n`);
console.log(
  `${count} Capps left ${from}: ${perSecond} works a second, all moved after ${result.allMovedSeconds} s; ${down} of ${looks} looks found one down`,
);
for (const name of names) await stack.hub.remove(CAPP, { namespace, name });
await works.stop();
await stack.close();

async function decided(): Promise<string[]> {
  const { items } = await stack.hub.list<KubeObject & { status?: { decisions?: { clusterName: string }[] } }>(PLACEMENT_DECISION, {
    namespace: 'placements',
  });
  const mine = items.filter(({ metadata }) => metadata.labels?.['cluster.open-cluster-management.io/placement'] === 'default');
  return mine.flatMap(({ status }) => status?.decisions ?? []).map(({ clusterName }) => clusterName);
}

async function cappsOn(kube: typeof stack.hub): Promise<Capp[]> {
  return (await kube.list<Capp>(CAPP, { namespace })).items;
}

async function allMoved(): Promise<true | undefined> {
  const capps = await cappsOn(stack.hub);
  const there = capps.filter((capp) => siteOf(capp) === to && capp.status?.migration?.lastMove?.result === 'Moved');
  return there.length === count ? true : undefined;
}

async function movesOf(): Promise<boolean> {
  const last = await readCapp(stack.hub, { namespace, name: names.at(-1) ?? '' });
  return last.status?.migration?.lastMove?.to === to;
}

/** Looks at both sites at once, again and again. A Capp that serves on neither is down, unless it was seen half-way between two lists. */
function sampling(): { stop(): Promise<{ looks: number; down: number }> } {
  const over = new AbortController();
  let looks = 0;
  let down = 0;
  const running = (async () => {
    while (!over.signal.aborted) {
      const [target, source] = [await cappsOn(stack.site(to)), await cappsOn(stack.site(from))];
      const again = await cappsOn(stack.site(to));
      const serving = new Set([...target, ...source, ...again].filter(serves).map(({ metadata }) => metadata.name));
      looks += 1;
      if (serving.size < count) down += 1;
    }
  })();
  return { stop: async () => (over.abort(), await running, { looks, down }) };
}

function serves({ status }: Capp): boolean {
  return status?.conditions?.find(({ type }) => type === 'Serving')?.status === 'True';
}
