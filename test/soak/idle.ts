// Ten idle minutes: Capps that are Ready cost no history event and no write, on hub or site.
//
// Sites are measured all the same: those runs are nobody's Capp, and of their writes only renewals are allowed (score-writes.ts).
//
// Usage: make soak; IDLE_MINUTES says how long (10), IDLE_CAPPS how many Capps (20). Ends with 1 and what moved if anything did.
import { setTimeout as pause } from 'node:timers/promises';
import { CAPP, type Capp } from '../../crds/capp.ts';
import { KNATIVE_SERVICE } from '../../crds/knative.ts';
import { MANIFEST_WORK } from '../../crds/ocm.ts';
import type { Kube } from '../../kube/client.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import { createCapp, newNamespace, untilReady } from '../support/apps.ts';
import { openStack, type Stack } from '../support/stack.ts';
import { countScoreWrites } from './score-writes.ts';

/** Rings that a rollout leaves behind have been answered by then. */
const SETTLE_MS = 30_000;

const minutes = Number(process.env['IDLE_MINUTES'] ?? 10);
const count = Number(process.env['IDLE_CAPPS'] ?? 20);
const stack = await openStack();
const namespace = await newNamespace(stack.hub, 'idle');
const names = Array.from({ length: count }, (_, index) => `idle-${index}`);
for (const name of names) await createCapp(stack.hub, { namespace, name });
for (const name of names) await untilReady(stack.hub, { namespace, name });
await pause(SETTLE_MS);
const scoreWrites = await countScoreWrites(stack);
const before = await snapshot(stack);
console.log(`${count} Capps are Ready; watching ${before.size} figures for ${minutes} min`);
await pause(minutes * 60_000);
const after = await snapshot(stack);
const moved = [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
const excess = await scoreWrites.excess();
for (const line of excess) console.error(line);
for (const key of moved) console.error(`${key}: ${before.get(key) ?? 'none'} → ${after.get(key) ?? 'none'}`);
await scoreWrites.stop();
await stack.close();
const isIdle = moved.length + excess.length === 0;
console.log(isIdle ? 'Nothing happened and nothing was written.' : `${moved.length} figures moved, ${excess.length} scores too often.`);
process.exitCode = isIdle ? 0 : 1;

/** History lengths of the Capps' workflows, and resourceVersions of all that we write. */
async function snapshot({ hub, site, sites, temporal }: Stack): Promise<Map<string, string>> {
  const figures = new Map<string, string>();
  const note = async (where: string, kube: Kube, resource: Resource, isOurs: (object: KubeObject) => boolean): Promise<void> => {
    const { items } = await kube.list(resource);
    for (const object of items.filter(isOurs))
      figures.set(`${where} ${resource.kind} ${object.metadata.name}`, object.metadata.resourceVersion ?? '');
  };
  const here = (object: KubeObject): boolean => object.metadata.namespace === namespace;
  await note('hub', hub, CAPP, here);
  await note('hub', hub, MANIFEST_WORK, ({ metadata }) => metadata.name.startsWith(`mw-create-${namespace}-`));
  for (const name of sites) {
    await note(name, site(name), CAPP, here);
    await note(name, site(name), KNATIVE_SERVICE, here);
  }
  for (const { metadata } of (await hub.list<Capp>(CAPP, { namespace })).items) {
    const { historyLength } = await temporal.workflow.getHandle(`capp/${namespace}/${metadata.name}`).describe();
    figures.set(`workflow ${metadata.name}`, String(historyLength));
  }
  return figures;
}
