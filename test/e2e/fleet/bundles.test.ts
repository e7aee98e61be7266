// Plain manifests on sites: OCM's own sample as a plain ManifestWork and as a Bundle, edits, executors,
// conflicts, Secrets, and a hub worker that is killed.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { parseAllDocuments } from 'yaml';
import { BUNDLE, type Bundle } from '../../../crds/bundle/bundle.ts';
import {
  CONFIG_MAP,
  NAMESPACE,
  ROLE_BINDING,
  SECRET,
  type ConfigMap,
} from '../../../crds/kubernetes/core.ts';
import { bundleWorkName } from '../../../crds/ocm/bundle-work.ts';
import { bundleExecutor } from '../../../crds/ocm/executors.ts';
import { Strategy } from '../../../crds/rollout/stages.ts';
import { MANIFEST_WORK, type Manifest, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import type { Resource } from '../../../kube/resource.ts';
import { createBundle, untilBundle, untilBundleGone } from '../../../testbed/bundles.ts';
import { newNamespace } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { configure } from '../../../testbed/rcs-config.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';
import { OCM_SAMPLE } from '../../support/builders/manifests/ocm-sample.ts';
import { closeBarrier } from '../../support/servers/api/barrier.ts';

const sample = (): Manifest[] => parseAllDocuments(OCM_SAMPLE).map((one) => one.toJS() as Manifest);

const DEPLOYMENT: Resource = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
};
const SERVICE_ACCOUNT: Resource = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
};
const SITE_NAMESPACE = 'open-cluster-management-agent-addon';
const WAIT = { withinMs: 180_000, everyMs: 200 };

let stack: TestbedStack;
let platform: string;
let tenant: string;
let restore: () => Promise<void>;
beforeAll(async () => {
  stack = await openStack();
  platform = await newNamespace(stack.hub, 'platform');
  tenant = await newNamespace(stack.hub, 'tenant');
  restore = await configure(stack.hub, { bundles: { unrestricted: [platform] } });
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: tenant } };
  await stack.site('site-1').create(NAMESPACE, namespace);
});
afterAll(async () => {
  for (const { metadata } of (await stack.hub.list(BUNDLE)).items)
    await stack.hub.remove(BUNDLE, { namespace: metadata.namespace ?? '', name: metadata.name });
  await stack.hub.remove(MANIFEST_WORK, { namespace: 'site-1', name: 'my-first-work' });
  await restore();
  await stack.close();
});

/** Both sites at once. */
const STRATEGY = Strategy.parse({ maxConcurrent: '100%' });

const settings = (color: string, name = 'settings', namespace = tenant): Manifest => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data: { color },
});
const colorOf = async (name = 'settings', namespace = tenant): Promise<string | undefined> =>
  (await stack.site('site-1').get<ConfigMap>(CONFIG_MAP, { namespace, name }))?.data?.['color'];

test("OCM's sample runs as a plain ManifestWork and as a Bundle beside it, and an edit changes only what it says", async () => {
  const work = { apiVersion: MANIFEST_WORK.apiVersion, kind: MANIFEST_WORK.kind };
  const key = { namespace: 'site-1', name: 'my-first-work' };
  await stack.hub.create<ManifestWork>(MANIFEST_WORK, {
    ...work,
    metadata: key,
    spec: { workload: { manifests: sample() } },
  });
  const bundle = { namespace: platform, name: 'edge-base' };
  await createBundle(stack.hub, bundle, { sites: { clusters: ['site-2'] }, manifests: sample() });
  const ready = await untilBundle(stack.hub, bundle, 'Ready');
  expect(ready.status).toMatchObject({ readyOfSites: '1/1', sites: 1, ready: 1, failed: 0 });
  const plain = await eventually(async () => {
    const found = await stack.hub.get<ManifestWork>(MANIFEST_WORK, key);
    const isThere = found?.status?.conditions?.some(
      (one) => one.type === 'Available' && one.status === 'True',
    );
    return found !== null && isThere === true ? found : undefined;
  }, WAIT);
  const deployment = { namespace: 'default', name: 'nginx-deployment' };
  const before = await stack.site('site-2').get(DEPLOYMENT, deployment);
  expect(before).toMatchObject({ status: { availableReplicas: 3 } });

  const edited = sample()
    .slice(1)
    .map((one) => ({ ...one, spec: { ...(one['spec'] as object), replicas: 2 } }));
  await stack.hub.patch(BUNDLE, bundle, { spec: { manifests: edited } });
  const again = await untilBundle(stack.hub, bundle, 'Ready');
  expect(again.status?.revision).not.toBe(ready.status?.revision);
  const after = await stack.site('site-2').get(DEPLOYMENT, deployment);
  expect(after).toMatchObject({ metadata: { uid: before?.metadata.uid }, spec: { replicas: 2 } });
  await eventually(async () => {
    const left = await stack.site('site-2').get(SERVICE_ACCOUNT, { namespace: 'default', name: 'my-sa' });
    return left === null ? true : undefined;
  }, WAIT);
  const untouched = await stack.hub.get<ManifestWork>(MANIFEST_WORK, key);
  expect(untouched?.metadata.generation).toBe(plain.metadata.generation);
  expect(await stack.site('site-1').get(DEPLOYMENT, deployment)).toMatchObject({ spec: { replicas: 3 } });

  await stack.hub.remove(BUNDLE, bundle);
  await untilBundleGone(stack.hub, bundle);
  expect(await stack.site('site-2').get(DEPLOYMENT, deployment)).toBeNull();
});

