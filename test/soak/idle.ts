// Ten idle minutes: Capps that are Ready cost no history event and no write, on hub or site.
//
// Sites are measured all the same: those runs are nobody's Capp, and of their writes only renewals are allowed (score-writes.ts).
//
// Usage: make soak; IDLE_MINUTES says how long (10), IDLE_CAPPS how many Capps (20). Ends with 1 and what moved if anything did.
import { setTimeout as pause } from 'node:timers/promises';
import { createCapp, newNamespace, untilReady } from '../../testbed/apps.ts';
import { openStack } from '../../testbed/stack.ts';
import { moved, versionsOf } from '../../testbed/versions.ts';
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
const before = await versionsOf(stack, namespace);
console.log(`${count} Capps are Ready; watching ${before.size} figures for ${minutes} min`);
await pause(minutes * 60_000);
const after = await versionsOf(stack, namespace);
const different = moved(before, after);
const excess = await scoreWrites.excess();
for (const line of excess) console.error(line);
for (const key of different) console.error(`${key}: ${before.get(key) ?? 'none'} → ${after.get(key) ?? 'none'}`);
await scoreWrites.stop();
await stack.close();
const isIdle = different.length + excess.length === 0;
console.log(isIdle ? 'Nothing happened and nothing was written.' : `${different.length} figures moved, ${excess.length} scores too often.`);
process.exitCode = isIdle ? 0 : 1;
