// ClusterJoins by bridge, workflow and activities on a real Temporal and a real API server: one that lacks
// something of the hub goes on by itself when that is there, and its workflow does not end before.
import { hubJoins } from '../../../activities/hub/join/approve.ts';
import { keepJoins, watchDeclared, watchRequests, type JoinsWatched } from '../../../bridge/joins/keep.ts';
import type { WorkflowKeeper } from '../../../bridge/kept/keep.ts';
import { CLUSTER_JOIN_DEFINITION } from '../../../crds/definitions/definitions.ts';
import { CLUSTER_INFO, clusterInfoMap } from '../../../crds/join/cluster-info.ts';
import { tokenKey } from '../../../crds/join/bootstrap-token.ts';
import { CLUSTER_JOIN, type ClusterJoin } from '../../../crds/join/cluster-join.ts';
import {
  CONFIG_MAP,
  EVENT,
  NAMESPACE,
  SECRET,
  type ConfigMap,
  type Event,
} from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANAGED_CLUSTER_ADD_ON, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import { endpointOf } from '../../../kube/http/credentials.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { allSynced, cache, stopAll, type Cache } from '../../../kube/watch/cache.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { joinWorkflowId } from '../../../workflows/names.ts';
import { storiesOf } from '../../support/flow/flow.ts';
import { serve } from '../../support/servers/api/definitions.ts';
import type { Actor, FlowTestbed } from '../../support/testbeds/flow.ts';
import { joinTestbed } from '../../support/testbeds/join/join.ts';

const story = storiesOf('joins-declared');
const ROOM = 'joins';
const LONG = { withinMs: 120_000 };

type Watched = Omit<JoinsWatched, 'declared'>;
let caches: Required<Watched> & { readonly [kind in keyof Watched]-?: Cache<KubeObject> };
let declared: ReturnType<typeof watchDeclared> | null = null;
let bridge: WorkflowKeeper | null = null;

