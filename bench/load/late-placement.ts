// A Placement of a benchmark that selects no cluster until it is told to.
import {
  PLACEMENT,
  PLACEMENT_DECISION,
  PLACEMENT_LABEL,
  type PlacementDecision,
} from '../../crds/ocm/placements.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY, type RcsConfig } from '../../crds/hub/rcs-config.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { watch } from '../../kube/watch/watch.ts';
import { listPlacement } from '../../testbed/capps.ts';
import { eventually } from '../../testbed/eventually.ts';
import type { Testbed } from './testbed.ts';

const NOBODY = [
  { requiredClusterSelector: { labelSelector: { matchLabels: { 'bench.local/selects': 'nobody' } } } },
];

export interface LatePlacement {
  readonly name: string;
  /** Resolves when the watch has seen that there is no decision. */
  selectNobody(): Promise<void>;
  select(): Promise<void>;
  /** The time at which the watch saw the decision. Throws when there is none. */
  decidedAt(): number;
}

/** Creates a Placement and adds it to the end of the RCSConfig's list. */
export async function latePlacement({
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
