// What Capps cost that are Ready and left alone: every write that an API server answers in a minute, and every event in their histories.
//
// Usage: node bench/measures/idle.ts [Capps]
import { setTimeout as pause } from 'node:timers/promises';
import { moved, versionsOf } from '../../testbed/versions.ts';
import { measure } from '../measure.ts';
import { numbered } from '../load/testbed.ts';
import { writesSince, writesSoFar } from '../../testbed/writes.ts';

/** Rings that a rollout leaves behind have been answered by then. */
const SETTLE_MS = 30_000;
const WATCHED_MS = 60_000;
/** What stands for a Capp somewhere. Sites' leases, heartbeats and scores are written whether there are Capps or not. */
const OF_A_CAPP = /^(capps|manifestworks|services|events|secrets|configmaps|namespaces)(\/|$)/;

await measure('idle', 100, async (stage, count) => {
  const { namespace, stack } = stage;
  const names = numbered('idle', count);
  for (const name of names) await stage.create(name);
  await stage.allReady(names);
  await pause(SETTLE_MS);
  const clusters = ['hub', ...stack.sites].map((name) => ({ name, kube: stack.cluster(name) }));
  const before = { versions: await versionsOf(stack, namespace), writes: await writesSoFar(clusters) };
  await pause(WATCHED_MS);
  const writes = writesSince(before.writes, await writesSoFar(clusters));
  const after = await versionsOf(stack, namespace);
  await stage.allReady(names);
  const different = moved(before.versions, after);
  const events = different.filter((key) => key.startsWith('workflow ')).reduce((sum, key) => sum + grown(before.versions, after, key), 0);
  const ofCapps = writes.filter(({ resource }) => OF_A_CAPP.test(resource)).reduce((sum, { requests }) => sum + requests, 0);
  return {
    ours: `${count} Capps in ${WATCHED_MS / 1000} s: ${ofCapps} writes to Kubernetes, ${events} Temporal events`,
    figures: {
      capps: count,
      seconds: WATCHED_MS / 1000,
      writesOfCapps: ofCapps,
      temporalEvents: events,
      moved: different,
      allWrites: writes,
    },
  };
});

function grown(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>, key: string): number {
  return Number(after.get(key)) - Number(before.get(key) ?? 0);
}
