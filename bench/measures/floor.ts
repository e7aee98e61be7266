// What the machine alone takes for the least that a rollout is made of: an object written and seen, and the smallest workflow.
//
// Usage: node bench/measures/floor.ts [samples]
import { CONFIG_MAP } from '../../crds/kubernetes/core.ts';
import { eventually } from '../../testbed/eventually.ts';
import { firstSeen } from '../load/first-seen.ts';
import { measure } from '../measure.ts';
import { quantiles } from '../../testbed/quantiles.ts';
import { smallestWorkflows } from '../load/smallest-workflows.ts';
import { numbered, type Stage } from '../load/testbed.ts';

await measure('floor', 100, async (stage, count) => {
  const objectMs = await objects(stage, count);
  const workflowMs = await workflows(stage, count);
  const [object, workflow] = [quantiles(objectMs), quantiles(workflowMs)];
  return {
    ours: `an object p50 ${object.p50} ms; the smallest workflow p50 ${workflow.p50} ms, p90 ${workflow.p90} ms`,
    figures: { objectMs: object, workflowMs: workflow },
  };
});

/** Milliseconds from asking for a ConfigMap to seeing it in a watch. */
async function objects({ hub, namespace, afterwards }: Stage, count: number): Promise<number[]> {
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

/** Milliseconds from starting a workflow by a ring until it has done its one thing. */
async function workflows(stage: Stage, count: number): Promise<number[]> {
  const { run, stop } = await smallestWorkflows(stage);
  const samples: number[] = [];
  for (const name of numbered('floor', count)) samples.push(await run(name));
  await stop();
  return samples;
}
