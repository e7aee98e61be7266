// What the hub worker may write for ClusterJoins, on a real API server with the chart's rights and policies
// and OCM's own kinds: their lines, tokens and ManagedClusters, and nothing of anybody else.
import { NAMESPACE, SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { JOIN_OF, JOIN_TOKEN, TOKEN_ENDS_AT } from '../../../crds/join/labels.ts';
import { MANAGED_CLUSTER } from '../../../crds/ocm/ocm.ts';
import { CLUSTER_SET_LABEL } from '../../../crds/ocm/placements.ts';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import { pathOf, type KubeObject, type Resource } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { forHub, installAll, startCluster, type Cluster } from '../../support/servers/chart/chart.ts';
import { isByPolicy, type RawClient, type Reply } from '../../support/servers/api/identities.ts';

const JOINS = 'joins';
const ELSEWHERE = 'elsewhere';
const JOIN_SET = 'shops';
const UID = 'b0b6a3a2-0000-4000-8000-000000000001';

let hub: Cluster;
let worker: RawClient;
beforeAll(async () => {
  hub = await startCluster('hub');
  for (const name of [JOINS, ELSEWHERE]) await hub.kube.create(NAMESPACE, { metadata: { name } });
  const values = {
    'addon.install': 'false',
    'joins.byToken': 'true',
    'joins.namespaces[0]': JOINS,
    'joins.clusterSets[0]': JOIN_SET,
  };
  const objects = (await forHub(values)).filter(({ kind = '' }) => !kind.endsWith('WebhookConfiguration'));
  await installAll(hub.kube, objects);
  worker = await hub.as(`system:serviceaccount:${RELEASE_NAMESPACE}:cappstan-hub`);
  const probes: readonly [Resource, KubeObject][] = [
    [SECRET, { type: 'Opaque', metadata: { namespace: JOINS, name: 'probe' } } as Secret],
    [MANAGED_CLUSTER, { metadata: { name: 'probe' } }],
  ];
  for (const [resource, object] of probes)
    await eventually(async () => (isByPolicy(await create(resource, object)) ? true : undefined));
}, 300_000);
afterAll(() => hub?.stop());
afterEach(async () => {
  for (const { metadata } of (await hub.kube.list(MANAGED_CLUSTER)).items)
    await hub.kube.remove(MANAGED_CLUSTER, { namespace: null, name: metadata.name });
  for (const { metadata } of (await hub.kube.list(SECRET, { namespace: JOINS })).items)
    await hub.kube.remove(SECRET, { namespace: JOINS, name: metadata.name });
});

const keyIn = ({ metadata }: KubeObject, name: string | null = metadata.name) => ({
  namespace: metadata.namespace ?? null,
  name,
});
const typed = ({ apiVersion, kind }: Resource, object: KubeObject) =>
  ({ ...object, apiVersion, kind }) as never;
const create = (resource: Resource, object: KubeObject): Promise<Reply> =>
  worker('POST', pathOf(resource, keyIn(object, null)), typed(resource, object));
const asAdmin = (resource: Resource, object: KubeObject) =>
  hub.kube.create(resource, typed(resource, object));
const change = (resource: Resource, object: KubeObject, patch: object): Promise<Reply> =>
  worker('PATCH', pathOf(resource, keyIn(object)), patch);
const remove = (resource: Resource, object: KubeObject): Promise<Reply> =>
  worker('DELETE', pathOf(resource, keyIn(object)));
const refusedBy = (policy: string): object => ({
  code: 403,
  message: expect.stringContaining(`ValidatingAdmissionPolicy '${policy}'`),
});

describe('of ClusterJoins the hub worker', () => {
  const line = (namespace: string, more: Partial<Secret> = {}): Secret => ({
    type: 'rcs.dana.io/join-line',
    ...more,
    metadata: {
      namespace,
      name: 'shop-7-join',
      ownerReferences: [
        { apiVersion: 'rcs.dana.io/v1alpha1', kind: 'ClusterJoin', name: 'shop-7', uid: UID },
      ],
      ...more.metadata,
    },
  });
  const expected = (set?: string, isAccepted = false): KubeObject =>
    ({
      metadata: {
        name: 'shop-7',
        annotations: { [JOIN_OF]: UID },
        ...(set === undefined ? {} : { labels: { [CLUSTER_SET_LABEL]: set } }),
      },
      spec: { hubAcceptsClient: isAccepted },
    }) as KubeObject;

  test('writes lines beside them, and no other Secret there', async () => {
    expect(await create(SECRET, line(JOINS))).toMatchObject({ code: 201 });
    expect(await remove(SECRET, line(JOINS))).toMatchObject({ code: 200 });
    expect(await create(SECRET, line(ELSEWHERE))).toMatchObject({ code: 403 });
    expect(await create(SECRET, line(JOINS, { type: 'Opaque' }))).toMatchObject(
      refusedBy('cappstan-hub-secrets'),
    );
    const theirs = line(JOINS, { metadata: { namespace: JOINS, name: 'db', ownerReferences: [] } });
    await asAdmin(SECRET, theirs);
    expect(await remove(SECRET, theirs)).toMatchObject(refusedBy('cappstan-hub-secrets'));
  });

  test('makes their ManagedClusters, notes their tokens, and deletes those as which nobody has come', async () => {
    expect(await create(MANAGED_CLUSTER, expected(JOIN_SET))).toMatchObject({ code: 201 });
    const notes = { metadata: { annotations: { [JOIN_TOKEN]: 'abcdef', [TOKEN_ENDS_AT]: '2026' } } };
    expect(await change(MANAGED_CLUSTER, expected(), notes)).toMatchObject({ code: 200 });
    const other = { metadata: { annotations: { [JOIN_OF]: 'another' } } };
    expect(await change(MANAGED_CLUSTER, expected(), other)).toMatchObject(refusedBy('cappstan-hub-sites'));
    const label = { metadata: { labels: { tier: 'gold' } } };
    expect(await change(MANAGED_CLUSTER, expected(), label)).toMatchObject(refusedBy('cappstan-hub-sites'));
    expect(await remove(MANAGED_CLUSTER, expected())).toMatchObject({ code: 200 });
    expect(await create(MANAGED_CLUSTER, expected('core'))).toMatchObject({ code: 403 });
    expect(await create(MANAGED_CLUSTER, expected(undefined, true))).toMatchObject({ code: 403 });
  });

  test('deletes none that was accepted', async () => {
    await asAdmin(MANAGED_CLUSTER, expected(undefined, true));
    expect(await remove(MANAGED_CLUSTER, expected())).toMatchObject(refusedBy('cappstan-hub-sites'));
  });
});
