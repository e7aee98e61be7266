// What the site operator may do on its site: only what it does for Capps, according to a real API server with
// the add-on's admission policies.
import { runsAs } from '../../../../activities/hub/ship/render/runs-as.ts';
import { CAPP_REVISION } from '../../../../crds/capp-revision.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { EVENT, NAMESPACE, RESOURCE_QUOTA } from '../../../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE, NFS_PVC } from '../../../../crds/kubernetes/knative.ts';
import { SYSLOG_NG_FLOW } from '../../../../crds/kubernetes/logging.ts';
import { RESERVED_NAMESPACES } from '../../../../crds/reserved-namespaces.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { pathOf, type KubeObject, type Resource } from '../../../../kube/resource.ts';
import { siteOperator } from '../../../../site/operator.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import {
  ADDON,
  at,
  CAPP_SPEC,
  MADE,
  make,
  NS,
  put,
  ROLE,
  SHIPPED,
  startGuardedSite,
  type GuardedSite,
  type Meta,
} from '../../../support/testbeds/site/guarded-site.ts';
import type { Reply, RawClient } from '../../../support/servers/api/identities.ts';

let site: GuardedSite;
let agent: RawClient;
let operator: RawClient;
let person: RawClient;
beforeAll(async () => {
  site = await startGuardedSite();
  ({ agent, operator, person } = site);
}, 300_000);
afterAll(() => site?.cluster.stop());

const own = (name: string, rest: object = {}): Meta => ({
  name,
  labels: { 'rcs.dana.io/parent-capp': name, 'rcs.dana.io/managed-by': 'capp' },
  ownerReferences: [{ apiVersion: CAPP.apiVersion, kind: 'Capp', name, uid: 'u' }],
  ...rest,
});
const runningAs = (serviceAccountName: string): object => ({
  spec: { template: { spec: { serviceAccountName } } },
});

test.each(MADE)(
  'the site operator creates, changes and deletes a $kind of a Capp, and no other',
  async (resource) => {
    expect((await make(operator, resource, own('app'))).code).toBe(201);
    expect((await operator('PATCH', at(resource, 'app'), { spec: { template: { a: 'b' } } })).code).toBe(200);
    expect((await operator('DELETE', at(resource, 'app'))).code).toBe(200);
    expect(await make(operator, resource, { name: 'loose' })).toMatchObject({
      code: 403,
      message: expect.stringContaining('makes only what belongs to a Capp'),
    });
    await put(person, resource, { name: 'foreign' });
    const marked = await operator('PATCH', at(resource, 'foreign'), { metadata: own('foreign') });
    expect(marked).toMatchObject({
      code: 403,
      message: expect.stringContaining(`${resource.kind} ${NS}/foreign is not of a Capp`),
    });
    expect((await operator('DELETE', at(resource, 'foreign'))).code).toBe(403);
  },
);

test('the site operator creates and deletes a CappRevision of a Capp, and no other', async () => {
  const spec = { revisionNumber: 1, cappTemplate: { cappSpec: {} } };
  expect((await make(operator, CAPP_REVISION, own('app'), { spec })).code).toBe(201);
  expect((await operator('DELETE', at(CAPP_REVISION, 'app'))).code).toBe(200);
  expect((await make(operator, CAPP_REVISION, { name: 'loose' }, { spec })).code).toBe(403);
  await put(person, CAPP_REVISION, { name: 'foreign' }, { spec });
  expect((await operator('DELETE', at(CAPP_REVISION, 'foreign'))).code).toBe(403);
});

test('the site operator records events on Capps and on ConfigMaps that are superseded, and on nothing else', async () => {
  const event = (kind: string, apiVersion: string) => ({
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'container-app-controller',
    reportingInstance: 'x',
    action: 'KnativeServiceCreated',
    reason: 'KnativeServiceCreated',
    type: 'Normal',
    regarding: { kind, apiVersion, namespace: NS, name: 'app' },
  });
  expect((await make(operator, EVENT, { name: 'ours' }, event('Capp', CAPP.apiVersion))).code).toBe(201);
  expect(await make(operator, EVENT, { name: 'theirs' }, event('Pod', 'v1'))).toMatchObject({
    code: 403,
    message: expect.stringContaining('records events on Capps, and'),
  });
});

