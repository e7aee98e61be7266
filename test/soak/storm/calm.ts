// After a storm: everything is mended, comes to rest, and is watched at rest.
import { setTimeout as pause } from 'node:timers/promises';
import { auditLogOf } from '../../../deploy/local/kubernetes/audit.ts';
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { untilBundle } from '../../../testbed/bundles.ts';
import { conditionOf, readCapp } from '../../../testbed/capps.ts';
import { AuditLog } from '../../../testbed/counts/requests.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { untilAvailable } from '../../../testbed/sites.ts';
import { setTaint } from './actions.ts';
import { changesAtRest, writesAtRest } from './check/at-rest.ts';
import { BUNDLE_NAME } from './loads/bundle.ts';
import { retryFailed, untilSetReady } from './loads/loads.ts';
import type { Recorder } from './record/recorder.ts';
import { untilOpened } from './loads/secret.ts';
import { untilHealed } from './loads/sickness.ts';
import type { Storm } from './world.ts';

const SETTLED = { withinMs: 300_000, everyMs: 500 };
/** For what is published at most every few seconds, and the last rings. */
const LAST_RINGS_MS = 60_000;

/** Ends every fault. Returns why actions failed. */
export async function mend(storm: Storm): Promise<string[]> {
  const { stack, rewired, pending, processes } = storm;
  const ended = await Promise.allSettled(pending);
  for (const link of [...rewired.links, ...storm.ways.values()]) link.heal();
  for (const name of processes.ours) rewired.shiftClock(name, 0);
  for (const site of stack.sites) await setTaint(stack, site, false);
  for (const site of stack.sites) await untilAvailable(stack, site);
  return ended.filter((one) => one.status === 'rejected').map(({ reason }) => String(reason));
}

/** Waits until every Capp, the set and the Bundle are Ready, and each Capp has one work and no move. */
export async function settle(storm: Storm, names: readonly string[]): Promise<void> {
  const { stack, namespace } = storm;
  await retryFailed(storm);
  await untilSetReady(storm);
  await untilBundle(stack.hub, { namespace, name: BUNDLE_NAME }, 'Ready');
  for (const name of names)
    await eventually(async () => {
      const capp = await readCapp(stack.hub, { namespace, name });
      const ready = conditionOf(capp, 'Ready');
      const isReady = ready?.status === 'True' && ready.observedGeneration === capp.metadata.generation;
      if (isReady && conditionOf(capp, 'Migrating')?.status === 'False') return true;
      throw new Error(`${name} did not become Ready: ${JSON.stringify(capp.status?.conditions)}`);
    }, SETTLED);
  await untilHealed(storm);
  await untilOpened(storm, names);
  // Those of the Capps, of the children of the set, and of the patient.
  const count = names.length + stack.sites.length + 1;
  await eventually(async () => {
    const { items } = await stack.hub.list(MANIFEST_WORK);
    const works = items.filter(({ metadata }) => metadata.name.startsWith(`mw-create-${namespace}-`));
    if (works.length === count) return true;
    throw new Error(`There are ${works.length} works for ${count} Capps.`);
  }, SETTLED);
}

/** Watches for so long, and returns what was written. */
export async function atRest({ stack }: Storm, recorder: Recorder, minutes: number): Promise<string[]> {
  await pause(LAST_RINGS_MS);
  const logs = ['hub', ...stack.sites].map(
    (cluster) => [cluster, new AuditLog(auditLogOf(stack.layout, cluster))] as const,
  );
  const since = Date.now();
  await pause(minutes * 60_000);
  const written = logs.flatMap(([cluster, log]) => writesAtRest(cluster, log.take()));
  return [...written, ...changesAtRest(recorder.facts, since)];
}
