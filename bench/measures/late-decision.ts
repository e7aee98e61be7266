// How soon a Capp that waits for a decision has its ManifestWork once OCM decides.
//
// A Placement selects no cluster, a Capp that names it reports NoDecision, then the Placement selects. The
// clock starts when a watch sees OCM's decision, and stops when a watch sees the work.
//
// Usage: node bench/measures/late-decision.ts [Capps]
import { CAPP } from '../../crds/capp/capp.ts';
import {
  PLACEMENT,
  PLACEMENT_DECISION,
  PLACEMENT_LABEL,
  type PlacementDecision,
} from '../../crds/ocm/ocm.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY, type RcsConfig } from '../../crds/rcs-config.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { watch } from '../../kube/watch/watch.ts';
import { listPlacement, untilCondition, untilGone, untilReady } from '../../testbed/capps.ts';
import { eventually } from '../../testbed/eventually.ts';
import { measure } from '../measure.ts';
import { quantiles } from '../../testbed/quantiles.ts';
import { numbered, type Testbed } from '../load/testbed.ts';

const NOBODY = [
  { requiredClusterSelector: { labelSelector: { matchLabels: { 'bench.local/selects': 'nobody' } } } },
];

interface LatePlacement {
  readonly name: string;
  /** Resolves when the watch has seen that there is no decision. */
  selectNobody(): Promise<void>;
  select(): Promise<void>;
  /** The time at which the watch saw the decision. Throws when there is none. */
  decidedAt(): number;
}

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

/** Creates a Placement and adds it to the end of the RCSConfig's list. */
async function latePlacement({
  stack: { hub },
  namespace: name,
  afterwards,
}: Testbed): Promise<LatePlacement> {
  const namespace = (await hub.get<RcsConfig>(RCS_CONFIG, RCS_CONFIG_KEY))?.spec.placementsNamespace;
  if (namespace === undefined) throw new Error('There is no RCSConfig. Run "make up" to repair the stack.');
  const { apiVersion, kind } = PLACEMENT;
  const spec = { clusterSets: ['default'], predicates: NOBODY };
  await hub.create<KubeObject & { spec: object }>(PLACEMENT, {
    apiVersion,
    kind,
    metadata: { namespace, name },
    spec,
  });
  afterwards(() => hub.remove(PLACEMENT, { namespace, name }));
  afterwards(await listPlacement(hub, name));
  let decided: number | null = null;
  const options = { resource: PLACEMENT_DECISION, namespace };
  const decisions = watch<KubeObject & PlacementDecision>(
    hub,
    options,
    ({ object: { metadata, status } }) => {
      if (metadata.labels?.[PLACEMENT_LABEL] !== name) return;
      if ((status?.decisions ?? []).length === 0) decided = null;
      else decided ??= performance.now();
    },
  );
  afterwards(() => decisions.stop());
  await decisions.synced;
  const write = (predicates: unknown) => hub.patch(PLACEMENT, { namespace, name }, { spec: { predicates } });
  return {
    name,
    selectNobody: async () => {
      await write(NOBODY);
      await eventually(() => (decided === null ? true : undefined));
    },
    select: async () => void (await write(null)),
    decidedAt: () => {
      if (decided === null) throw new Error('A watch saw the work before the decision.');
      return decided;
    },
  };
}
