// A namespace is taken out of joins.namespaces, on a real API server with the chart's rights and policies and
// OCM's own kinds: the hub worker takes back what it may, says what stays, and no ClusterJoin stays for ever.
import { hubJoins } from '../../../activities/hub/join/approve.ts';
import { HUB_TIMES } from '../../../activities/hub/times.ts';
import { CLUSTER_INFO, clusterInfoMap } from '../../../crds/join/cluster-info.ts';
import {
  CLUSTER_JOIN,
  JOIN_FINALIZER,
  JOIN_LINE_TYPE,
  type ClusterJoin,
} from '../../../crds/join/cluster-join.ts';
import { FOR_CLUSTER } from '../../../crds/join/labels.ts';
import {
  CONFIG_MAP,
  EVENT,
  NAMESPACE,
  SECRET,
  type ConfigMap,
  type Event,
  type Secret,
} from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import type { Kube } from '../../../kube/client.ts';
import { isForbidden } from '../../../kube/failure.ts';
import { endpointOf } from '../../../kube/http/credentials.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { forHub, installAll, startCluster, type Cluster } from '../../support/servers/chart/chart.ts';

const RBAC = { apiVersion: 'rbac.authorization.k8s.io/v1', namespaced: true } as const;
const ROLE: Resource = { ...RBAC, kind: 'Role', plural: 'roles' };
const ROLE_BINDING: Resource = { ...RBAC, kind: 'RoleBinding', plural: 'rolebindings' };
const [KEPT, TAKEN] = ['kept', 'taken'];

let hub: Cluster;
let worker: Kube;
let names = 0;
beforeAll(async () => {
  hub = await startCluster('hub');
  for (const name of [KEPT, TAKEN]) await hub.kube.create(NAMESPACE, { metadata: { name } });
  await hub.kube.create(NAMESPACE, { metadata: { name: CLUSTER_INFO.namespace } }).catch(() => undefined);
  const { ca = '' } = (await endpointOf({ kubeconfig: hub.kubeconfig }).credentials()).tls;
  const info = clusterInfoMap({ server: 'https://hub.example:6443', ca: String(ca) });
  await hub.kube.create<ConfigMap>(CONFIG_MAP, info);
  worker = await hub.client(`system:serviceaccount:${RELEASE_NAMESPACE}:cappstan-hub`);
}, 300_000);
afterAll(async () => {
  await worker?.close();
  await hub?.stop();
});

/** As `helm upgrade` does it: what this release has no more is deleted. Ends when the new rights count. */
async function upgrade(namespaces: readonly string[]): Promise<void> {
  const named = Object.fromEntries(namespaces.map((name, index) => [`joins.namespaces[${index}]`, name]));
  const values = { 'addon.install': 'false', 'joins.byToken': 'true', ...named };
  await installAll(
    hub.kube,
    (await forHub(values)).filter(({ kind = '' }) => !kind.endsWith('WebhookConfiguration')),
  );
  const name = 'cappstan-hub-join-lines';
  for (const namespace of [KEPT, TAKEN].filter((one) => !namespaces.includes(one)))
    for (const kind of [ROLE_BINDING, ROLE]) await hub.kube.remove(kind, { namespace, name });
  const counts = async (ask: () => Promise<unknown>): Promise<boolean> =>
    ask().then(
      () => true,
      (error: unknown) => !isForbidden(error),
    );
  // Of the policy, too, which counts a moment after the right.
  const mayWriteLines = (namespace: string) =>
    counts(() =>
      worker.raw('POST', `/api/v1/namespaces/${namespace}/secrets?dryRun=All`, { body: lineIn(namespace) }),
    );
  const mayDeleteClusters = () =>
    counts(() => worker.remove(MANAGED_CLUSTER, { namespace: null, name: 'nobodys' }));
  await eventually(async () => {
    const lines = await Promise.all([KEPT, TAKEN].map(mayWriteLines));
    const isAsGiven = [KEPT, TAKEN].every((one, index) => lines[index] === namespaces.includes(one));
    return isAsGiven && (await mayDeleteClusters()) === namespaces.length > 0 ? true : undefined;
  });
}

function lineIn(namespace: string): Secret {
  const { apiVersion, kind } = CLUSTER_JOIN;
  const ownerReferences = [{ apiVersion, kind, name: 'probe', uid: 'b0b6a3a2-0000-4000-8000-000000000001' }];
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: JOIN_LINE_TYPE,
    metadata: { namespace, name: 'probe', ownerReferences },
  };
}

async function declare(namespace: string): Promise<ClusterJoin> {
  names += 1;
  const name = `edge-${names}`;
  return hub.kube.create<ClusterJoin>(CLUSTER_JOIN, {
    metadata: { namespace, name },
    spec: { cluster: name },
  });
}
const keyOf = ({ metadata }: ClusterJoin) => ({ namespace: metadata.namespace ?? '', name: metadata.name });
const lineOf = ({ metadata }: ClusterJoin): Promise<KubeObject | null> =>
  hub.kube.getMetadata(SECRET, { namespace: metadata.namespace ?? '', name: `${metadata.name}-join` });
const clusterOf = ({ spec }: ClusterJoin): Promise<KubeObject | null> =>
  hub.kube.get(MANAGED_CLUSTER, { namespace: null, name: spec.cluster });
