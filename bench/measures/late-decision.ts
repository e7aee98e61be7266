// How soon a Capp that waits for a decision has its ManifestWork once there is one.
//
// A Placement selects nobody, a Capp that names it says so, then the Placement selects. The clock starts when a watch sees the decision
// that OCM has written, and stops when one sees the work.
//
// Usage: node bench/measures/late-decision.ts [Capps]
import { PLACEMENT, PLACEMENT_DECISION, PLACEMENT_LABEL, type PlacementDecision } from '../../crds/ocm.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY, type RcsConfig } from '../../crds/rcs-config.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { watch } from '../../kube/watch.ts';
import { untilCondition, untilReady } from '../../test/support/apps.ts';
import { eventually } from '../../test/support/eventually.ts';
import { measure } from '../measure.ts';
import { quantiles } from '../quantiles.ts';
import { numbered, type Stage } from '../stage.ts';

const NOBODY = [{ requiredClusterSelector: { labelSelector: { matchLabels: { 'bench.local/selects': 'nobody' } } } }];

await measure('late-decision', 30, async (stage, count) => {
  const { hub } = stage.stack;
  const config = await hub.get<RcsConfig>(RCS_CONFIG, RCS_CONFIG_KEY);
  const placements = config?.spec.placementsNamespace;
  if (placements === undefined) throw new Error('The RCSConfig names no namespace of Placements.');
  const decided = new Map<string, number>();
  const options = { resource: PLACEMENT_DECISION, namespace: placements };
  const decisions = watch<KubeObject & PlacementDecision>(hub, options, ({ type, object: { metadata, status } }) => {
    const placement = metadata.labels?.[PLACEMENT_LABEL] ?? '';
    if (type !== 'Deleted' && (status?.decisions ?? []).length > 0 && !decided.has(placement)) decided.set(placement, performance.now());
  });
  stage.afterwards(() => decisions.stop());
  await decisions.synced;
  const samplesMs: number[] = [];
  for (const name of numbered('late', count)) {
    const placement = { namespace: placements, name: `${stage.namespace}-${name}` };
    await waitForNobody(stage, name, placement);
    if (decided.has(placement.name)) throw new Error(`Placement ${placement.name} was to select nobody, and has a decision.`);
    await hub.patch(PLACEMENT, placement, { spec: { predicates: null } });
    const [seen = Number.NaN] = await stage.worksOf([name]);
    samplesMs.push(seen - (decided.get(placement.name) ?? Number.NaN));
    await untilReady(hub, { namespace: stage.namespace, name });
  }
  const { p50, p90, max } = quantiles(samplesMs);
  return { ours: `p50 ${p50} ms, p90 ${p90} ms, max ${max} ms`, figures: { ms: quantiles(samplesMs), samplesMs } };
});

/** A Placement that selects nobody, and a Capp that says that it waits for it. */
async function waitForNobody(stage: Stage, name: string, placement: { namespace: string; name: string }): Promise<void> {
  const { hub } = stage.stack;
  const spec = { clusterSets: ['default'], predicates: NOBODY };
  const { apiVersion, kind } = PLACEMENT;
  await hub.create<KubeObject & { spec: object }>(PLACEMENT, { apiVersion, kind, metadata: placement, spec });
  stage.afterwards(() => hub.remove(PLACEMENT, placement));
  // The webhook refuses a site that it does not know yet: its caches follow.
  await eventually(() => stage.create(name, { spec: { state: 'disabled', site: placement.name } }), { everyMs: 50 });
  await untilCondition(hub, { namespace: stage.namespace, name }, { type: 'Placed', status: 'False', reason: 'NoDecision' });
}
