// OCM's user scenarios as its documentation has them, with its own files: manifests on one cluster (1), on
// those that a Placement selects (2), and clusters with attributes of their own (4). The fifth is in
// argo.test.ts.
import { parseAllDocuments } from 'yaml';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { HUB_CAPPS, HUB_CAPPS_ALLOWED, SET } from '../../../crds/labels.ts';
import { CLUSTER_CLAIM } from '../../../crds/ocm/cluster-claim.ts';
import {
  MANAGED_CLUSTER,
  MANIFEST_WORK,
  type ManagedCluster,
  type Manifest,
  type ManifestWork,
} from '../../../crds/ocm/ocm.ts';
import {
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
  PLACEMENT_DECISION,
  PLACEMENT_LABEL,
  type PlacementDecision,
} from '../../../crds/ocm/placements.ts';
import { CAPP_SET, type CappSet } from '../../../crds/set/cappset.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import {
  createCapp,
  newNamespace,
  readCapp,
  siteOf,
  untilCondition,
  untilGone,
  untilReady,
} from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';
import { OCM_SAMPLE } from '../../support/builders/manifests/ocm-sample.ts';

const WAIT = { withinMs: 180_000, everyMs: 200 };
const DEPLOYMENT: Resource = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};
const APPLIED_WORK: Resource = {
  apiVersion: 'work.open-cluster-management.io/v1',
  kind: 'AppliedManifestWork',
  plural: 'appliedmanifestworks',
  namespaced: false,
};
const NGINX = { namespace: 'default', name: 'nginx-deployment' };
const PLACEMENT_1 = { namespace: 'default', name: 'placement1' };
const FIRST_WORK = 'my-first-work';

let stack: TestbedStack;
beforeAll(async () => {
  stack = await openStack();
});
afterAll(async () => {
  for (const site of stack.sites)
    await stack.hub.remove(MANIFEST_WORK, { namespace: site, name: FIRST_WORK });
  await stack.hub.remove(PLACEMENT, PLACEMENT_1);
  await stack.hub.remove(MANAGED_CLUSTER_SET_BINDING, { namespace: 'default', name: 'default' });
  for (const site of stack.sites)
    await stack.site(site).remove(CLUSTER_CLAIM, { namespace: null, name: 'id.open-cluster-management.io' });
  await stack.close();
});

const made = ({ apiVersion, kind }: Resource, metadata: object, spec: object): KubeObject =>
  ({ apiVersion, kind, metadata, spec }) as unknown as KubeObject;
const manifests = (): Manifest[] => parseAllDocuments(OCM_SAMPLE).map((one) => one.toJS() as Manifest);
const workOn = (namespace: string) => ({ namespace, name: FIRST_WORK });

/** What `clusteradm create work` writes, with `--overwrite` too. */
async function createWork(clusters: readonly string[]): Promise<void> {
  for (const site of stack.sites)
    if (clusters.includes(site))
      await stack.hub.apply(
        MANIFEST_WORK,
        made(MANIFEST_WORK, workOn(site), { workload: { manifests: manifests() } }),
        { fieldManager: 'clusteradm', force: true },
      );
    else await stack.hub.remove(MANIFEST_WORK, workOn(site));
}

/** The clusters in the PlacementDecisions, as `clusteradm create work --placement` reads them. */
async function selected(count: number): Promise<string[]> {
  const labelSelector = `${PLACEMENT_LABEL}=${PLACEMENT_1.name}`;
  return eventually(async () => {
    const { items } = await stack.hub.list<PlacementDecision>(PLACEMENT_DECISION, {
      namespace: PLACEMENT_1.namespace,
      labelSelector,
    });
    const clusters = items.flatMap(({ status }) => status?.decisions ?? []).map((one) => one.clusterName);
    expect(clusters).toHaveLength(count);
    return clusters;
  }, WAIT);
}

const replicasOn = async (site: string): Promise<number | undefined> =>
  (await stack.site(site).get<KubeObject & { status?: { availableReplicas?: number } }>(DEPLOYMENT, NGINX))
    ?.status?.availableReplicas;

const untilReplicas = (site: string, count: number | undefined): Promise<unknown> =>
  eventually(async () => {
    expect(await replicasOn(site)).toBe(count);
    return true;
  }, WAIT);

test('scenario 1: a ManifestWork brings its resources to one cluster, says how each is, takes an update, and leaves nothing', async () => {
  const [site = '', other = ''] = stack.sites;
  await createWork([site]);
  await untilReplicas(site, 3);
  expect(await replicasOn(other)).toBeUndefined();
  const work = await eventually(async () => {
    const found = await stack.hub.get<ManifestWork>(MANIFEST_WORK, workOn(site));
    const conditions = found?.status?.conditions?.filter(({ status }) => status === 'True') ?? [];
    expect(conditions.map(({ type }) => type)).toEqual(expect.arrayContaining(['Applied', 'Available']));
    return found ?? undefined;
  }, WAIT);
  const told = work.status?.resourceStatus?.manifests?.map(({ resourceMeta, conditions = [] }) => [
    resourceMeta?.kind,
    conditions.filter(({ status }) => status === 'True').map(({ type }) => type),
  ]);
  expect(told).toEqual([
    ['ServiceAccount', expect.arrayContaining(['Applied', 'Available'])],
    ['Deployment', expect.arrayContaining(['Applied', 'Available'])],
  ]);
  const applied = (await stack.site(site).list(APPLIED_WORK)).items.map(({ metadata }) => metadata.name);
  expect(applied.filter((name) => name.endsWith(`-${FIRST_WORK}`))).toHaveLength(1);

  const [account, deployment] = manifests();
  const updated = { ...deployment, spec: { ...(deployment?.['spec'] as object), replicas: 1 } };
  await stack.hub.patch(MANIFEST_WORK, workOn(site), {
    spec: { workload: { manifests: [account, updated] } },
  });
  await untilReplicas(site, 1);
  await stack.hub.remove(MANIFEST_WORK, workOn(site));
  await eventually(async () => {
    expect(await stack.hub.get(MANIFEST_WORK, workOn(site))).toBeNull();
    expect(await stack.site(site).get(DEPLOYMENT, NGINX)).toBeNull();
    return true;
  }, WAIT);
});

