// How long it takes until each of many Capps, created at once, has its ManifestWork. The sites' agents are
// stopped meanwhile.
//
// Just before, the same number of smallest workflows runs, because the speed of shared machines changes
// twofold within an hour.
//
// Usage: node bench/measures/burst.ts [Capps]
import { measure } from '../measure.ts';
import { pauseAgents } from '../conditions/paused-agents.ts';
import { processorTime, spentEach } from '../conditions/processor-time.ts';
import { tenth } from '../../testbed/quantiles.ts';
import { smallestWorkflows } from '../load/smallest-workflows.ts';
import { DISABLED, numbered, type Testbed } from '../load/testbed.ts';

await measure('burst', 600, async (testbed, count) => {
  const { layout } = testbed.stack;
  const warm = numbered('warm', 20);
  for (const name of warm) await testbed.create(name, DISABLED);
  await testbed.allReady(warm);
  await pauseAgents(testbed);
  const names = numbered('burst', count);
  const smallest = tenth(await smallestPerSecond(testbed, names));
  const before = await processorTime(layout);
  const begun = performance.now();
  const [, seen] = await Promise.all([
    Promise.all(names.map((name) => testbed.create(name, DISABLED))),
    testbed.worksOf(names),
  ]);
  const processors = spentEach(before, await processorTime(layout), count);
  const after = seen.map((at) => (at - begun) / 1000).toSorted((a, b) => a - b);
  const seconds = tenth(after.at(-1) ?? Number.NaN);
  const perSecond = tenth(count / seconds);
  return {
    ours: `${count} in ${seconds} s, ${perSecond} a second; just before, the smallest workflows alone: ${smallest} a second`,
    figures: {
      capps: count,
      seconds,
      perSecond,
      smallestWorkflowsPerSecond: smallest,
      processors,
      seenAfterSeconds: after,
    },
  };
});

async function smallestPerSecond(testbed: Testbed, names: readonly string[]): Promise<number> {
  const workflows = await smallestWorkflows(testbed);
  const begun = performance.now();
  await Promise.all(names.map((name) => workflows.run(name)));
  const seconds = (performance.now() - begun) / 1000;
  await workflows.stop();
  return names.length / seconds;
}
