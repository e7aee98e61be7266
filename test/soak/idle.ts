// Ten idle minutes: Ready Capps cause no history events and no writes, on hub and sites.
//
// The scores of sites are still measured, and are written only to renew them (score-writes.ts).
//
// Usage: make soak. IDLE_MINUTES is the duration (10), IDLE_CAPPS the number of Capps (20). Exits with 1 and
// prints what changed, if anything did.
import { setTimeout as pause } from 'node:timers/promises';
import { createCapp, newNamespace, untilReady } from '../../testbed/capps.ts';
import { openStack } from '../../testbed/stack.ts';
import { changedNames, versionsOf } from '../../testbed/at-rest/versions.ts';
import { countScoreWrites } from './score-writes.ts';

/** Time for the last rings of a rollout. */
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
const before = await versionsOf(stack, namespace);
console.log(`${count} Capps are Ready; watching ${before.size} versions for ${minutes} min`);
await pause(minutes * 60_000);
const after = await versionsOf(stack, namespace);
const different = changedNames(before, after);
const excess = await scoreWrites.excess();
for (const line of excess) console.error(line);
for (const key of different)
  console.error(`${key}: ${before.get(key) ?? 'none'} → ${after.get(key) ?? 'none'}`);
await scoreWrites.stop();
await stack.close();
const isIdle = different.length + excess.length === 0;
console.log(
  isIdle
    ? 'Nothing changed and nothing was written.'
    : `${different.length} versions changed, ${excess.length} scores were written too often.`,
);
process.exitCode = isIdle ? 0 : 1;
