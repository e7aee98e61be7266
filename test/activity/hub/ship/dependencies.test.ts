// What a Capp refers to, on a real API server: all of it is carried by the work, what is missing is reported,
// and changes are applied.
import { hubApply } from '../../../../activities/hub/ship/apply.ts';
import { CAPP, type Capp } from '../../../../crds/capp/capp.ts';
import {
  CONFIG_MAP,
  EVENT,
  ROLE_BINDING,
  SECRET,
  SERVICE_ACCOUNT,
  type ConfigMap,
  type Event,
  type RoleBinding,
  type Secret,
  type ServiceAccount,
  type Subject,
} from '../../../../crds/kubernetes/core.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';
import type { KubeObject } from '../../../../kube/resource.ts';
import type { CappRef } from '../../../../workflows/capp/state.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { APPS, startHub, type HubForTests } from '../../../support/testbeds/hub.ts';
import { aPlacing } from '../../../support/builders/states.ts';
import { warranted } from '../../../support/testbeds/warranted.ts';

let stage: HubForTests;
beforeAll(async () => {
  stage = await startHub();
}, 300_000);
afterAll(() => stage?.stop());

const data = (value: string) => ({ value: btoa(value) });
const makeSecret = (name: string, more: Partial<Secret> = { data: data('one') }): Promise<unknown> =>
  stage.kube.create<Secret>(SECRET, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: APPS, name },
    ...more,
  });
const makeConfigMap = (name: string, more: Partial<ConfigMap> = {}): Promise<unknown> =>
  stage.kube.create<ConfigMap>(CONFIG_MAP, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: APPS, name },
    ...more,
  });

async function carried(ref: CappRef): Promise<readonly Manifest[]> {
  return (await stage.work(ref))?.spec?.workload.manifests ?? [];
}

async function namesOf(ref: CappRef, ...kinds: string[]): Promise<string[]> {
  return (await carried(ref))
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

async function eventsOf(name: string, reason: string): Promise<Event[]> {
  await stage.events.queue.idle();
  const { items } = await stage.kube.list<Event>(EVENT, { namespace: APPS });
  return items.filter(({ regarding, reason: its }) => regarding.name === name && its === reason);
}

test('W17 the work carries every Secret and ConfigMap that any part of the pod refers to, once', async () => {
  await Promise.all(
    ['init', 'whole', 'projected', 'csi', 'pull', 'lent', 'log', 'tls'].map((name) => makeSecret(name)),
  );
  await Promise.all(['one', 'two'].map((name) => makeConfigMap(name)));
  const account: ServiceAccount = {
    metadata: { namespace: APPS, name: 'builder' },
    imagePullSecrets: [{ name: 'lent' }],
  };
  const { metadata } = await stage.kube.create<ServiceAccount>(SERVICE_ACCOUNT, account);
  await eventually(() =>
    stage.caches.serviceAccounts.caughtUpWith(metadata.resourceVersion ?? '') ? true : undefined,
  );
  const ref = await stage.make({
    name: 'whole',
    container: {
      envFrom: [
        { secretRef: { name: 'whole' } },
        { configMapRef: { name: 'one' } },
        { secretRef: { name: 'whole' } },
      ],
    },
    pod: {
      serviceAccountName: 'builder',
      imagePullSecrets: [{ name: 'pull' }, { name: 'whole' }],
      initContainers: [
        {
          name: 'i',
          image: 'i',
          env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'init', key: 'value' } } }],
        },
      ],
      volumes: [
        {
          name: 'p',
          projected: { sources: [{ secret: { name: 'projected' } }, { configMap: { name: 'two' } }] },
        },
        { name: 'c', csi: { driver: 'd', nodePublishSecretRef: { name: 'csi' } } },
      ],
    },
    spec: {
      logSpec: { type: 'elastic', host: 'h', index: 'i', user: 'u', passwordSecret: 'log' },
      routeSpec: { hostname: 'whole.example.com', tlsEnabled: true, tlsSecret: 'tls' },
    },
  });
  expect((await stage.ship(ref)).applied).toMatchObject({ outcome: 'Applied' });
  const secrets = ['csi', 'init', 'lent', 'log', 'projected', 'pull', 'tls', 'whole'].map(
    (name) => `Secret ${name}`,
  );
  expect(await namesOf(ref, 'Secret', 'ConfigMap')).toEqual([...secrets, 'ConfigMap one', 'ConfigMap two']);
  expect(await eventsOf('whole', 'ReferenceMissing')).toEqual([]);
});

test('W19 the work carries binary data, immutability and Secret types', async () => {
  await makeConfigMap('binary', { data: { plain: 'a' }, binaryData: { raw: btoa('b') }, immutable: true });
  await makeSecret('typed', {
    type: 'kubernetes.io/basic-auth',
    data: { username: btoa('u') },
    immutable: true,
  });
  const ref = await stage.make({
    name: 'kept',
    container: { envFrom: [{ configMapRef: { name: 'binary' } }, { secretRef: { name: 'typed' } }] },
  });
  await stage.ship(ref);
  const [, secret, configMap] = await carried(ref);
  expect(configMap).toMatchObject({ data: { plain: 'a' }, binaryData: { raw: btoa('b') }, immutable: true });
  expect(secret).toMatchObject({
    type: 'kubernetes.io/basic-auth',
    data: { username: btoa('u') },
    immutable: true,
  });
});

