// What a look at a Bundle makes of sites with two hubs, while the names of executors do not bear the hub:
// what is there stays and is edited, and what is not there yet does not come.
import { sightOf } from '../../../../activities/hub/bundle/sight.ts';
import type { SelectRules } from '../../../../activities/hub/bundle/sites.ts';
import { seenWork } from '../../../../activities/hub/bundle/status/seen.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { CAPPS_EXECUTOR_CLAIM } from '../../../../crds/ocm/cluster-claim.ts';
import { cappsExecutor, cappsExecutorClaim } from '../../../../crds/ocm/executors.ts';
import { AVAILABLE } from '../../../../crds/ocm/ocm.ts';
import { Strategy } from '../../../../crds/rollout/stages.ts';
import { listed } from '../../../../kube/watch/listed.ts';
import { aBundle, aConfigMap, rendered, reportedWork } from '../../../support/builders/fleet/bundles.ts';
import { aCluster } from '../../../support/builders/fleet/sets.ts';

const SITES = ['site-1', 'site-2', 'site-3'];
/** site-3 has one hub, the others have two. */
const claimsOf = (site: string): readonly string[] => (site === 'site-3' ? ['hub-a'] : ['hub-a', 'hub-b']);
const clusterOf = (site: string) => ({
  ...aCluster(site),
  status: {
    conditions: [{ type: AVAILABLE, status: 'True' }],
    clusterClaims: claimsOf(site).map((hub) => ({ name: cappsExecutorClaim(hub), value: 'a/b' })),
  },
});
type SeenCluster = ReturnType<typeof clusterOf>;

/** An agent of an earlier version names its hub in the value alone. */
function ofEarlierAgent(cluster: SeenCluster): SeenCluster {
  const [, ...others] = cluster.status.clusterClaims;
  const plain = { name: CAPPS_EXECUTOR_CLAIM, value: `a/${cappsExecutor('hub-a')}` };
  return { ...cluster, status: { ...cluster.status, clusterClaims: [plain, ...others] } };
}

function barred(bundles: object, seen: (cluster: SeenCluster) => SeenCluster = (one) => one): string[] {
  const spec = { placements: [], placementsNamespace: 'p', pinning: 'Any', bundles };
  const caches = {
    clusters: listed(SITES.map((site) => seen(clusterOf(site)))),
    configs: listed([{ metadata: RCS_CONFIG_KEY, spec }]),
    placements: listed([]),
    decisions: listed([]),
    setBindings: listed([]),
    clusterSets: listed([]),
  };
  const rules = { caches, hubUid: 'hub', config: RCS_CONFIG_KEY } as unknown as SelectRules;
  const bundle = aBundle({ manifests: [aConfigMap({ color: 'red' })] });
  const work = seenWork(reportedWork(bundle) as never);
  const sight = sightOf(rules, {
    bundle,
    strategy: Strategy.parse({}),
    rendered: rendered(bundle),
    works: [{ ...work, metadata: { ...work.metadata, namespace: 'site-1' } }],
  });
  return sight.select(SITES).barred.map(({ cluster }) => cluster);
}

test('a Bundle stays on a site that has let a second hub in, and comes to no other such site', () => {
  expect(barred({})).toEqual(['site-2']);
});

test('a Bundle comes to all of them once the names bear the hub', () => {
  expect(barred({ executors: 'HubAndNamespace' })).toEqual([]);
});

test('a site with two hubs is known as one also where the agent of one of them is of an earlier version', () => {
  expect(barred({}, ofEarlierAgent)).toEqual(['site-2']);
});
