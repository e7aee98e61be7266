// Waits until the hub worker and the bridge have nothing left to do, such as events of an earlier burst.
import { setTimeout as pause } from 'node:timers/promises';
import type { Layout } from '../../../deploy/local/layout.ts';
import { processorTime, type ProcessorTime } from '../../conditions/processor-time.ts';

const OURS = ['hub-worker', 'bridge'];
const LOOK_MS = 2_000;
/** Of one processor. Polls and heartbeats take less. */
const BUSY = 0.05;
const WITHIN_MS = 900_000;

/** Throws when they are busy for fifteen minutes. */
export async function untilAtRest(layout: Layout): Promise<void> {
  const end = Date.now() + WITHIN_MS;
  let before = spent(await processorTime(layout));
  while (Date.now() < end) {
    await pause(LOOK_MS);
    const now = spent(await processorTime(layout));
    if (now - before < BUSY * LOOK_MS) return;
    before = now;
  }
  throw new Error('The hub worker and the bridge do not come to rest.');
}

function spent({ ofProcesses }: ProcessorTime): number {
  return OURS.reduce((sum, name) => sum + (ofProcesses.get(name)?.ms ?? 0), 0);
}
