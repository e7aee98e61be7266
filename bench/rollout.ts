// Measures the way from a Capp to its ManifestWork on the running local stack: one at a time, and a burst with the sites' agents paused.
//
// Usage: node bench/rollout.ts [count] (default 600), with `make up` running. Writes raw JSON to bench/results/rollout.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { CAPP, type Capp } from '../crds/capp.ts';
import { NAMESPACE } from '../crds/core.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK } from '../crds/ocm.ts';
import { observed } from '../deploy/local/desired.ts';
import { signalGroup } from '../deploy/local/end-processes.ts';
import { layoutOf } from '../deploy/local/layout.ts';
import { connect, type Kube } from '../kube/client.ts';
import type { KubeObject } from '../kube/resource.ts';
import { watch } from '../kube/watch.ts';
import { untilReady } from '../test/support/apps.ts';
import { eventually } from '../test/support/eventually.ts';

const ONE_AT_A_TIME = 100;
const WARM_UP = 20;

interface Arrivals {
  /** Resolves with the time at which the work was seen, in milliseconds. */
  of(name: string): Promise<number>;
}

const layout = layoutOf(process.env['CAPPSTAN_STACK'] ?? '.local');
const burst = Number(process.argv[2] ?? 600);
const namespace = `bench-${Date.now().toString(36)}`;
const hub = connect({ kubeconfig: layout.kubeconfig('hub'), deadlineMs: 60_000 });
const seen = new Map<string, PromiseWithResolvers<number>>();
const arrivals: Arrivals = { of: (name) => waiterFor(name).promise };
const watching = watch<KubeObject>(hub, { resource: MANIFEST_WORK, metadataOnly: true }, ({ type, object }) => {
  if (type === 'Added') waiterFor(object.metadata.name).resolve(performance.now());
});
await watching.synced;
await hub.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });

await oneAtATime('warm', WARM_UP);
const single = await oneAtATime('one', ONE_AT_A_TIME);
await patience(300);
const paused = await pauseAgents();
const rate = await atOnce(burst).finally(() => paused.forEach((pid) => signalGroup(pid, 'SIGCONT')));
await patience(10);
const result = {
  at: new Date().toISOString(),
  cores: cpus().length,
  oneAtATimeMs: summary(single),
  burst: { capps: burst, perSecond: rate },
  samplesMs: single,
};
mkdirSync(new URL('results/', import.meta.url), { recursive: true });
writeFileSync(new URL('results/rollout.json', import.meta.url), `${JSON.stringify(result, null, 2)}\n`);
console.log(
  `created → ManifestWork, one at a time: p50 ${result.oneAtATimeMs.p50} ms, p90 ${result.oneAtATimeMs.p90} ms, p99 ${result.oneAtATimeMs.p99} ms`,
);
console.log(`${burst} at once, agents paused: ${rate.toFixed(1)} a second`);
await forget(hub);
await watching.stop();
await hub.close();

function waiterFor(name: string): PromiseWithResolvers<number> {
  const known = seen.get(name) ?? Promise.withResolvers<number>();
  seen.set(name, known);
  return known;
}

/** Each Capp has come to rest before the next is made: what is measured is the way, not the queue before it. */
async function oneAtATime(prefix: string, count: number): Promise<number[]> {
  const samples: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = `${prefix}-${index}`;
    const begun = performance.now();
    await hub.create(CAPP, aCapp(name));
    samples.push((await arrivals.of(`mw-create-${namespace}-${name}`)) - begun);
    await untilReady(hub, { namespace, name });
  }
  return samples;
}

/** Capps a second, from the first create to the last work. */
async function atOnce(count: number): Promise<number> {
  const begun = performance.now();
  const names = Array.from({ length: count }, (_, index) => `burst-${index}`);
  await Promise.all(names.map((name) => hub.create(CAPP, aCapp(name))));
  const ends = await Promise.all(names.map((name) => arrivals.of(`mw-create-${namespace}-${name}`)));
  return count / ((Math.max(...ends) - begun) / 1000);
}

function aCapp(name: string): Capp {
  const containers = [{ name: 'app', image: 'ghcr.io/me/app:v1' }];
  return {
    apiVersion: CAPP.apiVersion,
    kind: CAPP.kind,
    metadata: { namespace, name },
    spec: { configurationSpec: { template: { spec: { containers } } }, state: 'disabled' },
  } as Capp;
}

/** A burst may take longer than the agents' leases, and Capps are not to move meanwhile. */
async function patience(leaseDurationSeconds: number): Promise<void> {
  const { items } = await hub.list<KubeObject>(MANAGED_CLUSTER, {});
  await Promise.all(
    items.map(({ metadata }) => hub.patch(MANAGED_CLUSTER, { namespace: null, name: metadata.name }, { spec: { leaseDurationSeconds } })),
  );
}

async function pauseAgents(): Promise<number[]> {
  const agents = (await observed(layout)).filter(({ name }) => /^site-\d+-(ocm-)?agent$/.test(name));
  const pids = agents.map(({ pid }) => pid).filter((pid) => pid !== null);
  for (const pid of pids) signalGroup(pid, 'SIGSTOP');
  return pids;
}

async function forget(kube: Kube): Promise<void> {
  const { items } = await kube.list<Capp>(CAPP, { namespace });
  await Promise.all(items.map(({ metadata }) => kube.remove(CAPP, { namespace, name: metadata.name })));
  await eventually(async () => ((await kube.list(CAPP, { namespace })).items.length === 0 ? true : undefined), {
    withinMs: 600_000,
    everyMs: 500,
  });
  await kube.remove(NAMESPACE, { namespace: null, name: namespace });
}

function summary(samples: readonly number[]): { p50: number; p90: number; p99: number } {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}
