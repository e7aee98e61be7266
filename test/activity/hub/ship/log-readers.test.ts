// Who reads a Capp's logs on a real API server: the work binds the log readers of the Capp's namespace, by
// caches that have seen what rang.
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { CAPP } from '../../../../crds/capp/capp.ts';
import { ROLE_BINDING, type RoleBinding, type Subject } from '../../../../crds/kubernetes/core.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { startCarryingHub, type CarryingHub } from '../../../support/testbeds/activities/carried.ts';
import { APPS, type HubForTests } from '../../../support/testbeds/hub/hub.ts';
import { aPlacing } from '../../../support/builders/states.ts';
import { warranted } from '../../../support/testbeds/hub/warranted.ts';

let stage: HubForTests;
let makeSecret: CarryingHub['makeSecret'];
let carried: CarryingHub['carried'];
let namesOf: CarryingHub['namesOf'];
let makeAccount: CarryingHub['makeAccount'];
beforeAll(async () => {
  const bed = await startCarryingHub();
  ({ stage, makeSecret, carried, namesOf, makeAccount } = bed);
}, 300_000);
afterAll(() => stage?.stop());

const apiGroup = 'rbac.authorization.k8s.io';
const readers: readonly Subject[] = [
  { kind: 'Group', apiGroup, name: 'team' },
  { kind: 'ServiceAccount', name: 'robot', namespace: 'tools' },
  { kind: 'User', apiGroup, name: 'alice' },
];

function bind(name: string, role: string, subjects: readonly Subject[]): Promise<RoleBinding> {
  const roleRef = { apiGroup, kind: 'ClusterRole', name: role };
  return stage.kube.create<RoleBinding>(ROLE_BINDING, {
    metadata: { namespace: APPS, name },
    roleRef,
    subjects,
  });
}

const marksOf = ({ metadata }: KubeObject) => ({ RoleBinding: metadata.resourceVersion ?? '' });

test('W22 the work binds the log readers of the namespace unchanged, and has no Role when there are none', async () => {
  const ref = await stage.make({ name: 'logged' });
  const { state } = await stage.ship(ref);
  expect(await namesOf(ref, 'Role', 'RoleBinding')).toEqual([]);
  await bind('editors', 'edit', [{ kind: 'User', apiGroup, name: 'mallory' }]);
  await bind('readers', 'logs-reader', readers.slice(0, 1));
  const admins = await bind('admins', 'admin', readers);
  // While the cache has not reached the ring's minimum resource versions, the bindings are read live.
  await stage.ship(ref, { ...state, minimumVersions: marksOf(admins) });
  expect(await namesOf(ref, 'Role', 'RoleBinding')).toEqual([
    'Role logged-logs-reader',
    'RoleBinding logged-logs-reader',
  ]);
  expect((await carried(ref)).find(({ kind }) => kind === 'RoleBinding')?.['subjects']).toEqual(readers);
  await Promise.all(
    ['admins', 'readers', 'editors'].map((name) =>
      stage.kube.remove(ROLE_BINDING, { namespace: APPS, name }),
    ),
  );
  await eventually(() => (stage.caches.roleBindings.by('logReaders', APPS).length === 0 ? true : undefined));
  await stage.ship(ref, state);
  expect(await namesOf(ref, 'Role', 'RoleBinding')).toEqual([]);
});

test('W21 a log reader may read pods/log according to a real API server', async () => {
  const ref = await stage.make({ name: 'read' });
  const admins = await bind('for-read', 'admin', readers);
  await stage.ship(ref, { ...aPlacing(ref), minimumVersions: marksOf(admins) });
  await stage.kube.remove(ROLE_BINDING, { namespace: APPS, name: 'for-read' });
  const role = { apiVersion: ROLE_BINDING.apiVersion, kind: 'Role', plural: 'roles', namespaced: true };
  for (const manifest of await carried(ref)) {
    if (manifest.kind === 'Role') await stage.kube.create(role, manifest);
    if (manifest.kind === 'RoleBinding') await stage.kube.create<KubeObject>(ROLE_BINDING, manifest);
  }
  const may = async (who: object, verb: string, subresource: string): Promise<boolean> => {
    const resourceAttributes = { verb, resource: 'pods', subresource, namespace: APPS };
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      spec: { ...who, resourceAttributes },
    };
    const answer = await stage.kube.raw('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
      body,
    });
    return (answer as { status: { allowed: boolean } }).status.allowed;
  };
  const all = [
    { user: 'alice' },
    { user: 'somebody', groups: ['team'] },
    { user: 'system:serviceaccount:tools:robot' },
  ];
  await eventually(async () => ((await may({ user: 'alice' }, 'get', 'log')) ? true : undefined));
  for (const who of all)
    expect([await may(who, 'get', 'log'), await may(who, 'get', ''), await may(who, 'delete', '')]).toEqual([
      true,
      true,
      false,
    ]);
  for (const user of ['team', 'robot']) expect(await may({ user }, 'get', 'log')).toBe(false);
});

test('a cache that has not reached the minimum resource versions of the ring is not used', async () => {
  const ref = await stage.make({ name: 'fresher' });
  const admins = await bind('late', 'admin', readers);
  await makeSecret('late');
  const version = await makeAccount('late', 'late');
  await stage.kube.patch(CAPP, ref, {
    spec: { configurationSpec: { template: { spec: { serviceAccountName: 'late' } } } },
  });
  const behind = {
    caughtUpWith: () => false,
    onSeen: () => () => undefined,
    get: () => undefined,
    by: () => [],
  };
  const caches = {
    ...stage.caches,
    roleBindings: behind,
    serviceAccounts: behind,
  } as unknown as HubForTests['caches'];
  const minimumVersions = { ...marksOf(admins), ServiceAccount: version };
  await hubApply({ kube: stage.kube, ...warranted(caches), events: stage.events, audit: stage.audit }).apply(
    ref,
    'site-1',
    { ...aPlacing(ref), minimumVersions },
    null,
  );
  expect(await namesOf(ref, 'Secret', 'Role')).toEqual([
    'Secret late',
    'Role fresher-logs-reader',
    'Role fresher-runs-as',
  ]);
  await stage.kube.remove(ROLE_BINDING, { namespace: APPS, name: 'late' });
});
