// How fast many Capps that are deleted at once are gone, and how fast OCM's agents alone delete as many works
// of the same content. Agents run.
//
// Usage: node bench/measures/deletions.ts [Capps]
import { CAPP } from '../../crds/capp/capp.ts';
import { ROLLOUT } from '../../crds/labels.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../crds/ocm/ocm.ts';
import { siteOf, readCapp } from '../../testbed/capps.ts';
import { tenth } from '../../testbed/quantiles.ts';
import { processorTime, spentEach, type Spent } from '../conditions/processor-time.ts';
import { measure } from '../measure.ts';
import { restOf, worksAtRest } from '../load/capps-at-rest.ts';
import { DISABLED, numbered, type Testbed } from '../load/testbed.ts';

interface Deleted {
  readonly seconds: number;
  readonly perSecond: number;
  readonly processors: Spent;
}

await measure('deletions', 300, async (testbed, count) => {
  const { hub, namespace } = testbed;
  const rest = await restOf(testbed);
  const names = numbered('app', count);
  await Promise.all(names.map((name) => testbed.create(name, DISABLED)));
  await testbed.allReady(names);
  await rest.shipped(names);
  const pattern = await workOf(testbed, names[0] ?? '');
  const capps = await timed(testbed, count, async () => {
    await Promise.all(names.map((name) => hub.remove(CAPP, { namespace, name })));
    await rest.gone(names);
  });
  const alone = await worksAlone(testbed, pattern, numbered('alone', count));
  const ratio = tenth((100 * capps.perSecond) / alone.perSecond);
  return {
    ours: `${count} in ${capps.seconds} s, ${capps.perSecond} a second; OCM's agents alone delete ${alone.perSecond} such works a second`,
    figures: { capps: count, deleted: capps, worksAlone: alone, percentOfWorksAlone: ratio },
  };
});

async function workOf({ hub, namespace }: Testbed, name: string): Promise<ManifestWork> {
  const cluster = siteOf(await readCapp(hub, { namespace, name }));
  const work = await hub.get<ManifestWork>(MANIFEST_WORK, {
    namespace: cluster,
    name: `mw-create-${namespace}-${name}`,
  });
  if (work === null) throw new Error(`Capp ${namespace}/${name} has no ManifestWork.`);
  return work;
}

/** Works that Cappstan does not know, each with a Capp of its own. */
async function worksAlone(
  testbed: Testbed,
  pattern: ManifestWork,
  names: readonly string[],
): Promise<Deleted> {
  const { hub, stack } = testbed;
  const { sites } = stack;
  const keys = names.map((name, index) => ({ namespace: sites[index % sites.length] ?? '', name }));
  const works = await worksAtRest(testbed, names);
  await Promise.all(
    keys.map(({ namespace, name }) =>
      hub.create(MANIFEST_WORK, copyOf(pattern, namespace, name) as ManifestWork),
    ),
  );
  await works.applied();
  return timed(testbed, names.length, async () => {
    await Promise.all(keys.map((key) => hub.remove(MANIFEST_WORK, key)));
    await works.gone();
  });
}

/** The same content for a Capp of that name, without the stamp of one of Cappstan's. */
function copyOf({ apiVersion, kind, spec }: ManifestWork, namespace: string, name: string): object {
  const capp = (spec?.workload.manifests ?? []).find((manifest) => manifest.kind === CAPP.kind);
  const { [ROLLOUT]: stamp = '' } = capp?.metadata.annotations ?? {};
  const text = JSON.stringify(spec)
    .replaceAll(`"name":"${capp?.metadata.name ?? ''}"`, `"name":"${name}"`)
    .replaceAll(stamp, '');
  return { apiVersion, kind, metadata: { namespace, name }, spec: JSON.parse(text) as unknown };
}

async function timed({ stack }: Testbed, count: number, work: () => Promise<void>): Promise<Deleted> {
  const before = await processorTime(stack.layout);
  const begun = performance.now();
  await work();
  const seconds = tenth((performance.now() - begun) / 1000);
  const processors = spentEach(before, await processorTime(stack.layout), count);
  return { seconds, perSecond: tenth(count / seconds), processors };
}
