// The Go operator's cases S-10 and U-3 to U-5: administrators of a namespace on the hub can read the logs of
// its Capps on the site.
import type { KubeObject } from '../../../kube/resource.ts';
import { MANAGED_BY, MANAGED_BY_HUB } from '../../../crds/labels.ts';
import type { Manifest } from '../../../crds/ocm/ocm.ts';
import { createCapp, newNamespace, siteOf, untilReady, manifestIn, workOf } from '../../../testbed/capps.ts';
import { ROLE_BINDING } from '../../../testbed/people/service-accounts.ts';
import { openStack, type TestbedStack } from '../../../testbed/stack.ts';

const RBAC = 'rbac.authorization.k8s.io';
const ROBOT = 'robot';

let stack: TestbedStack;
let namespace: string;
let site: string;
let role: Manifest;
let binding: Manifest;

beforeAll(async () => {
  stack = await openStack();
  namespace = await newNamespace(stack.hub, 'conformance-logs');
  const user = (name: string) => ({ kind: 'User', apiGroup: RBAC, name });
  await bind('owners', { kind: 'ClusterRole', name: 'admin' }, [
    user('ada'),
    { kind: 'Group', apiGroup: RBAC, name: 'owners' },
  ]);
  await bind('readers', { kind: 'Role', name: 'logs-reader' }, [
    user('ada'),
    { kind: 'ServiceAccount', namespace, name: ROBOT },
  ]);
  await bind('others', { kind: 'ClusterRole', name: 'view' }, [user('eve')]);
  const key = { namespace, name: 'read' };
  await createCapp(stack.hub, key);
  site = siteOf(await untilReady(stack.hub, key));
  const work = await workOf(stack.hub, key, site);
  role = manifestIn(work, 'Role', 'read-logs-reader');
  binding = manifestIn(work, 'RoleBinding', 'read-logs-reader');
});
afterAll(() => stack.close());

function bind(
  name: string,
  to: { kind: string; name: string },
  subjects: readonly object[],
): Promise<unknown> {
  const roleRef = { apiGroup: RBAC, ...to };
  return stack.hub.create(ROLE_BINDING, { metadata: { namespace, name }, roleRef, subjects } as KubeObject);
}

/** Asks the site's API server. */
async function mayReadLogs(who: { user: string; groups?: readonly string[] }): Promise<boolean> {
  const resourceAttributes = { verb: 'get', resource: 'pods', subresource: 'log', namespace, name: 'any' };
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { ...who, resourceAttributes },
  };
  const answer = await stack
    .site(site)
    .raw('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { body });
  return (answer as { status: { allowed: boolean } }).status.allowed;
}

test('S-10 a work contains a labelled Role and RoleBinding with names made from the Capp’s name', () => {
  const labelled = { metadata: { namespace, labels: { [MANAGED_BY]: MANAGED_BY_HUB } } };
  expect(role).toMatchObject(labelled);
  expect(binding).toMatchObject({
    ...labelled,
    roleRef: { apiGroup: RBAC, kind: 'Role', name: 'read-logs-reader' },
  });
});

test("U-3 the Role grants reading logs of Pods, and the site's API server permits it", async () => {
  expect(role['rules']).toContainEqual({
    apiGroups: [''],
    resources: expect.arrayContaining(['pods/log']),
    verbs: expect.arrayContaining(['get']),
  });
  expect(await mayReadLogs({ user: 'ada' })).toBe(true);
  expect(await mayReadLogs({ user: 'eve' })).toBe(false);
});

test('U-4 users, groups and ServiceAccounts keep their kinds as subjects', async () => {
  const { subjects } = binding as unknown as { subjects: readonly { kind: string; name: string }[] };
  expect(subjects.map(({ kind, name }) => `${kind} ${name}`).toSorted()).toEqual([
    'Group owners',
    `ServiceAccount ${ROBOT}`,
    'User ada',
  ]);
  expect(await mayReadLogs({ user: 'somebody', groups: ['owners'] })).toBe(true);
  expect(await mayReadLogs({ user: `system:serviceaccount:${namespace}:${ROBOT}` })).toBe(true);
  expect(await mayReadLogs({ user: 'owners' })).toBe(false);
});

test('U-5 the RoleBinding has the subjects of all bindings to admin and logs-reader, each once, and no others', () => {
  const { subjects } = binding as unknown as { subjects: readonly { name: string }[] };
  expect(subjects.map(({ name }) => name).toSorted()).toEqual(['ada', 'owners', ROBOT]);
});