const places = [
  ...RESERVED_NAMESPACES.map((name) =>
    name.replace('*', name.startsWith('kube-') ? 'system' : '-of-a-cluster'),
  ),
  ADDON,
  'platform-db',
];
test.each(places)('the site operator creates nothing in namespace %s', async (namespace) => {
  await make(person, NAMESPACE, { name: namespace });
  expect(await make(operator, KNATIVE_SERVICE, own('app', { namespace }))).toMatchObject({
    code: 403,
    message: expect.stringContaining('no Capp can be there'),
  });
});

test('the site operator runs pods as a ServiceAccount only in a namespace with a Role for it', async () => {
  expect((await make(operator, KNATIVE_SERVICE, own('plain'), runningAs('default'))).code).toBe(201);
  const refused = await make(operator, KNATIVE_SERVICE, own('bold'), runningAs('powerful'));
  expect(refused).toMatchObject({
    code: 403,
    message: expect.stringContaining(`No Capp in ${NS} runs as ServiceAccount powerful`),
  });
  // As the work of a Capp with that ServiceAccount carries it.
  const operatorAccount = { namespace: ADDON, name: 'cappstan-site' };
  const [role, binding] = runsAs(
    { namespace: NS, name: 'bold', account: 'modest' },
    operatorAccount,
    SHIPPED,
  );
  await agent('POST', pathOf(ROLE, { namespace: NS, name: null }), role);
  await agent('POST', pathOf({ ...ROLE, plural: 'rolebindings' }, { namespace: NS, name: null }), binding);
  await eventually(async () =>
    (await make(operator, KNATIVE_SERVICE, own('bold'), runningAs('modest'))).code === 201 ? true : undefined,
  );
  expect((await operator('PATCH', at(KNATIVE_SERVICE, 'bold'), runningAs('powerful'))).code).toBe(403);
});

test('the site operator changes a Service from before Cappstan, but not its ServiceAccount', async () => {
  // As the Go operator left it: no work carries a Role for this ServiceAccount.
  expect((await make(person, KNATIVE_SERVICE, own('inherited'), runningAs('earlier'))).code).toBe(201);
  const applied = { metadata: { annotations: { 'rcs.dana.io/applied': 'x' } } };
  expect((await operator('PATCH', at(KNATIVE_SERVICE, 'inherited'), applied)).code).toBe(200);
  const refused = await operator('PATCH', at(KNATIVE_SERVICE, 'inherited'), runningAs('powerful'));
  expect(refused).toMatchObject({
    code: 403,
    message: expect.stringContaining(`No Capp in ${NS} runs as ServiceAccount powerful`),
  });
  expect((await make(person, KNATIVE_SERVICE, own('unnamed'))).code).toBe(201);
  expect((await operator('PATCH', at(KNATIVE_SERVICE, 'unnamed'), runningAs('earlier'))).code).toBe(403);
});

test('the site operator removes a namespace that Cappstan created, unless it contains a Capp', async () => {
  const remove = (name: string): Promise<Reply> =>
    operator('DELETE', pathOf(NAMESPACE, { namespace: null, name }));
  expect(await remove(NS)).toMatchObject({
    code: 403,
    message: expect.stringContaining(`Namespace ${NS} was not made by Cappstan`),
  });
  let count = 0;
  // The policy sees a Capp some moments after it was created.
  await eventually(async () => {
    const name = `full-${(count += 1)}`;
    await put(person, NAMESPACE, { name, labels: SHIPPED });
    await put(person, CAPP, { name: 'app', namespace: name }, CAPP_SPEC);
    return (await remove(name)).message.includes(`Namespace ${name} holds Capp app`) ? true : undefined;
  });
  await put(person, NAMESPACE, { name: 'empty', labels: SHIPPED });
  expect((await remove('empty')).code).toBe(200);
});

