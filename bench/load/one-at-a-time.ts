// The way from one Capp to its work, again and again: each Capp has come to rest before the next is made, so no queue is measured.
import type { Wish } from '../../testbed/apps.ts';
import { untilReady } from '../../testbed/apps.ts';
import type { Outcome } from '../measure.ts';
import { quantiles } from '../../testbed/quantiles.ts';
import { numbered, type Stage } from './testbed.ts';

const WARM_UP = 20;

/** Milliseconds from asking for the Capp to seeing its work. */
export async function oneAtATime(stage: Stage, count: number, wish: Omit<Wish, 'namespace' | 'name'>): Promise<Outcome> {
  const samplesMs: number[] = [];
  for (const name of [...numbered('warm', WARM_UP), ...numbered('one', count)]) {
    const begun = await stage.create(name, wish);
    const [seen = Number.NaN] = await stage.worksOf([name]);
    if (name.startsWith('one')) samplesMs.push(seen - begun);
    await untilReady(stage.stack.hub, { namespace: stage.namespace, name });
  }
  const { p50, p90, p99 } = quantiles(samplesMs);
  return { ours: `p50 ${p50} ms, p90 ${p90} ms, p99 ${p99} ms`, figures: { ms: quantiles(samplesMs), samplesMs } };
}
