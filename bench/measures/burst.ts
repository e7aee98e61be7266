// How long many Capps made at once take until each has its ManifestWork, while the sites' agents are held still.
//
// As many of the smallest workflows are run just before, since shared machines differ twofold within an hour.
//
// Usage: node bench/measures/burst.ts [Capps]
import { measure } from '../measure.ts';
import { pauseAgents } from '../conditions/paused-agents.ts';
import { processorTime, spentEach } from '../conditions/processor-time.ts';
import { tenth } from '../../testbed/quantiles.ts';
import { smallestWorkflows } from '../load/smallest-workflows.ts';
import { DISABLED, numbered, type Stage } from '../load/testbed.ts';

await measure('burst', 600, async (stage, count) => {
  const { layout } = stage.stack;
  const warm = numbered('warm', 20);
  for (const name of warm) await stage.create(name, DISABLED);
  await stage.allReady(warm);
  await pauseAgents(stage);
  const names = numbered('burst', count);
  const smallest = tenth(await smallestPerSecond(stage, names));
  const before = await processorTime(layout);
  const begun = performance.now();
  const [, seen] = await Promise.all([Promise.all(names.map((name) => stage.create(name, DISABLED))), stage.worksOf(names)]);
  const processors = spentEach(before, await processorTime(layout), count);
  const after = seen.map((at) => (at - begun) / 1000).toSorted((a, b) => a - b);
  const seconds = tenth(after.at(-1) ?? Number.NaN);
  const perSecond = tenth(count / seconds);
  return {
    ours: `${count} in ${seconds} s, ${perSecond} a second; just before, the smallest workflows alone: ${smallest} a second`,
    figures: { capps: count, seconds, perSecond, smallestWorkflowsPerSecond: smallest, processors, seenAfterSeconds: after },
  };
});

async function smallestPerSecond(stage: Stage, names: readonly string[]): Promise<number> {
  const workflows = await smallestWorkflows(stage);
  const begun = performance.now();
  await Promise.all(names.map((name) => workflows.run(name)));
  const seconds = (performance.now() - begun) / 1000;
  await workflows.stop();
  return names.length / seconds;
}
