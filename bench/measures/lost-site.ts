// How soon a Capp has a new ManifestWork when its site is lost, counted from the moment at which OCM no longer decides for that site.
//
// OCM's and our agent of the site are held still (SIGSTOP), with a lease of a second. How long OCM takes to miss them is not counted.
//
// Usage: node bench/measures/lost-site.ts [Capps]
import { CAPP } from '../../crds/capp/capp.ts';
import { MANIFEST_WORK, PLACEMENT_DECISION, PLACEMENT_LABEL, type PlacementDecision } from '../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { watch } from '../../kube/watch/watch.ts';
import { siteOf, untilGone, untilReady } from '../../testbed/apps.ts';
import { eventually } from '../../testbed/eventually.ts';
import { untilWell, whileLost } from '../../testbed/sites.ts';
import { measure } from '../measure.ts';
import { quantiles } from '../../testbed/quantiles.ts';
import { numbered, type Stage } from '../load/testbed.ts';

const PATIENCE = { withinMs: 120_000, everyMs: 5 };

/** When something was first seen, on the clock of `performance.now()`; null before. */
interface Sight {
  at(): number | null;
  stop(): Promise<void>;
}

await measure('lost-site', 5, async (stage, count) => {
  const samplesMs: number[] = [];
  for (const name of numbered('lost', count)) samplesMs.push(await loseOne(stage, name));
  const { p50, max } = quantiles(samplesMs);
  return { ours: `p50 ${p50} ms, max ${max} ms`, figures: { ms: quantiles(samplesMs), samplesMs } };
});

async function loseOne(stage: Stage, name: string): Promise<number> {
  const { stack, namespace } = stage;
  const key = { namespace, name };
  await stage.create(name);
  const home = siteOf(await untilReady(stack.hub, key));
  const [left, shipped] = await Promise.all([decisionWithout(stage, home), workElsewhere(stage, name, home)]);
  let way = Number.NaN;
  await whileLost(stack, home, async () => {
    way = await eventually(() => between(left.at(), shipped.at()), PATIENCE);
    await eventually(async () => (siteOf(await untilReady(stack.hub, key)) === home ? undefined : true), PATIENCE);
  });
  await Promise.all([left.stop(), shipped.stop()]);
  await untilWell(stack, home);
  await stack.hub.remove(CAPP, key);
  await untilGone(stack.hub, key);
  return way;
}

function between(left: number | null, shipped: number | null): number | undefined {
  return left === null || shipped === null ? undefined : shipped - left;
}

async function decisionWithout({ stack, afterwards }: Stage, site: string): Promise<Sight> {
  let seen: number | null = null;
  const decisions = watch<KubeObject & PlacementDecision>(
    stack.hub,
    { resource: PLACEMENT_DECISION },
    ({ object: { metadata, status } }) => {
      if (metadata.labels?.[PLACEMENT_LABEL] !== 'default') return;
      if ((status?.decisions ?? []).every(({ clusterName }) => clusterName !== site)) seen ??= performance.now();
    },
  );
  afterwards(() => decisions.stop());
  await decisions.synced;
  return { at: () => seen, stop: () => decisions.stop() };
}

async function workElsewhere({ stack, namespace, afterwards }: Stage, name: string, home: string): Promise<Sight> {
  let seen: number | null = null;
  const works = watch<KubeObject>(stack.hub, { resource: MANIFEST_WORK, metadataOnly: true }, ({ type, object: { metadata } }) => {
    if (type === 'Added' && metadata.name === `mw-create-${namespace}-${name}` && metadata.namespace !== home) seen ??= performance.now();
  });
  afterwards(() => works.stop());
  await works.synced;
  return { at: () => seen, stop: () => works.stop() };
}