afterEach(async () => {
  await bridge?.stop();
  bridge = null;
});
// Before the testbed closes.
afterAll(async () => {
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

const keyOf = (name: string) => ({ namespace: ROOM, name });
const declare = (name: string): Promise<ClusterJoin> =>
  hub.kube.create<ClusterJoin>(CLUSTER_JOIN, { metadata: keyOf(name), spec: { cluster: name } });
const reasonOf = async (name: string): Promise<string> =>
  (await hub.kube.get<ClusterJoin>(CLUSTER_JOIN, keyOf(name)))?.status?.conditions?.[0]?.reason ?? '';
const until = (name: string, reason: string): Promise<true> =>
  eventually(async () => ((await reasonOf(name)) === reason ? true : undefined), LONG);
async function info(): Promise<ConfigMap> {
  const { ca = '' } = (await endpointOf({ kubeconfig: hub.kubeconfig }).credentials()).tls;
  return clusterInfoMap({ server: 'https://hub.example:6443', ca: String(ca) });
}
const statusOf = async ({ client }: FlowTestbed, name: string): Promise<string> =>
  (await client.workflow.getHandle(joinWorkflowId(name)).describe()).status.name;

type Refuses = (method: 'create' | 'remove', resource: Resource, namespace: string | null) => number | null;

/** With a hub worker to which somebody refuses more than the API server does. */
function startHub(testbed: FlowTestbed, namespaces: readonly string[], refuses: Refuses): Promise<Actor> {
  const refuse = (...[method, resource, namespace]: Parameters<Refuses>): void => {
    const code = refuses(method, resource, namespace);
    if (code === null) return;
    const reason = code === 403 ? 'Forbidden' : 'Invalid';
    throw new ApiError({ method, path: `/${resource.plural}`, code, reason, said: 'the server says why' });
  };
  const kube: Kube = {
    ...hub.kube,
    within: () => kube,
    create: async (resource, object, options) => {
      refuse('create', resource, object.metadata.namespace ?? null);
      return hub.kube.create(resource, object, options);
    },
    remove: async (resource, key, options) => {
      refuse('remove', resource, key.namespace);
      return hub.kube.remove(resource, key, options);
    },
  };
  const joins = hubJoins({ kube, declared: { namespaces, clusterSets: [] } });
  bridge = keepJoins(testbed.client, { ...caches, declared }, () => undefined);
  return testbed.startHub({ activities: { ...testbed.world.hub, ...joins } });
}

story(
  'a ClusterJoin waits for the way to the hub, and its line comes when the hub says it',
  async (testbed) => {
    await hub.kube.remove(CONFIG_MAP, CLUSTER_INFO);
    await startHub(testbed, [ROOM], () => null);
    await declare('edge-1');
    await until('edge-1', 'NoHubAddress');
    expect(await hub.clusterOf('edge-1')).toBeNull();
    const handle = testbed.client.workflow.getHandle(joinWorkflowId('edge-1'));
    const { runId, status } = await handle.describe();
    expect(status.name).toBe('RUNNING');
    await hub.kube.create<ConfigMap>(CONFIG_MAP, await info());
    await until('edge-1', 'Expected');
    expect(await hub.kube.getMetadata(SECRET, keyOf('edge-1-join'))).not.toBeNull();
    // The same run has gone on.
    expect((await handle.describe()).runId).toBe(runId);
    expect(JSON.stringify(await handle.fetchHistory())).not.toMatch(/[a-z0-9]{6}\.[a-z0-9]{16}@/);
  },
);

story(
  'what is refused as invalid ends a ClusterJoin, and what is forbidden goes on when it is allowed',
  async (testbed) => {
    await hub.kube.create<ConfigMap>(CONFIG_MAP, await info()).catch(() => undefined);
    let code: number | null = 422;
    const isCluster = ({ kind }: Resource): boolean => kind === MANAGED_CLUSTER.kind;
    await startHub(testbed, [ROOM], (method, one) => (method === 'create' && isCluster(one) ? code : null));
    const invalid = await declare('edge-2');
    await until('edge-2', 'Invalid');
    await eventually(
      async () => ((await statusOf(testbed, 'edge-2')) === 'COMPLETED' ? true : undefined),
      LONG,
    );
    const { status } = (await hub.kube.get<ClusterJoin>(CLUSTER_JOIN, keyOf('edge-2'))) ?? invalid;
    expect(status?.conditions?.[0]?.message).toContain('the server says why');
    code = 403;
    await declare('edge-3');
    await until('edge-3', 'HubRefuses');
    expect(await statusOf(testbed, 'edge-3')).toBe('RUNNING');
    code = null;
    // Any change of it rings; otherwise it takes a minute.
    await hub.kube.patch(CLUSTER_JOIN, keyOf('edge-3'), { metadata: { annotations: { again: 'now' } } });
    await until('edge-3', 'Expected');
  },
);

story(
  'a ClusterJoin of a namespace that counts no more goes, though its line may not be deleted',
  async (testbed) => {
    await hub.kube.create<ConfigMap>(CONFIG_MAP, await info()).catch(() => undefined);
    const first = await startHub(testbed, [ROOM], () => null);
    await declare('edge-4');
    await until('edge-4', 'Expected');
    const join = await hub.kube.get<ClusterJoin>(CLUSTER_JOIN, keyOf('edge-4'));
    await bridge?.stop();
    await first.stop();
    await startHub(testbed, [], (method, { kind }, namespace) =>
      method === 'remove' && kind === SECRET.kind && namespace === ROOM ? 403 : null,
    );
    await hub.kube.remove(CLUSTER_JOIN, keyOf('edge-4'));
    await eventually(
      async () => ((await hub.kube.get(CLUSTER_JOIN, keyOf('edge-4'))) === null ? true : undefined),
      LONG,
    );
    expect(await hub.clusterOf('edge-4')).toBeNull();
    expect(await hub.kube.getMetadata(SECRET, tokenKey(join?.status?.tokenId ?? ''))).toBeNull();
    const events = await hub.kube.list<Event>(EVENT, { namespace: ROOM });
    expect(events.items.map(({ reason }) => reason)).toContain('NotTakenBack');
  },
);
