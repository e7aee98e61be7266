// Measures the time from a Capp to its work, one Capp at a time. Each is Ready before the next is created, so
// queueing is not measured.
import { type CappOptions, untilReady } from '../../testbed/capps.ts';
import type { BenchOutcome } from '../measure.ts';
import { quantiles } from '../../testbed/quantiles.ts';
import { numbered, type Testbed } from './testbed.ts';

const WARM_UP = 20;

/** Milliseconds from the create request to the watch event of the work. */
export async function oneAtATime(
  testbed: Testbed,
  count: number,
  options: Omit<CappOptions, 'namespace' | 'name'>,
): Promise<BenchOutcome> {
  const samplesMs: number[] = [];
  for (const name of [...numbered('warm', WARM_UP), ...numbered('one', count)]) {
    const begun = await testbed.create(name, options);
    const [seen = Number.NaN] = await testbed.worksOf([name]);
    if (name.startsWith('one')) samplesMs.push(seen - begun);
    await untilReady(testbed.stack.hub, { namespace: testbed.namespace, name });
  }
  const { p50, p90, p99 } = quantiles(samplesMs);
  return {
    ours: `p50 ${p50} ms, p90 ${p90} ms, p99 ${p99} ms`,
    figures: { ms: quantiles(samplesMs), samplesMs },
  };
}
