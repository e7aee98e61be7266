// ClusterJoins by bridge, workflow and activities on a real Temporal and a real API server: one that lacks
// something of the hub goes on by itself when that is there, and its workflow does not end before.
import { hubJoins } from '../../../activities/hub/join/approve.ts';
import { keepJoins, watchDeclared, watchRequests, type JoinsWatched } from '../../../bridge/joins/keep.ts';
import type { Keeper } from '../../../bridge/kept/keep.ts';
import { CLUSTER_JOIN_DEFINITION } from '../../../crds/definitions/definitions.ts';
import { CLUSTER_INFO, clusterInfoMap } from '../../../crds/join/cluster-info.ts';
import { CLUSTER_JOIN, type ClusterJoin } from '../../../crds/join/cluster-join.ts';
import { CONFIG_MAP, NAMESPACE, SECRET, type ConfigMap } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { endpointOf } from '../../../kube/http/credentials.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { allSynced, cache, stopAll, type Cache } from '../../../kube/watch/cache.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { joinWorkflowId } from '../../../workflows/names.ts';
import { storiesOf } from '../../support/flow/flow.ts';
import { serve } from '../../support/servers/definitions.ts';
import { joinTestbed } from '../../support/testbeds/join.ts';

const story = storiesOf('joins-declared');
const ROOM = 'joins';
const KEY = { namespace: ROOM, name: 'edge-1' };

type Watched = Omit<JoinsWatched, 'declared'>;
let caches: Required<Watched> & { readonly [kind in keyof Watched]-?: Cache<KubeObject> };
let declared: ReturnType<typeof watchDeclared> | null = null;
let bridge: Keeper | null = null;

// Before the testbed closes.
afterAll(async () => {
  await bridge?.stop();
  await declared?.stop();
  await stopAll(Object.values(caches ?? {}));
});
const hub = joinTestbed();
beforeAll(async () => {
  const { kube } = hub;
  await serve(kube, CLUSTER_JOIN_DEFINITION, CLUSTER_JOIN);
  for (const name of [ROOM, CLUSTER_INFO.namespace])
    await kube.create(NAMESPACE, { metadata: { name } }).catch(() => undefined);
  // What does not come is missed below.
  const onProblem = (): void => undefined;
  const metadataOnly = true;
  caches = {
    clusters: cache<ManagedCluster>(kube, { resource: MANAGED_CLUSTER, onProblem }),
    agents: cache(kube, { resource: MANAGED_CLUSTER_ADD_ON, metadataOnly, onProblem }),
    secrets: cache(kube, { resource: SECRET, metadataOnly, onProblem }),
    configMaps: cache(kube, { resource: CONFIG_MAP, metadataOnly, onProblem }),
    requests: watchRequests(kube, onProblem),
  };
  declared = watchDeclared(kube, onProblem);
  await Promise.all([allSynced(Object.values(caches)), declared.known]);
}, 300_000);

const reasonOf = async (): Promise<string> =>
  (await hub.kube.get<ClusterJoin>(CLUSTER_JOIN, KEY))?.status?.conditions?.[0]?.reason ?? '';
const until = (reason: string): Promise<true> =>
  eventually(async () => ((await reasonOf()) === reason ? true : undefined), { withinMs: 120_000 });

story(
  'a ClusterJoin waits for the way to the hub, and its line comes when the hub says it',
  async (testbed) => {
    await testbed.startHub({
      activities: {
        ...testbed.world.hub,
        ...hubJoins({ kube: hub.kube, declared: { namespaces: [ROOM], clusterSets: [] } }),
      },
    });
    bridge = keepJoins(testbed.client, { ...caches, declared }, () => undefined);
    await hub.kube.create<ClusterJoin>(CLUSTER_JOIN, { metadata: KEY, spec: { cluster: 'edge-1' } });
    await until('NoHubAddress');
    expect(await hub.clusterOf('edge-1')).toBeNull();
    const handle = testbed.client.workflow.getHandle(joinWorkflowId('edge-1'));
    const { runId, status } = await handle.describe();
    expect(status.name).toBe('RUNNING');
    const { ca = '' } = (await endpointOf({ kubeconfig: hub.kubeconfig }).credentials()).tls;
    await hub.kube.create<ConfigMap>(
      CONFIG_MAP,
      clusterInfoMap({ server: 'https://hub.example:6443', ca: String(ca) }),
    );
    await until('Expected');
    expect(await hub.kube.getMetadata(SECRET, { namespace: ROOM, name: 'edge-1-join' })).not.toBeNull();
    // The same run has gone on.
    expect((await handle.describe()).runId).toBe(runId);
    expect(JSON.stringify(await handle.fetchHistory())).not.toMatch(/[a-z0-9]{6}\.[a-z0-9]{16}@/);
  },
);
