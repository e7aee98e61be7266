// The cost of idle Capps in a minute: every write that an API server counts, and every event in the histories
// of their workflows.
//
// Usage: node bench/measures/idle.ts [Capps]
import { setTimeout as pause } from 'node:timers/promises';
import { changedNames, versionsOf } from '../../testbed/at-rest/versions.ts';
import { measure } from '../measure.ts';
import { numbered } from '../load/testbed.ts';
import { writesSince, writesSoFar } from '../../testbed/at-rest/writes.ts';

/** Time for the last rings of a rollout. */
const SETTLE_MS = 30_000;
const WATCHED_MS = 60_000;
/**
 * The kinds that a Capp causes to be written. Leases, heartbeats and scores of sites are written without
 * Capps too.
 */
const OF_A_CAPP = /^(capps|manifestworks|services|events|secrets|configmaps|namespaces)(\/|$)/;

await measure('idle', 100, async (testbed, count) => {
  const { namespace, stack } = testbed;
  const names = numbered('idle', count);
  for (const name of names) await testbed.create(name);
  await testbed.allReady(names);
  await pause(SETTLE_MS);
  const clusters = ['hub', ...stack.sites].map((name) => ({ name, kube: stack.cluster(name) }));
  const before = { versions: await versionsOf(stack, namespace), writes: await writesSoFar(clusters) };
  await pause(WATCHED_MS);
  const writes = writesSince(before.writes, await writesSoFar(clusters));
  const after = await versionsOf(stack, namespace);
  await testbed.allReady(names);
  const different = changedNames(before.versions, after);
  const events = different
    .filter((key) => key.startsWith('workflow '))
    .reduce((sum, key) => sum + grown(before.versions, after, key), 0);
  const ofCapps = writes
    .filter(({ resource }) => OF_A_CAPP.test(resource))
    .reduce((sum, { requests }) => sum + requests, 0);
  return {
    ours: `${count} Capps in ${WATCHED_MS / 1000} s: ${ofCapps} writes to Kubernetes, ${events} Temporal events`,
    figures: {
      capps: count,
      seconds: WATCHED_MS / 1000,
      writesOfCapps: ofCapps,
      temporalEvents: events,
      changedNames: different,
      allWrites: writes,
    },
  };
});

function grown(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>, key: string): number {
  return Number(after.get(key)) - Number(before.get(key) ?? 0);
}
