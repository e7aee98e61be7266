// The site's admission policies keep OCM's work agent from changing objects of others, and the user reads
// why.
import { CAPP } from '../../../crds/capp/capp.ts';
import { NAMESPACE, SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { MANIFEST_WORK, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { createCapp, newNamespace, untilCondition, untilReady } from '../../../testbed/capps.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const SITE = 'site-1';
const ADDON = 'open-cluster-management-agent-addon';
const DEPLOYMENT = { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', namespaced: true };

let stack: TestbedStack;
let namespace: string;
beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'guard');
});
afterAll(() => stack.close());

test('a Capp with a Secret whose name exists on the site does not change or delete the site’s Secret, and reports NotOurs', async () => {
  const key = { namespace, name: 'db' };
  const secret = (value: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: key,
    data: { value: btoa(value) },
  });
  const site = stack.site(SITE);
  await site.create(NAMESPACE, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace, labels: { 'rcs.dana.io/hub-capps': 'allowed' } },
  });
  await site.create<Secret & KubeObject>(SECRET, secret('theirs'));
  await stack.hub.create<Secret & KubeObject>(SECRET, secret('ours'));
  const ref = { namespace, name: 'app' };
  await createCapp(stack.hub, {
    ...ref,
    spec: { site: SITE },
    container: { envFrom: [{ secretRef: { name: 'db' } }] },
  });
  const said = await untilCondition(stack.hub, ref, { type: 'Applied', status: 'False', reason: 'NotOurs' });
  const applied = said.status?.conditions?.find(({ type }) => type === 'Applied');
  expect(applied?.message).toContain(`Secret db already exists on ${SITE} and does not belong to Cappstan`);
  expect((await site.get<Secret>(SECRET, key))?.data).toEqual({ value: btoa('theirs') });

  await site.patch(SECRET, key, { metadata: { labels: { 'rcs.dana.io/managed-by': 'rcs' } } });
  // OCM's work agent retries with backoff, but applies a changed work at once.
  await stack.hub.patch(CAPP, ref, { metadata: { annotations: { 'guard.example/again': '1' } } });
  await untilReady(stack.hub, ref);
  expect((await site.get<Secret>(SECRET, key))?.data).toEqual({ value: btoa('ours') });
});

test('a Secret of others is kept when the Capp is deleted', async () => {
  const key = { namespace, name: 'kept' };
  const site = stack.site(SITE);
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: key, data: { value: btoa('theirs') } };
  await site.create<Secret & KubeObject>(SECRET, secret);
  await stack.hub.create<Secret & KubeObject>(SECRET, { ...secret, data: {} });
  const ref = { namespace, name: 'passing' };
  await createCapp(stack.hub, {
    ...ref,
    spec: { site: SITE },
    container: { envFrom: [{ secretRef: { name: 'kept' } }] },
  });
  await untilCondition(stack.hub, ref, { type: 'Ready', status: 'False', reason: 'NotOurs' });
  await stack.hub.remove(CAPP, ref);
  await eventually(async () => ((await stack.hub.get(CAPP, ref)) === null ? true : undefined));
  expect((await site.get<Secret>(SECRET, key))?.data).toEqual({ value: btoa('theirs') });
});

test("objects of another hub's add-on are refused, and OCM's condition names the hub of the site", async () => {
  const key = { namespace: ADDON, name: 'cappstan-site' };
  const before = await stack.site(SITE).get<KubeObject & { spec: object }>(DEPLOYMENT, key);
  const metadata = { ...key, labels: { 'rcs.dana.io/hub': 'another-hub' } };
  const manifest = {
    apiVersion: DEPLOYMENT.apiVersion,
    kind: DEPLOYMENT.kind,
    metadata,
    spec: { ...before?.spec, replicas: 7 },
  };
  const work = {
    apiVersion: MANIFEST_WORK.apiVersion,
    kind: MANIFEST_WORK.kind,
    metadata: { namespace: SITE, name: 'addon-of-another-hub' },
  };
  await stack.hub.create<ManifestWork & KubeObject>(MANIFEST_WORK, {
    ...work,
    spec: { workload: { manifests: [manifest] } },
  });
  const said = await eventually(async () => {
    const found = await stack.hub.get<ManifestWork>(MANIFEST_WORK, work.metadata);
    return found?.status?.resourceStatus?.manifests?.[0]?.conditions?.find(
      ({ type, status }) => type === 'Applied' && status === 'False',
    )?.message;
  });
  expect(said).toMatch(
    /This site belongs to the Cappstan hub [-0-9a-f]{36}, and Deployment cappstan-site is of hub another-hub\./,
  );
  expect(said).toContain(`kubectl -n ${ADDON} patch configmap cappstan-hub`);
  expect((await stack.site(SITE).get<KubeObject & { spec: object }>(DEPLOYMENT, key))?.spec).toEqual(
    before?.spec,
  );
  await stack.hub.remove(MANIFEST_WORK, work.metadata);
  await eventually(async () =>
    (await stack.hub.get(MANIFEST_WORK, work.metadata)) === null ? true : undefined,
  );
  expect(await stack.site(SITE).get(DEPLOYMENT, key)).not.toBeNull();
});