async function tokensOf({ spec }: ClusterJoin): Promise<number> {
  const { items } = await hub.kube.list<KubeObject>(SECRET, { namespace: 'kube-system' });
  return items.filter(({ metadata }) => metadata.annotations?.[FOR_CLUSTER] === spec.cluster).length;
}
/** A turn of the hub worker with its own rights, and what is there of the ClusterJoin then. */
async function settled(
  join: ClusterJoin,
  namespaces: readonly string[],
  later = 0,
): Promise<{ readonly says: string; readonly message: string; readonly isHeld: boolean } | null> {
  const joins = hubJoins({
    kube: worker,
    declared: { namespaces, clusterSets: [] },
    now: () => Date.now() + later,
  });
  expect(await joins.seeJoin(join.spec.cluster)).toHaveProperty('isDeclared', true);
  const { isHeld = false } = await joins.settleDeclared(join.spec.cluster);
  const live = await hub.kube.get<ClusterJoin>(CLUSTER_JOIN, keyOf(join));
  const { reason = '', message = '' } = live?.status?.conditions?.[0] ?? {};
  return live === null ? null : { says: `${live.status?.state ?? ''} ${reason}`, message, isHeld };
}
async function eventOf({ metadata }: ClusterJoin): Promise<string> {
  const { items } = await hub.kube.list<Event>(EVENT, { namespace: metadata.namespace ?? '' });
  return items
    .filter(({ regarding }) => regarding?.name === metadata.name)
    .map(({ reason, note }) => `${reason ?? ''}: ${note ?? ''}`)
    .join('\n');
}

test('one that waits there is refused without its token, and the line that stays is named', async () => {
  await upgrade([KEPT, TAKEN]);
  const [kept, join] = [await declare(KEPT), await declare(TAKEN)];
  for (const one of [kept, join])
    expect(await settled(one, [KEPT, TAKEN])).toMatchObject({ says: 'Waiting Expected' });
  await upgrade([KEPT]);
  const refused = await settled(join, [KEPT]);
  expect(refused).toMatchObject({ says: 'Refused NamespaceNotServed', isHeld: false });
  expect(refused?.message).toContain(`Secret ${TAKEN}/${join.metadata.name}-join is left`);
  expect(refused?.message).toContain('403 Forbidden');
  expect([await tokensOf(join), await tokensOf(kept)]).toEqual([0, 1]);
  await hub.kube.remove(CLUSTER_JOIN, keyOf(join));
  expect(await settled(join, [KEPT])).toBeNull();
  expect(await clusterOf(join)).toBeNull();
  expect((await lineOf(join))?.metadata.ownerReferences).toMatchObject([{ uid: join.metadata.uid }]);
  expect(await eventOf(join)).toMatch(/^NotTakenBack: .*is left until the ClusterJoin is gone/);
  expect(await settled(kept, [KEPT])).toMatchObject({ says: 'Waiting Expected' });
});

test('one that is deleted before anybody has looked goes, with its token and its ManagedCluster', async () => {
  await upgrade([KEPT, TAKEN]);
  const join = await declare(TAKEN);
  await settled(join, [KEPT, TAKEN]);
  await upgrade([KEPT]);
  await hub.kube.remove(CLUSTER_JOIN, keyOf(join));
  expect(await settled(join, [KEPT])).toBeNull();
  expect([await clusterOf(join), await tokensOf(join)]).toEqual([null, 0]);
});

test('after the last one a ClusterJoin waits a while for the right to delete, and goes then; what stays is named', async () => {
  await upgrade([KEPT]);
  const join = await declare(KEPT);
  await settled(join, [KEPT]);
  await upgrade([]);
  await hub.kube.remove(CLUSTER_JOIN, keyOf(join));
  const held = await settled(join, []);
  expect(held).toMatchObject({ says: 'Waiting NotTakenBack', isHeld: true });
  expect(held?.message).toContain(`kubectl delete managedcluster ${join.spec.cluster}`);
  expect(await tokensOf(join)).toBe(0);
  expect((await hub.kube.get<ClusterJoin>(CLUSTER_JOIN, keyOf(join)))?.metadata.finalizers).toEqual([
    JOIN_FINALIZER,
  ]);
  expect(await settled(join, [], HUB_TIMES.joinNotTakenBack.ms + 60_000)).toBeNull();
  expect(await clusterOf(join)).toMatchObject({ spec: { hubAcceptsClient: false } });
  expect(await eventOf(join)).toContain(`kubectl delete managedcluster ${join.spec.cluster}`);
});

test('one that waits for the right to delete goes with all that it has made when that comes in time', async () => {
  await upgrade([KEPT]);
  const join = await declare(KEPT);
  await settled(join, [KEPT]);
  await upgrade([]);
  await hub.kube.remove(CLUSTER_JOIN, keyOf(join));
  expect(await settled(join, [])).toMatchObject({ isHeld: true });
  await upgrade([KEPT]);
  expect(await settled(join, [KEPT])).toBeNull();
  expect([await clusterOf(join), await tokensOf(join), await lineOf(join)]).toEqual([null, 0, null]);
  expect(await eventOf(join)).toBe('');
});
