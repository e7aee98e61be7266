// How soon a Capp has a new ManifestWork when its site is lost. The clock starts when OCM no longer decides
// for that site.
//
// OCM's and our agent of the site are stopped (SIGSTOP), with a lease of one second. The time until OCM
// notices is not measured.
//
// Usage: node bench/measures/lost-site.ts [Capps]
import { CAPP } from '../../crds/capp/capp.ts';
import { MANIFEST_WORK } from '../../crds/ocm/ocm.ts';
import { PLACEMENT_DECISION, PLACEMENT_LABEL, type PlacementDecision } from '../../crds/ocm/placements.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { watch } from '../../kube/watch/watch.ts';
import { siteOf, untilGone, untilReady } from '../../testbed/capps.ts';
import { eventually } from '../../testbed/eventually.ts';
import { untilAvailable, whileUnreachable } from '../../testbed/sites.ts';
import { measure } from '../measure.ts';
import { quantiles } from '../../testbed/quantiles.ts';
import { numbered, type Testbed } from '../load/testbed.ts';

const TIMEOUT = { withinMs: 120_000, everyMs: 5 };

/** The time at which a watch first saw something, in milliseconds of `performance.now()`; null before. */
interface FirstSight {
  at(): number | null;
  stop(): Promise<void>;
}

await measure('lost-site', 5, async (testbed, count) => {
  const samplesMs: number[] = [];
  for (const name of numbered('lost', count)) samplesMs.push(await loseOne(testbed, name));
  const { p50, max } = quantiles(samplesMs);
  return { ours: `p50 ${p50} ms, max ${max} ms`, figures: { ms: quantiles(samplesMs), samplesMs } };
});

async function loseOne(testbed: Testbed, name: string): Promise<number> {
  const { stack, namespace } = testbed;
  const key = { namespace, name };
  await testbed.create(name);
  const home = siteOf(await untilReady(stack.hub, key));
  const [left, shipped] = await Promise.all([
    decisionWithout(testbed, home),
    workElsewhere(testbed, name, home),
  ]);
  let elapsed = Number.NaN;
  await whileUnreachable(stack, home, async () => {
    elapsed = await eventually(() => between(left.at(), shipped.at()), TIMEOUT);
    await eventually(
      async () => (siteOf(await untilReady(stack.hub, key)) === home ? undefined : true),
      TIMEOUT,
    );
  });
  await Promise.all([left.stop(), shipped.stop()]);
  await untilAvailable(stack, home);
  await stack.hub.remove(CAPP, key);
  await untilGone(stack.hub, key);
  return elapsed;
}

function between(left: number | null, shipped: number | null): number | undefined {
  return left === null || shipped === null ? undefined : shipped - left;
}

async function decisionWithout({ stack, afterwards }: Testbed, site: string): Promise<FirstSight> {
  let seen: number | null = null;
  const decisions = watch<KubeObject & PlacementDecision>(
    stack.hub,
    { resource: PLACEMENT_DECISION },
    ({ object: { metadata, status } }) => {
      if (metadata.labels?.[PLACEMENT_LABEL] !== 'default') return;
      if ((status?.decisions ?? []).every(({ clusterName }) => clusterName !== site))
        seen ??= performance.now();
    },
  );
  afterwards(() => decisions.stop());
  await decisions.synced;
  return { at: () => seen, stop: () => decisions.stop() };
}

async function workElsewhere(
  { stack, namespace, afterwards }: Testbed,
  name: string,
  home: string,
): Promise<FirstSight> {
  let seen: number | null = null;
  const works = watch<KubeObject>(
    stack.hub,
    { resource: MANIFEST_WORK, metadataOnly: true },
    ({ type, object: { metadata } }) => {
      if (
        type === 'Added' &&
        metadata.name === `mw-create-${namespace}-${name}` &&
        metadata.namespace !== home
      )
        seen ??= performance.now();
    },
  );
  afterwards(() => works.stop());
  await works.synced;
  return { at: () => seen, stop: () => works.stop() };
}
