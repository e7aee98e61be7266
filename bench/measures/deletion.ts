// How long it takes until a deleted Capp is gone from the hub, one at a time. Agents run, so its site has
// cleaned up by then.
//
// Usage: node bench/measures/deletion.ts [Capps]
import { CAPP } from '../../crds/capp/capp.ts';
import { watch } from '../../kube/watch/watch.ts';
import { eventually } from '../../testbed/eventually.ts';
import { measure } from '../measure.ts';
import { quantiles, tenth } from '../../testbed/quantiles.ts';
import { numbered } from '../load/testbed.ts';

await measure('deletion', 30, async (testbed, count) => {
  const { namespace, stack } = testbed;
  const names = numbered('app', count);
  const gone = new Map<string, number>();
  const capps = watch(stack.hub, { resource: CAPP, namespace, metadataOnly: true }, ({ type, object }) => {
    if (type === 'Deleted') gone.set(object.metadata.name, performance.now());
  });
  testbed.afterwards(() => capps.stop());
  for (const name of names) await testbed.create(name);
  await testbed.allReady(names);
  const samplesSeconds: number[] = [];
  for (const name of names) {
    const begun = performance.now();
    await stack.hub.remove(CAPP, { namespace, name });
    const at = await eventually(() => gone.get(name), { withinMs: 120_000, everyMs: 5 });
    samplesSeconds.push((at - begun) / 1000);
  }
  const milliseconds = quantiles(samplesSeconds.map((seconds) => seconds * 1000));
  const { p50, p90 } = milliseconds;
  return {
    ours: `p50 ${tenth(p50 / 1000)} s, p90 ${tenth(p90 / 1000)} s`,
    figures: { ms: milliseconds, samplesSeconds },
  };
});