test('the site operator makes no ResourceQuota but one that counts, in a namespace that Cappstan created', async () => {
  await put(person, NAMESPACE, { name: 'shipped', labels: SHIPPED });
  const quota = (namespace: string, name: string, limit: string) =>
    make(operator, RESOURCE_QUOTA, { name, namespace }, { spec: { hard: { 'count/pods': limit } } });
  expect((await quota('shipped', 'cappstan-count', '1000000000')).code).toBe(201);
  expect((await quota('shipped', 'other', '1000000000')).message).toContain('only the ResourceQuota');
  expect((await quota(NS, 'cappstan-count', '1000000000')).message).toContain('was not made by Cappstan');
  await operator('DELETE', pathOf(RESOURCE_QUOTA, { namespace: 'shipped', name: 'cappstan-count' }));
  expect((await quota('shipped', 'cappstan-count', '0')).message).toContain('limits nothing');
  await put(
    person,
    RESOURCE_QUOTA,
    { name: 'theirs', namespace: 'shipped' },
    { spec: { hard: { pods: '9' } } },
  );
  const theirs = pathOf(RESOURCE_QUOTA, { namespace: 'shipped', name: 'theirs' });
  expect((await operator('DELETE', theirs)).code).toBe(403);
});

test('the policies do not restrict other users', async () => {
  expect((await make(person, KNATIVE_SERVICE, { name: 'by-hand' }, runningAs('powerful'))).code).toBe(201);
  expect((await person('DELETE', at(KNATIVE_SERVICE, 'by-hand'))).code).toBe(200);
});

test('the policies refuse nothing that the running site operator does', async () => {
  const kube = await site.cluster.client(`system:serviceaccount:${ADDON}:cappstan-site`);
  const problems: unknown[] = [];
  const running = siteOperator(kube, {
    onProblem: (_kind, error) => problems.push(error),
    onError: (_key, error) => problems.push(error),
  });
  try {
    const namespace = 'lived-in';
    await put(person, NAMESPACE, { name: namespace, labels: SHIPPED });
    const [role, binding] = runsAs(
      { namespace, name: 'whole', account: 'modest' },
      { namespace: ADDON, name: 'cappstan-site' },
      SHIPPED,
    );
    await agent('POST', pathOf(ROLE, { namespace, name: null }), role);
    await agent('POST', pathOf({ ...ROLE, plural: 'rolebindings' }, { namespace, name: null }), binding);
    // The policy learns of the Role a moment after it was written.
    await eventually(async () => {
      const trial = await make(operator, KNATIVE_SERVICE, own('trial', { namespace }), runningAs('modest'));
      return trial.code === 201 ? true : undefined;
    });
    const volumes = [{ name: 'data', server: 'nfs', path: '/data', capacity: { storage: '1Gi' } }];
    const container = { name: 'app', image: 'i:1', volumeMounts: [{ name: 'data', mountPath: '/data' }] };
    const pod = { serviceAccountName: 'modest', containers: [container] };
    const spec = {
      configurationSpec: { template: { spec: pod } },
      routeSpec: { hostname: 'app.example.com' },
      volumesSpec: { nfsVolumes: volumes },
      logSpec: { type: 'elastic', host: 'h', index: 'i', user: 'u', passwordSecret: 'p' },
    };
    await put(person, CAPP, { name: 'whole', namespace }, { spec });
    const there = (resource: Resource, name: string) =>
      site.cluster.kube.get<KubeObject>(resource, { namespace, name });
    const service = await eventually(async () => (await there(KNATIVE_SERVICE, 'whole')) ?? undefined);
    await eventually(async () => (await there(NFS_PVC, 'data')) ?? undefined);
    await eventually(async () => (await there(SYSLOG_NG_FLOW, 'whole')) ?? undefined);
    await person('PATCH', pathOf(CAPP, { namespace, name: 'whole' }), {
      spec: { routeSpec: { routeTimeoutSeconds: 7 } },
    });
    const changed = await eventually(async () => {
      const found = await there(KNATIVE_SERVICE, 'whole');
      return found?.metadata.resourceVersion === service.metadata.resourceVersion ? undefined : found;
    });
    expect(changed).toMatchObject({
      spec: { template: { spec: { serviceAccountName: 'modest', timeoutSeconds: 7 } } },
    });
    await person('PATCH', pathOf(CAPP, { namespace, name: 'whole' }), { spec: { state: 'disabled' } });
    await eventually(async () => ((await there(KNATIVE_SERVICE, 'whole')) === null ? true : undefined));
    expect(problems.filter((problem) => problem instanceof ApiError && problem.code === 403)).toEqual([]);
  } finally {
    await running.stop();
    await kube.close();
  }
});
