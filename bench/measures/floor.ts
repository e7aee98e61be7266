// The minimum times of this machine for the parts of a rollout: an object that is written and seen, and the
// smallest workflow.
//
// Usage: node bench/measures/floor.ts [samples]
import { CONFIG_MAP } from '../../crds/kubernetes/core.ts';
import { eventually } from '../../testbed/eventually.ts';
import { firstSeen, numbered, type Testbed } from '../load/testbed.ts';
import { measure } from '../measure.ts';
import { quantiles } from '../../testbed/quantiles.ts';
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

/** Milliseconds from the create request of a ConfigMap to its watch event. */
async function objects({ hub, namespace, afterwards }: Testbed, count: number): Promise<number[]> {
  const maps = await firstSeen(hub, CONFIG_MAP);
  afterwards(() => maps.stop());
  const samples: number[] = [];
  for (const name of numbered(`${namespace}-map`, count)) {
    const begun = performance.now();
    await hub.create(CONFIG_MAP, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } });
    samples.push((await eventually(() => maps.at.get(name), { withinMs: 60_000, everyMs: 1 })) - begun);
  }
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