test('a tenant whose executor has no rights on a site is told what is missing, and a grant there heals it by itself', async () => {
  const bundle = { namespace: tenant, name: 'granted' };
  await createBundle(stack.hub, bundle, { sites: { clusters: ['site-1'] }, manifests: [settings('red')] });
  const refused = await untilBundle(stack.hub, bundle, 'NotAllowed');
  expect(refused.status?.failing).toEqual([
    {
      cluster: 'site-1',
      kind: 'ConfigMap',
      name: 'settings',
      namespace: tenant,
      condition: 'Applied',
      reason: 'NotAllowed',
      message: `not allowed to apply the resource  configmaps, ${tenant} settings`,
    },
  ]);
  const ready = refused.status?.conditions?.find(({ type }) => type === 'Ready');
  expect(ready?.message).toContain(`ServiceAccount ${SITE_NAMESPACE}/${bundleExecutor(tenant)}`);
  expect(await colorOf()).toBeUndefined();

  await grant('granted');
  await untilBundle(stack.hub, bundle, 'Ready');
  expect(await colorOf()).toBe('red');
});

const grant = (name: string) =>
  stack.site('site-1').create(ROLE_BINDING, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name, namespace: tenant },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' },
    subjects: [{ kind: 'ServiceAccount', name: bundleExecutor(tenant), namespace: SITE_NAMESPACE }],
  } as never);

test('a field that somebody else has set on the site keeps its value, and the Bundle says whose it is and does not fight', async () => {
  await stack.site('site-1').apply(CONFIG_MAP, settings('red', 'contested'), { fieldManager: 'site-admin' });
  const bundle = { namespace: platform, name: 'contested' };
  const spec = { sites: { clusters: ['site-1'] }, manifests: [settings('blue', 'contested')] };
  await createBundle(stack.hub, bundle, spec);
  const conflict = await untilBundle(stack.hub, bundle, 'Conflict');
  expect(conflict.status?.failing?.[0]?.message).toContain('conflict with "site-admin": .data.color');
  const key = { namespace: 'site-1', name: bundleWorkName(bundle) };
  const versions = async () => [
    (await stack.hub.get(MANIFEST_WORK, key))?.metadata.resourceVersion,
    (await stack.hub.get(BUNDLE, bundle))?.metadata.resourceVersion,
    (await stack.site('site-1').get(CONFIG_MAP, { namespace: tenant, name: 'contested' }))?.metadata
      .resourceVersion,
  ];
  await eventually(async () => {
    const first = await versions();
    await new Promise((resolve) => void setTimeout(resolve, 3_000));
    expect(await versions()).toEqual(first);
    return true;
  }, WAIT);
  expect(await colorOf('contested')).toBe('red');
});

test('manifests from a Secret reach the site, and its value is in no history, log or status', async () => {
  const canary = `canary-${Math.random().toString(36).slice(2)}-value`;
  const yaml = `apiVersion: v1\nkind: Secret\nmetadata: {name: tls, namespace: ${tenant}}\nstringData: {key: ${canary}}\n`;
  await stack.hub.create(SECRET, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: platform, name: 'tls' },
    data: { 'tls.yaml': btoa(yaml) },
  } as never);
  const bundle = { namespace: platform, name: 'from-secret' };
  const spec = { sites: { clusters: ['site-1'] }, manifestsFrom: [{ secret: 'tls' }] };
  await createBundle(stack.hub, bundle, spec);
  const ready = await untilBundle(stack.hub, bundle, 'Ready');
  expect(
    JSON.stringify(await stack.site('site-1').get(SECRET, { namespace: tenant, name: 'tls' })),
  ).toContain(btoa(canary));
  const history = await stack.temporal.workflow.getHandle(`bundle/${platform}/from-secret`).fetchHistory();
  const texts = [JSON.stringify(historyToJSON(history)), JSON.stringify(ready)];
  for (const file of readdirSync(stack.layout.logs))
    texts.push(readFileSync(join(stack.layout.logs, file), 'utf8'));
  for (const file of readdirSync(stack.layout.data).filter((one) => one.startsWith('temporal.db')))
    texts.push(readFileSync(join(stack.layout.data, file), 'latin1'));
  for (const text of texts)
    for (const form of [canary, btoa(canary)]) expect(text.includes(form)).toBe(false);
});

test('a Bundle is shipped once and becomes Ready although the hub worker is killed before and after it ships', async () => {
  const bundle = { namespace: platform, name: 'killed' };
  const barrier = await closeBarrier(stack.hub, {
    apiGroup: 'rcs.dana.io',
    resource: 'bundles/status',
    operations: ['UPDATE'],
    name: 'killed',
  });
  const spec = {
    sites: { clusters: ['site-1', 'site-2'] },
    manifests: [settings('red', 'killed', 'default')],
    strategy: STRATEGY,
  };
  await createBundle(stack.hub, bundle, spec);
  const works = async () =>
    Promise.all(
      spec.sites.clusters.map((namespace) =>
        stack.hub.get(MANIFEST_WORK, { namespace, name: bundleWorkName(bundle) }),
      ),
    );
  const shipped = await eventually(async () => {
    const found = await works();
    return found.includes(null) ? undefined : found;
  }, WAIT);
  await stack.kill('hub-worker');
  await barrier.open();
  const ready: Bundle = await untilBundle(stack.hub, bundle, 'Ready');
  expect(ready.status?.readyOfSites).toBe('2/2');
  const uids = (found: typeof shipped) =>
    found.map((work) => [work?.metadata.uid, work?.metadata.generation]);
  expect(uids(await works())).toEqual(uids(shipped));
});
