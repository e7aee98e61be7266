// A storm on the running stack: random actions kill, stop and mislead processes, break ways and disks, taint
// and cut off sites, and edit and replace what runs, while users ask every app. Then a checker goes through
// the record of all that happened.
//
// Usage: make soak, or AUDIT=1 node test/e2e/with-stack.ts node test/soak/storm/storm.ts. STORM_MINUTES is
// the duration (3), STORM_REST_MINUTES how long nothing may be written afterwards (2), STORM_CAPPS the number
// of Capps (6), SEED the seed, UPGRADE_FROM the commit from which today's build is reached half-way, and
// FORMER one that is not upgraded. Exits with 1 and prints every breach. The same seed gives the same kinds
// of actions in the same order, but not the same timing.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newNamespace } from '../../../testbed/capps.ts';
import { configure } from '../../../testbed/rcs-config.ts';
import { openStack } from '../../../testbed/stack.ts';
import { appHost } from '../../../deploy/local/kubernetes/knative.ts';
import { random } from '../../support/builders/random.ts';
import { checkedOut } from '../former.ts';
import { atRest, mend, settle } from './calm.ts';
import { processesOf } from './faults/processes.ts';
import { rewire } from './faults/rewired.ts';
import { breachesIn } from './judge.ts';
import { BUNDLE_NAME, bundleHost } from './loads/bundle.ts';
import { childOf, createLoads, removeLabel } from './loads/loads.ts';
import { admitPatient, PATIENT, wardOf } from './loads/sickness.ts';
import { rage } from './rage.ts';
import { record } from './record/recorder.ts';
import { startUsers, userWays, type AskedApp } from './traffic.ts';
import type { Storm } from './world.ts';

/** Where the record of a storm that broke a rule is kept. */
const KEPT = join(import.meta.dirname, '../../../.local/failed-storm.jsonl');
/** A commit that has all that a storm tries, and kept its promises. */
const BEGINS_AT = '3883bc3f';

const minutes = Number(process.env['STORM_MINUTES'] ?? 3);
const restMinutes = Number(process.env['STORM_REST_MINUTES'] ?? 2);
const count = Number(process.env['STORM_CAPPS'] ?? 6);
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const former = process.env['FORMER'];
const commit = former ?? process.env['UPGRADE_FROM'] ?? BEGINS_AT;
const builds = former === undefined ? `${commit} and, half-way, today's build` : commit;
console.log(`Storm of SEED=${seed} on ${builds}: ${count} Capps, a set and a Bundle, ${minutes} min`);

const stack = await openStack();
const build = checkedOut(commit, stack.temporalAddress);
const namespace = await newNamespace(stack.hub, 'storm');
const names = Array.from({ length: count }, (_, index) => `storm-${index}`);
const recorder = await record(stack.layout, namespace);
const processes = await processesOf(stack.layout);
const ways = await userWays(stack);
const rewired = await rewire(stack.layout, build.asFormer);
const restoreConfig = await configure(stack.hub, {
  bundles: { unrestricted: [namespace] },
  secrets: { sealing: 'Required' },
});
let edition = 0;
const storm: Storm = {
  stack,
  namespace,
  processes,
  rewired:
    former === undefined ? rewired : { ...rewired, today: (name) => build.asFormer(rewired.today(name)) },
  ways,
  dice: random(seed),
  kept: new Set(names),
  away: new Set(),
  pending: new Set(),
  cutOffs: [],
  illnesses: [],
  nextEdition: () => (edition += 1),
};
const broken: string[] = [];
try {
  await createLoads(storm, names);
  await admitPatient(storm);
  const users = startUsers(askedApps(), ways);
  await rage(storm, minutes, `${seed}`);
  broken.push(...(await mend(storm)));
  await settle(storm, names).catch((error: unknown) => void broken.push(String(error)));
  await users.stop();
  const rest = broken.length > 0 ? [] : await atRest(storm, recorder, restMinutes);
  await recorder.stop();
  broken.push(...breachesIn(storm, { recorder, users, names }));
  broken.push(...rest.map((breach) => `nothing written at rest: ${breach}`));
  broken.push(...recorder.problems.map((problem) => `the record is not whole: ${problem}`));
  const requests = [...users.asked.values()].reduce((sum, one) => sum + one, 0);
  console.log(`${recorder.facts.length} versions of objects, ${requests} requests, ${edition} edits`);
} finally {
  await recorder.stop();
  await rewired.restore();
  await removeLabel(storm);
  await restoreConfig();
  await Promise.all([...ways.values()].map((way) => way.stop()));
  await stack.close();
  build.remove();
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

/** Capps where the hub says that they are served, and the Bundle's app on every site. */
function askedApps(): AskedApp[] {
  const capp = (key: { namespace: string; name: string }, isKept: () => boolean): AskedApp => ({
    app: `${key.namespace}/${key.name}`,
    isKept,
    site: () => recorder.capp(`${key.namespace}/${key.name}`)?.served ?? null,
    host: (site) => appHost(key, site),
  });
  return [
    ...names.map((name) => capp({ namespace, name }, () => storm.kept.has(name))),
    ...stack.sites.map((site) => capp({ namespace, name: childOf(site) }, () => true)),
    capp({ namespace: wardOf(namespace), name: PATIENT }, () => true),
    ...stack.sites.map((site) => ({
      app: `${namespace}/${BUNDLE_NAME}`,
      isKept: () => true,
      site: () => site,
      host: () => bundleHost(namespace),
    })),
  ];
}
