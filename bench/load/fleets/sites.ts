// A hundred simulated sites in the three stages of a rollout, each stage in two halves, and one Placement for
// all of them.
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import {
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
  PLACEMENT_DECISION,
  PLACEMENT_LABEL,
  clustersOn,
  type PlacementDecision,
} from '../../../crds/ocm/placements.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { answerAsAgents } from '../growth/agents.ts';
import { makeClusters } from '../growth/clusters.ts';
import type { Testbed } from '../testbed.ts';
import { simulateAppliers, TAKES_MS, type Appliers } from './appliers.ts';

/** The stages in order, by their number of sites. */
export const STAGES = { canary: 20, region: 30, others: 50 } as const;
const SITES = Object.values(STAGES).reduce((sum, count) => sum + count, 0);
/** A site's stage, and which half of the stage it is in. */
export const STAGE = 'bench.example.com/stage';
const HALF = 'bench.example.com/half';
const HALVES = ['first', 'second'] as const;

/** What the sites alone take for a rollout with half of each stage at once. */
export const SITES_ALONE_MS = Object.keys(STAGES).length * HALVES.length * TAKES_MS;

export interface StagedSites {
  readonly names: readonly string[];
  /** In the namespace of the testbed. Its decisions come in a group for each half of a stage. */
  readonly placement: string;
}

/** The end of the benchmark deletes them. */
export async function stagedSites(
  testbed: Testbed,
): Promise<{ readonly sites: StagedSites; readonly appliers: Appliers }> {
  const { hub, namespace } = testbed;
  const { names } = await makeClusters(testbed, SITES);
  const ofStage = Object.entries(STAGES).flatMap(([stage, count]) => Array<string>(count).fill(stage));
  for (const [index, name] of names.entries()) {
    const labels = { [STAGE]: ofStage[index], [HALF]: HALVES[index % HALVES.length] };
    await hub.patch(MANAGED_CLUSTER, { namespace: null, name }, { metadata: { labels } });
  }
  const placement = 'staged';
  const made = ({ apiVersion, kind }: { apiVersion: string; kind: string }, name: string, spec: object) =>
    ({ apiVersion, kind, metadata: { namespace, name }, spec }) as unknown as KubeObject;
  const bound = { clusterSet: namespace };
  await hub.create(MANAGED_CLUSTER_SET_BINDING, made(MANAGED_CLUSTER_SET_BINDING, namespace, bound));
  const decisionStrategy = { groupStrategy: { decisionGroups: groups() } };
  await hub.create(PLACEMENT, made(PLACEMENT, placement, { clusterSets: [namespace], decisionStrategy }));
  await eventually(
    async () => {
      const labelSelector = `${PLACEMENT_LABEL}=${placement}`;
      const { items } = await hub.list<PlacementDecision>(PLACEMENT_DECISION, { namespace, labelSelector });
      if (clustersOn(items).length === SITES) return true;
      throw new Error(`OCM has decided for ${clustersOn(items).length} of ${SITES} sites.`);
    },
    { withinMs: 300_000, everyMs: 500 },
  );
  const appliers = await simulateAppliers(testbed, new Set(names));
  answerAsAgents(testbed, names);
  return { sites: { names, placement }, appliers };
}

function groups(): readonly object[] {
  return Object.keys(STAGES).flatMap((stage) =>
    HALVES.map((half) => ({
      groupName: `${stage}-${half}`,
      groupClusterSelector: { labelSelector: { matchLabels: { [STAGE]: stage, [HALF]: half } } },
    })),
  );
}
