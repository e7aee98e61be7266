// A storm on the running stack: random actions kill and stop processes, taint sites, and edit and replace
// Capps.
//
// Usage: make soak. STORM_MINUTES is the duration (3), STORM_CAPPS the number of Capps (8), SEED the seed.
// Exits with 1 and prints every violated invariant. The same seed gives the same actions in the same order,
// but not the same timing.
import { setTimeout as pause } from 'node:timers/promises';
import { MANIFEST_WORK } from '../../crds/ocm/ocm.ts';
import { conditionOf, createCapp, newNamespace, readCapp, untilReady } from '../../testbed/capps.ts';
import { eventually } from '../../testbed/eventually.ts';
import { random } from '../support/builders/random.ts';
import { untilAvailable } from '../../testbed/sites.ts';
import { openStack } from '../../testbed/stack.ts';
import { nextAction, setTaint, type Storm } from './storm-actions.ts';
import { watchRules } from './storm-rules.ts';

const SETTLED = { withinMs: 300_000, everyMs: 500 };

const minutes = Number(process.env['STORM_MINUTES'] ?? 3);
const count = Number(process.env['STORM_CAPPS'] ?? 8);
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
console.log(`Storm of SEED=${seed}: ${count} Capps, ${minutes} min`);

const stack = await openStack();
const namespace = await newNamespace(stack.hub, 'storm');
const names = Array.from({ length: count }, (_, index) => `storm-${index}`);
for (const name of names) await createCapp(stack.hub, { namespace, name });
for (const name of names) await untilReady(stack.hub, { namespace, name });
const storm: Storm = {
  stack,
  namespace,
  dice: random(seed),
  kept: new Set(names),
  away: new Set(),
  pending: new Set(),
};
const rules = watchRules(stack, { namespace, names: () => [...storm.kept] });
const begun = Date.now();
while (Date.now() < begun + minutes * 60_000) {
  const action = nextAction(storm);
  console.log(`${String(Math.round((Date.now() - begun) / 1_000)).padStart(4)} s ${await action(storm)}`);
  await pause(storm.dice.next() * 3_000);
}
for (const site of stack.sites) await setTaint(stack, site, false);
const unsettled = [...(await errorsOf(Promise.all(storm.pending))), ...(await errorsOf(settled()))];
const { breaches, looks } = await rules.end();
await stack.close();
for (const line of [...breaches, ...unsettled]) console.error(line);
const isPassed = breaches.length + unsettled.length === 0;
console.log(
  isPassed
    ? `Every invariant held in ${looks} checks, and all Capps became Ready.`
    : `SEED=${seed} violated an invariant.`,
);
process.exitCode = isPassed ? 0 : 1;

/** Waits until every site is available, and every Capp is Ready with one work and no move. */
async function settled(): Promise<void> {
  for (const site of stack.sites) await untilAvailable(stack, site);
  for (const name of names)
    await eventually(async () => {
      const capp = await readCapp(stack.hub, { namespace, name });
      const isReady =
        conditionOf(capp, 'Ready')?.status === 'True' && conditionOf(capp, 'Migrating')?.status === 'False';
      if (isReady && conditionOf(capp, 'Ready')?.observedGeneration === capp.metadata.generation) return true;
      throw new Error(`${name} did not become Ready: ${JSON.stringify(capp.status?.conditions)}`);
    }, SETTLED);
  await eventually(async () => {
    const { items } = await stack.hub.list(MANIFEST_WORK);
    const works = items.filter(({ metadata }) => metadata.name.startsWith(`mw-create-${namespace}-`));
    if (works.length === count) return true;
    throw new Error(`There are ${works.length} works for ${count} Capps.`);
  }, SETTLED);
}

async function errorsOf(end: Promise<unknown>): Promise<string[]> {
  return end.then(
    () => [],
    (error: unknown) => [String(error)],
  );
}