test('scenario 2: works follow placement1 when they are written again, and a CappSet follows it by itself', async () => {
  const bound = made(
    MANAGED_CLUSTER_SET_BINDING,
    { namespace: 'default', name: 'default' },
    { clusterSet: 'default' },
  );
  await stack.hub.create(MANAGED_CLUSTER_SET_BINDING, bound);
  const spec = { numberOfClusters: 2, clusterSets: ['default'] };
  await stack.hub.create(PLACEMENT, made(PLACEMENT, PLACEMENT_1, spec));
  const containers = [{ name: 'app', image: 'ghcr.io/me/app:v1' }];
  const template = { spec: { configurationSpec: { template: { spec: { containers } } } } };
  const set = { namespace: 'default', name: 'seeded' };
  const strategy = { maxConcurrent: '100%' };
  await stack.hub.create(CAPP_SET, made(CAPP_SET, set, { placement: PLACEMENT_1.name, template, strategy }));
  const both = await selected(2);
  // Every site has a Namespace of this name already, which its admin opens to Capps of the hub.
  const open = { metadata: { labels: { [HUB_CAPPS]: HUB_CAPPS_ALLOWED } } };
  for (const site of both)
    await stack.site(site).patch(NAMESPACE, { namespace: null, name: 'default' }, open);
  await createWork(both);
  for (const site of both) await untilReplicas(site, 3);
  await untilSetOn(both, set);

  await stack.hub.patch(PLACEMENT, PLACEMENT_1, { spec: { clusterSets: ['default'], numberOfClusters: 1 } });
  const one = await selected(1);
  await createWork(one);
  for (const site of stack.sites) await untilReplicas(site, one.includes(site) ? 3 : undefined);
  await untilSetOn(one, set);
  await stack.hub.remove(CAPP_SET, set);
  for (const site of both) await untilGone(stack.hub, { namespace: 'default', name: `seeded-${site}` });
  const close = { metadata: { labels: { [HUB_CAPPS]: null } } };
  for (const site of both)
    await stack.site(site).patch(NAMESPACE, { namespace: null, name: 'default' }, close);
}, 900_000);

const untilSetOn = (sites: readonly string[], key: { namespace: string; name: string }): Promise<unknown> =>
  eventually(async () => {
    const { items } = await stack.hub.list<Capp>(CAPP, {
      namespace: key.namespace,
      labelSelector: `${SET}=${key.name}`,
    });
    expect(new Set(items.map(({ spec }) => spec.site))).toEqual(new Set(sites));
    const found = await stack.hub.get<CappSet>(CAPP_SET, key);
    expect(found?.status?.readySites).toBe(`${sites.length}/${sites.length}`);
    return true;
  }, WAIT);

test('scenario 4: labels and ClusterClaims of a cluster reach the hub, follow updates, and decide where a Capp may be', async () => {
  const [first = '', second = ''] = stack.sites;
  const claim = 'id.open-cluster-management.io';
  const value = '95f91f25-d7a2-4fc3-9237-2ef633d8451c';
  await stack.site(second).create(CLUSTER_CLAIM, made(CLUSTER_CLAIM, { name: claim }, { value }));
  await untilClaimed(second, claim, value);
  const namespace = await newNamespace(stack.hub, 'attributes');
  const requires = { claims: { matchExpressions: [{ key: claim, operator: 'In', values: [value] }] } };
  const key = { namespace, name: 'claimed' };
  await createCapp(stack.hub, { ...key, spec: { requires } });
  expect(siteOf(await untilReady(stack.hub, key))).toBe(second);

  const labelled = { namespace, name: 'labelled' };
  const labels = { matchLabels: { [`example.com/${namespace}`]: 'eu' } };
  await createCapp(stack.hub, { ...labelled, spec: { requires: { labels } } });
  await untilCondition(stack.hub, labelled, { type: 'Placed', status: 'False', reason: 'NoCandidate' });
  const metadata = { labels: { [`example.com/${namespace}`]: 'eu' } };
  await stack.hub.patch(MANAGED_CLUSTER, { namespace: null, name: first }, { metadata });
  expect(siteOf(await untilReady(stack.hub, labelled))).toBe(first);

  await stack
    .site(second)
    .patch(CLUSTER_CLAIM, { namespace: null, name: claim }, { spec: { value: 'changed' } });
  await untilClaimed(second, claim, 'changed');
  await eventually(async () => {
    const { status } = await readCapp(stack.hub, key);
    expect(status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Migrating', reason: 'Unfit' }),
    );
    expect(status?.applicationLinks?.site).toBe(second);
    return true;
  }, WAIT);
  for (const one of [key, labelled]) {
    await stack.hub.remove(CAPP, one);
    await untilGone(stack.hub, one);
  }
}, 900_000);

const untilClaimed = (site: string, name: string, value: string): Promise<unknown> =>
  eventually(async () => {
    const found = await stack.hub.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: site });
    expect(found?.status?.clusterClaims).toContainEqual({ name, value });
    return true;
  }, WAIT);
