// How soon a Capp that waits for a decision has its ManifestWork once OCM decides.
//
// A Placement selects no cluster, a Capp that names it reports NoDecision, then the Placement selects. The
// clock starts when a watch sees OCM's decision, and stops when a watch sees the work.
//
// Usage: node bench/measures/late-decision.ts [Capps]
import { CAPP } from '../../crds/capp/capp.ts';
import { untilCondition, untilGone, untilReady } from '../../testbed/capps.ts';
import { eventually } from '../../testbed/eventually.ts';
import { measure } from '../measure.ts';
import { quantiles } from '../../testbed/quantiles.ts';
import { latePlacement } from '../load/late-placement.ts';
import { numbered } from '../load/testbed.ts';

await measure('late-decision', 30, async (testbed, count) => {
  const { hub } = testbed.stack;
  const placement = await latePlacement(testbed);
  const samplesMs: number[] = [];
  for (const name of numbered('late', count)) {
    const key = { namespace: testbed.namespace, name };
    await placement.selectNobody();
    // Repeated, because the webhook refuses a placement until its cache has it.
    await eventually(() => testbed.create(name, { spec: { state: 'disabled', site: placement.name } }), {
      everyMs: 50,
    });
    await untilCondition(hub, key, { type: 'Placed', status: 'False', reason: 'NoDecision' });
    await placement.select();
    const [seen = Number.NaN] = await testbed.worksOf([name]);
    samplesMs.push(seen - placement.decidedAt());
    await untilReady(hub, key);
    await hub.remove(CAPP, key);
    await untilGone(hub, key);
  }
  const { p50, p90, max } = quantiles(samplesMs);
  return {
    ours: `p50 ${p50} ms, p90 ${p90} ms, max ${max} ms`,
    figures: { ms: quantiles(samplesMs), samplesMs },
  };
});
