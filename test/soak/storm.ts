// A storm on the running stack: processes are killed and held still, sites tainted, Capps edited and replaced, in an order that a seed decides.
//
// Usage: make soak; STORM_MINUTES says how long (3), STORM_CAPPS how many Capps (8), SEED which storm. Ends with 1 and every rule that broke. The
// same seed does the same deeds in the same order; what the machine does between them is its own.
import { setTimeout as pause } from 'node:timers/promises';
import { MANIFEST_WORK } from '../../crds/ocm/ocm.ts';
import { conditionOf, createCapp, newNamespace, readCapp, untilReady } from '../../testbed/apps.ts';
import { eventually } from '../../testbed/eventually.ts';
import { random } from '../support/builders/random.ts';
import { untilWell } from '../../testbed/sites.ts';
import { openStack } from '../../testbed/stack.ts';
import { nextDeed, setTaint, type Storm } from './storm-deeds.ts';
import { watchRules } from './storm-rules.ts';

const CALM = { withinMs: 300_000, everyMs: 500 };

const minutes = Number(process.env['STORM_MINUTES'] ?? 3);
const count = Number(process.env['STORM_CAPPS'] ?? 8);
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
console.log(`Storm of SEED=${seed}: ${count} Capps, ${minutes} min`);

const stack = await openStack();
const namespace = await newNamespace(stack.hub, 'storm');
const names = Array.from({ length: count }, (_, index) => `storm-${index}`);
for (const name of names) await createCapp(stack.hub, { namespace, name });
for (const name of names) await untilReady(stack.hub, { namespace, name });
const storm: Storm = { stack, namespace, dice: random(seed), kept: new Set(names), away: new Set(), pending: new Set() };
const rules = watchRules(stack, { namespace, names: () => [...storm.kept] });
const begun = Date.now();
while (Date.now() < begun + minutes * 60_000) {
  const deed = nextDeed(storm);
  console.log(`${String(Math.round((Date.now() - begun) / 1_000)).padStart(4)} s ${await deed(storm)}`);
  await pause(storm.dice.next() * 3_000);
}
for (const site of stack.sites) await setTaint(stack, site, false);
const unrest = [...(await ending(Promise.all(storm.pending))), ...(await ending(calm()))];
const { breaches, looks } = await rules.end();
await stack.close();
for (const line of [...breaches, ...unrest]) console.error(line);
const isWhole = breaches.length + unrest.length === 0;
console.log(isWhole ? `Every rule held at each of ${looks} looks, and all came to rest.` : `SEED=${seed} broke them.`);
process.exitCode = isWhole ? 0 : 1;

/** Every site is well, every Capp Ready with one work and no move, and none is left over. */
async function calm(): Promise<void> {
  for (const site of stack.sites) await untilWell(stack, site);
  for (const name of names)
    await eventually(async () => {
      const capp = await readCapp(stack.hub, { namespace, name });
      const isReady = conditionOf(capp, 'Ready')?.status === 'True' && conditionOf(capp, 'Migrating')?.status === 'False';
      if (isReady && conditionOf(capp, 'Ready')?.observedGeneration === capp.metadata.generation) return true;
      throw new Error(`${name} came to no rest: ${JSON.stringify(capp.status?.conditions)}`);
    }, CALM);
  await eventually(async () => {
    const { items } = await stack.hub.list(MANIFEST_WORK);
    const works = items.filter(({ metadata }) => metadata.name.startsWith(`mw-create-${namespace}-`));
    if (works.length === count) return true;
    throw new Error(`${works.length} works are left for ${count} Capps`);
  }, CALM);
}

async function ending(end: Promise<unknown>): Promise<string[]> {
  return end.then(
    () => [],
    (error: unknown) => [String(error)],
  );
}