test('W18 a missing optional reference does not delay the rollout, and a missing required one delays it until it exists', async () => {
  const envFrom = [
    { secretRef: { name: 'awaited' } },
    { configMapRef: { name: 'absent', optional: true } },
    { secretRef: { name: '..' } },
  ];
  const ref = await stage.make({ name: 'waiting', container: { envFrom: envFrom.slice(0, 2) } });
  const { applied, state } = await stage.ship(ref);
  expect(applied).toMatchObject({ outcome: 'Refused', reason: 'MissingReference' });
  expect(JSON.stringify(applied)).toMatch(
    /refers to Secret awaited \(container app\), which namespace apps does not have/,
  );
  await makeSecret('awaited');
  expect((await stage.ship(ref, state)).applied).toMatchObject({ outcome: 'Applied' });
  expect(await namesOf(ref, 'Secret', 'ConfigMap')).toEqual(['Secret awaited']);
  const odd = await stage.make({ name: 'astray', container: { envFrom } });
  expect(JSON.stringify((await stage.ship(odd)).applied)).toContain('Secret .. (container app)');
});

test('a missing log password, TLS or pull secret causes a Warning event, once, and is carried when it exists', async () => {
  const ref = await stage.make({
    name: 'warned',
    pod: { imagePullSecrets: [{ name: 'no-pull' }] },
    spec: {
      logSpec: { type: 'elastic', host: 'h', index: 'i', user: 'u', passwordSecret: 'no-log' },
      routeSpec: { hostname: 'warned.example.com', tlsEnabled: true, tlsSecret: 'capp-tls' },
    },
  });
  const { applied, state } = await stage.ship(ref);
  await stage.ship(ref, state);
  expect(applied).toMatchObject({ outcome: 'Applied' });
  const notes = (await eventsOf('warned', 'ReferenceMissing')).map(
    ({ type, note }) => `${type} ${note.slice(0, note.indexOf(','))}`,
  );
  expect(notes.toSorted()).toEqual([
    'Warning imagePullSecrets names Secret no-pull',
    'Warning spec.logSpec.passwordSecret names Secret no-log',
    'Warning spec.routeSpec.tlsSecret names Secret capp-tls',
  ]);
  const routeOf = async () => ((await carried(ref)).at(-1) as Capp | undefined)?.spec.routeSpec;
  const issued = { hostname: 'warned.example.com', tlsEnabled: true };
  expect(await routeOf()).toEqual(issued);
  await makeSecret('no-log');
  await makeSecret('capp-tls');
  await stage.ship(ref, state);
  expect(await namesOf(ref, 'Secret')).toEqual(['Secret capp-tls', 'Secret no-log']);
  expect(await routeOf()).toEqual({ ...issued, tlsSecret: 'capp-tls' });
  expect((await carried(ref))[1]).toMatchObject({
    metadata: { name: 'capp-tls', labels: { 'networking.internal.knative.dev/certificate-uid': '' } },
  });
});

test('a Capp that has become too large keeps its work, and the message names the largest objects', async () => {
  await Promise.all([makeSecret('grows'), makeConfigMap('large', { data: { text: 'x'.repeat(200_000) } })]);
  const ref = await stage.make({
    name: 'heavy',
    container: { envFrom: [{ secretRef: { name: 'grows' } }, { configMapRef: { name: 'large' } }] },
  });
  const { state } = await stage.ship(ref);
  const before = await stage.work(ref);
  const canary = 'y'.repeat(300_000);
  await stage.kube.patch(SECRET, { namespace: APPS, name: 'grows' }, { data: data(canary) });
  const { applied } = await stage.ship(ref, state);
  expect(applied).toMatchObject({ outcome: 'Refused', reason: 'TooLarge' });
  const { message } = applied as { message: string };
  expect(message).toMatch(
    /more than the 500 KiB .* The largest are Secret grows \(391 KiB\), ConfigMap large \(196 KiB\), Capp heavy \(1 KiB\)\./,
  );
  expect(message).not.toContain(btoa(canary).slice(0, 20));
  expect(await stage.work(ref)).toEqual(before);
  await stage.kube.patch(SECRET, { namespace: APPS, name: 'grows' }, { data: data('small again') });
  expect((await stage.ship(ref, state)).applied).toMatchObject({ outcome: 'Applied', created: false });
});

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
  const account: ServiceAccount = {
    metadata: { namespace: APPS, name: 'late' },
    imagePullSecrets: [{ name: 'late' }],
  };
  const made = await stage.kube.create<ServiceAccount>(SERVICE_ACCOUNT, account);
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
  const minimumVersions = { ...marksOf(admins), ServiceAccount: made.metadata.resourceVersion ?? '' };
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
