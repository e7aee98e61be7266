// Both ways of upgrading on a running stack, with two real builds and the gateway between them: an earlier
// commit's hub with today's agents, and today's hub with that commit's agents. Throughout, each agent is
// asked again and again; no work may be written, and every edit must reach its site.
//
// Usage: make builds. FORMER is the commit of the other build.
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CAPP } from '../../crds/capp/capp.ts';
import { MANIFEST_WORK } from '../../crds/ocm/ocm.ts';
import type { ProcessSpec } from '../../deploy/local/supervise/process-spec.ts';
import { createCapp, newNamespace, untilReady } from '../../testbed/capps.ts';
import { startProcess, stopProcess } from '../../testbed/processes.ts';
import { openStack, type TestbedStack } from '../../testbed/stack.ts';
import { checkedOut } from './former.ts';
import { heardFrom } from './heard-from.ts';

const ROOT = join(import.meta.dirname, '../..');
const FORMER = process.env['FORMER'] ?? '834d80aa';
const HUB = ['hub-worker', 'bridge', 'webhook'];
const GATEWAY = 'gateway';
const CAPPS = 6;
/** Time for what an upgrade might write, and for its last rings. */
const SETTLE_MS = 15_000;
/** Beside its restart: the SDK's wait before it polls again. */
const MARGIN_MS = 5_000;

const stack = await openStack();
const build = checkedOut(FORMER, stack.temporalAddress);
const former = build.folder;
const problems: string[] = [];
const specs = new Map<string, ProcessSpec>();
try {
  const namespace = await newNamespace(stack.hub, 'builds');
  const names = Array.from({ length: CAPPS }, (_, index) => `app-${index}`);
  for (const [index, name] of names.entries())
    await createCapp(stack.hub, { namespace, name, spec: { site: stack.sites[index % stack.sites.length] } });
  for (const name of names) await untilReady(stack.hub, { namespace, name });
  const hub = build.knows(GATEWAY) ? [...HUB, GATEWAY] : HUB;
  const agents = stack.sites.map((site) => `${site}-agent`);
  for (const [what, processes, folder] of [
    ['the hub goes back to the former build', hub, former],
    ['the agents go back, too', agents, former],
    ['the hub goes to today’s build', hub, ROOT],
    ['the agents go there, too', agents, ROOT],
    ['the agents go back alone', agents, former],
    ['the agents go there again', agents, ROOT],
  ] as const)
    await step(what, { processes, folder, namespace, names });
} finally {
  await stack.close();
  build.remove();
}
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'Both ways of upgrading hold.' : `${problems.length} problems.`);
process.exitCode = problems.length === 0 ? 0 : 1;

interface Step {
  readonly processes: readonly string[];
  readonly folder: string;
  readonly namespace: string;
  readonly names: readonly string[];
}

async function step(what: string, { processes, folder, namespace, names }: Step): Promise<void> {
  const before = await worksOf(stack, namespace);
  const heard = stack.sites.map((site) => heardFrom(stack.temporal, site));
  const restarts: number[] = [];
  for (const name of processes) restarts.push(await runFrom(folder, name));
  await pause(SETTLE_MS);
  const silences = await Promise.all(heard.map((one) => one.stop()));
  const after = await worksOf(stack, namespace);
  const written = [...after].filter(([name, generation]) => before.get(name) !== generation);
  const silence = Math.max(...silences);
  const restart = Math.max(...restarts);
  const begun = performance.now();
  for (const name of names) await edit(namespace, name);
  for (const name of names) await untilReady(stack.hub, { namespace, name });
  const edits = Math.round(performance.now() - begun);
  console.log(
    `${what}: the longest restart ${restart} ms, the longest silence of an agent ${silence} ms, ` +
      `${written.length} works written; ${names.length} edits were Ready after ${edits} ms`,
  );
  if (written.length > 0) problems.push(`${what}: ${written.map(([name]) => name).join(', ')} were written.`);
  if (silence > restart + MARGIN_MS)
    problems.push(`${what}: an agent was silent for ${silence} ms, and a restart took ${restart} ms.`);
}

/** Restarts a process from the files in this folder. Returns how long it was away, in milliseconds. */
async function runFrom(folder: string, name: string): Promise<number> {
  const begun = performance.now();
  const stopped = await stopProcess(stack.layout, name);
  const spec = specs.get(name) ?? stopped;
  specs.set(name, spec);
  await startProcess(stack.layout, folder === ROOT ? spec : build.asFormer(spec));
  return Math.round(performance.now() - begun);
}

async function edit(namespace: string, name: string): Promise<void> {
  const key = { namespace, name };
  const annotations = { 'builds.example/edited': `${Date.now()}` };
  await stack.hub.patch(CAPP, key, {
    spec: { configurationSpec: { template: { metadata: { annotations } } } },
  });
}

/** The generations of the works of a namespace's Capps, and of agents' identities. */
async function worksOf({ hub, sites }: TestbedStack, namespace: string): Promise<Map<string, number>> {
  const { items } = await hub.list(MANIFEST_WORK);
  const isOurs = (name: string): boolean => name.startsWith(`mw-create-${namespace}-`);
  return new Map(
    items
      .filter(({ metadata }) => sites.includes(metadata.namespace ?? '') && isOurs(metadata.name))
      .map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.generation ?? 0]),
  );
}
