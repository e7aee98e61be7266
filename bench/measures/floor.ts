// The minimum times of this machine for the parts of a rollout: an object that is written and seen, and the
// smallest workflow.
//
// Usage: node bench/measures/floor.ts [samples]
import { numbered, type Testbed } from '../load/testbed.ts';
import { measure } from '../measure.ts';
import { quantiles } from '../../testbed/quantiles.ts';
import { smallestObjects } from '../load/smallest-objects.ts';
import { smallestWorkflows } from '../load/smallest-workflows.ts';

await measure('floor', 100, async (testbed, count) => {
  const objectMs = await objects(testbed, count);
  const workflowMs = await workflows(testbed, count);
  const [object, workflow] = [quantiles(objectMs), quantiles(workflowMs)];
  return {
    ours: `an object p50 ${object.p50} ms; the smallest workflow p50 ${workflow.p50} ms, p90 ${workflow.p90} ms`,
    figures: { objectMs: object, workflowMs: workflow },
  };
});

async function objects(testbed: Testbed, count: number): Promise<number[]> {
  const write = await smallestObjects(testbed);
  const samples: number[] = [];
  for (const name of numbered('map', count)) samples.push(await write(name));
  return samples;
}

/** Milliseconds from the start of a workflow by a ring until its activity has run. */
async function workflows(testbed: Testbed, count: number): Promise<number[]> {
  const { run, stop } = await smallestWorkflows(testbed);
  const samples: number[] = [];
  for (const name of numbered('floor', count)) samples.push(await run(name));
  await stop();
  return samples;
}
