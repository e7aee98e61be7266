// A storm on the running stack: random actions kill, stop and mislead processes, break ways and disks, taint
// and cut off sites, and edit and replace what runs, while users ask every app. Then a checker goes through
// the record of all that happened.
//
// Usage: make soak, or AUDIT=1 node test/e2e/with-stack.ts node test/soak/storm/storm.ts. STORM_MINUTES is
// the duration (3), STORM_REST_MINUTES how long nothing may be written afterwards (2), STORM_CAPPS the number
// of Capps (6), SEED the seed. Exits with 1 and prints every breach. The same seed gives the same kinds of
// actions in the same order, but not the same timing.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newNamespace } from '../../../testbed/capps.ts';
import { configure } from '../../../testbed/rcs-config.ts';
import { openStack } from '../../../testbed/stack.ts';
import { random } from '../../support/builders/random.ts';
import { nextAction } from './actions.ts';
import { atRest, mend, settle } from './calm.ts';
import { breachesOf } from './check/check.ts';
import { hasEnded, processesOf } from './faults/processes.ts';
import { rewire } from './faults/rewired.ts';
import { upgrade } from './faults/upgrade.ts';
import { APPROVED_STAGE, BUNDLE_NAME, childOf, createLoads, LANES, removeLabel, SET } from './loads.ts';
import { record } from './record/recorder.ts';
import { startUsers } from './traffic.ts';
import { inBackground, type Storm } from './world.ts';

/** Where the record of a storm that broke a rule is kept. */
const KEPT = join(import.meta.dirname, '../../../.local/failed-storm.jsonl');

const minutes = Number(process.env['STORM_MINUTES'] ?? 3);
const restMinutes = Number(process.env['STORM_REST_MINUTES'] ?? 2);
const count = Number(process.env['STORM_CAPPS'] ?? 6);
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
console.log(`Storm of SEED=${seed}: ${count} Capps, a set and a Bundle, ${minutes} min`);

const stack = await openStack();
const namespace = await newNamespace(stack.hub, 'storm');
const names = Array.from({ length: count }, (_, index) => `storm-${index}`);
const children = stack.sites.map(childOf);
const recorder = await record(stack.layout, namespace);
const processes = await processesOf(stack.layout);
const rewired = await rewire(stack.layout);
const restoreConfig = await configure(stack.hub, { bundles: { unrestricted: [namespace] } });
let edition = 0;
const storm: Storm = {
  stack,
  namespace,
  processes,
  rewired,
  dice: random(seed),
  kept: new Set(names),
  away: new Set(),
  pending: new Set(),
  cutOffs: [],
  nextEdition: () => (edition += 1),
};
const broken: string[] = [];
try {
  await createLoads(storm, names);
  const users = startUsers({
    namespace,
    names: [...names, ...children],
    ingressPort: stack.ingressPort,
    isKept: (name) => storm.kept.has(name) || children.includes(name),
    siteOf: (name) => recorder.capp(`${namespace}/${name}`)?.served ?? null,
  });
  await rage();
  broken.push(...(await mend(storm)));
  await settle(storm, names).catch((error: unknown) => void broken.push(String(error)));
  await users.stop();
  const rest = broken.length > 0 ? [] : await atRest(storm, recorder, restMinutes);
  await recorder.stop();
  const found = breachesOf({
    facts: recorder.facts,
    sites: stack.sites,
    capps: new Set([...names, ...children].map((name) => `${namespace}/${name}`)),
    asked: users.asked,
    approved: [
      {
        owner: `${namespace}/${SET}`,
        stage: APPROVED_STAGE,
        isInStage: (key) => stack.sites.slice(1).some((site) => key === `${namespace}/${childOf(site)}`),
      },
    ],
    lanes: [SET, BUNDLE_NAME].map((name) => ({ owner: `${namespace}/${name}`, maxConcurrent: LANES })),
    failed: users.failed,
    cutOffs: storm.cutOffs,
  });
  for (const [rule, breaches] of Object.entries({ ...found, 'nothing written at rest': rest }))
    broken.push(...breaches.map((breach) => `${rule}: ${breach}`));
  broken.push(...recorder.problems.map((problem) => `the record is not whole: ${problem}`));
  const requests = [...users.asked.values()].reduce((sum, one) => sum + one, 0);
  console.log(`${recorder.facts.length} versions of objects, ${requests} requests, ${edition} edits`);
} finally {
  await recorder.stop();
  await rewired.restore();
  await removeLabel(storm);
  await restoreConfig();
  await stack.close();
}
for (const line of broken) console.error(line);
if (broken.length > 0) {
  mkdirSync(dirname(KEPT), { recursive: true });
  writeFileSync(KEPT, recorder.facts.map((fact) => `${JSON.stringify(fact)}\n`).join(''));
  console.error(`The record of the storm is in ${KEPT}.`);
}
console.log(
  broken.length === 0
    ? 'Every rule held, and everything became Ready and came to rest.'
    : `SEED=${seed} broke a rule: ${broken.length} breaches.`,
);
process.exitCode = broken.length === 0 ? 0 : 1;

/** Half-way all processes of ours are upgraded, one after the other, while the rest goes on. */
async function rage(): Promise<void> {
  const begun = Date.now();
  const isOver = (share: number): boolean => Date.now() >= begun + share * minutes * 60_000;
  const say = (line: string): void =>
    console.log(`${String(Math.round((Date.now() - begun) / 1_000)).padStart(4)} s ${line}`);
  let isUpgraded = false;
  while (!isOver(1)) {
    if (!isUpgraded && isOver(0.5)) {
      isUpgraded = true;
      say('a rolling upgrade begins');
      inBackground(
        storm,
        upgrade(storm, `${seed}`).then(() => say('the rolling upgrade is over')),
      );
    }
    // What an action draws depends on what is away, and must not change which one comes next.
    const dice = random(Math.floor(storm.dice.next() * 2 ** 32));
    const action = nextAction(storm);
    say(await action({ ...storm, dice }).catch(unlessAway));
    await pause(storm.dice.next() * 3_000);
  }
}

/** A process that has ended by itself, and is not back yet, cannot be killed. */
function unlessAway(error: unknown): string {
  if (hasEnded(error)) return error.message;
  throw error;
}
