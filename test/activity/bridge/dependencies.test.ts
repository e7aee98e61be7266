// Which Capps the bridge rings when something changes that they refer to, on a real API server: the Capps
// that refer to it, and no others.
import { RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { listen, type Listening } from '../../../bridge/changes/listen.ts';
import type { RingCall } from '../../../bridge/ringer.ts';
import { openingsOf } from '../../../bridge/changes/openings.ts';
import { watchHub, type BridgeWatched } from '../../../bridge/changes/watched.ts';
import {
  CONFIG_MAP,
  NAMESPACE,
  ROLE_BINDING,
  SECRET,
  SERVICE_ACCOUNT,
} from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER_ADD_ON, MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { workName } from '../../../crds/ocm/work-identity.ts';
import { allSynced, stopAll } from '../../../kube/watch/cache.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { capp } from '../../../testbed/capps.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { APPS, startHub, type HubForTests } from '../../support/testbeds/hub/hub.ts';
import { labelsFor } from '../../support/builders/works.ts';

const OTHER = 'other';
let stage: HubForTests;
let watched: BridgeWatched;
let listening: Listening;
let rings: RingCall[] = [];

beforeAll(async () => {
  stage = await startHub();
  await serveBare(stage.kube, MANAGED_CLUSTER_ADD_ON);
  await stage.kube.create(NAMESPACE, { metadata: { name: OTHER } });
  watched = watchHub(stage.kube, RCS_CONFIG_KEY, () => undefined);
  const queue = { size: () => 0, idle: () => Promise.resolve(), stop: () => Promise.resolve() } as never;
  listening = listen(watched, { ring: (call) => void rings.push(call), queue }, openingsOf(watched));
  await allSynced(watched);
  const uses = (secret: string, configMap: string) => ({
    container: {
      envFrom: [{ secretRef: { name: secret } }, { configMapRef: { name: configMap, optional: true } }],
    },
  });
  const wishes = [
    { namespace: APPS, name: 'one', ...uses('shared', 'c-one'), pod: { serviceAccountName: 'builder' } },
    { namespace: APPS, name: 'two', ...uses('shared', 'c-two') },
    { namespace: OTHER, name: 'three', ...uses('shared', 'c-one') },
    { namespace: OTHER, name: 'last', ...uses('last', 'last'), pod: { serviceAccountName: 'last' } },
  ];
  for (const wish of wishes) await stage.kube.create(CAPP, capp(wish));
  await eventually(() => (watched.capps.list().length === wishes.length ? true : undefined));
}, 300_000);

afterAll(async () => {
  await listening?.stop();
  await stopAll(watched ?? {});
  await stage?.stop();
});

const key = ({ namespace, name }: RingCall): string => `${namespace}/${name}`;
const make = (resource: Resource, namespace: string, name: string, more: object = {}): Promise<KubeObject> =>
  stage.kube.create(resource, { metadata: { namespace, name }, ...more });
const patch = (resource: Resource, namespace: string, name: string, body: object): Promise<KubeObject> =>
  stage.kube.patch(resource, { namespace, name }, body);

/**
 * The Capps for which `change` rings: all rings before the ring of `other/last`, which a later change of the
 * same kind causes through the same watch.
 */
async function rung(change: () => Promise<unknown>, last: () => Promise<unknown>): Promise<string[]> {
  rings = [];
  await change();
  await last();
  await eventually(() => (rings.some((call) => key(call) === `${OTHER}/last`) ? true : undefined));
  expect(new Set(rings.map(({ cause }) => cause))).toEqual(new Set(['dependency']));
  return [...new Set(rings.map(key))].filter((one) => one !== `${OTHER}/last`).toSorted();
}

/**
 * Makes an object that only `other/last` refers to, and waits for that ring: it must not come in the midst of
 * the next change.
 */
async function begin(resource: Resource, more: object = {}): Promise<void> {
  rings = [];
  await make(resource, OTHER, 'last', more);
  await eventually(() => (rings.some((call) => key(call) === `${OTHER}/last`) ? true : undefined));
}

let turn = 0;
const data = (): object => ({ data: { value: btoa(`turn ${(turn += 1)}`) } });

test('W12 a Secret or ConfigMap that is created, changed or deleted rings the Capps that refer to it', async () => {
  await begin(SECRET, data());
  await begin(CONFIG_MAP, data());
  const secret = (change: () => Promise<unknown>) => rung(change, () => patch(SECRET, OTHER, 'last', data()));
  const configMap = (change: () => Promise<unknown>) =>
    rung(change, () => patch(CONFIG_MAP, OTHER, 'last', data()));
  expect(await secret(() => make(SECRET, APPS, 'shared', data()))).toEqual(['apps/one', 'apps/two']);
  expect(await secret(() => patch(SECRET, APPS, 'shared', data()))).toEqual(['apps/one', 'apps/two']);
  expect(await secret(() => make(SECRET, APPS, 'unrelated', data()))).toEqual([]);
  expect(await secret(() => stage.kube.remove(SECRET, { namespace: APPS, name: 'shared' }))).toEqual([
    'apps/one',
    'apps/two',
  ]);
  expect(await configMap(() => make(CONFIG_MAP, APPS, 'c-two', data()))).toEqual(['apps/two']);
});

test("a change of a ServiceAccount's pull secrets rings its Capps, and so does a change of such a Secret", async () => {
  await make(SERVICE_ACCOUNT, OTHER, 'last');
  let count = 0;
  const pulls = (...names: string[]): object => ({ imagePullSecrets: names.map((name) => ({ name })) });
  const account = (change: () => Promise<unknown>) =>
    rung(change, () => patch(SERVICE_ACCOUNT, OTHER, 'last', pulls(`pull-${(count += 1)}`)));
  expect(await account(() => make(SERVICE_ACCOUNT, APPS, 'builder', pulls('lent')))).toEqual(['apps/one']);
  expect(rings.find((call) => key(call) === 'apps/one')?.changed?.kind).toBe('ServiceAccount');
  expect(
    await account(() => patch(SERVICE_ACCOUNT, APPS, 'builder', { metadata: { labels: { a: 'b' } } })),
  ).toEqual([]);
  const secret = (change: () => Promise<unknown>) => rung(change, () => patch(SECRET, OTHER, 'last', data()));
  expect(await secret(() => make(SECRET, APPS, 'lent', data()))).toEqual(['apps/one']);
});

test('a RoleBinding rings the Capps of its namespace only when its change affects log readers', async () => {
  const apiGroup = 'rbac.authorization.k8s.io';
  const bound = (role: string, ...names: string[]): object => ({
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: names.map((name) => ({ kind: 'User', apiGroup, name })),
  });
  await begin(ROLE_BINDING, bound('admin', 'alice'));
  let count = 0;
  const binding = async (change: () => Promise<unknown>): Promise<string[]> => {
    const all = await rung(change, () =>
      patch(ROLE_BINDING, OTHER, 'last', bound('admin', `alice-${(count += 1)}`)),
    );
    // The last change rings all Capps of namespace `other`.
    return all.filter((one) => one.startsWith(APPS));
  };
  expect(await binding(() => make(ROLE_BINDING, APPS, 'admins', bound('admin', 'bob')))).toEqual([
    'apps/one',
    'apps/two',
  ]);
  expect(await binding(() => patch(ROLE_BINDING, APPS, 'admins', bound('admin', 'bob', 'carol')))).toEqual([
    'apps/one',
    'apps/two',
  ]);
  expect(
    await binding(() => patch(ROLE_BINDING, APPS, 'admins', { metadata: { labels: { a: 'b' } } })),
  ).toEqual([]);
  expect(await binding(() => make(ROLE_BINDING, APPS, 'editors', bound('edit', 'mallory')))).toEqual([]);
  const { resourceVersion = '' } =
    watched.roleBindings.get({ namespace: APPS, name: 'admins' })?.metadata ?? {};
  // Every later ring carries the minimum resource version of the bindings.
  rings = [];
  await patch(CAPP, APPS, 'one', { spec: { state: 'disabled' } });
  const call = await eventually(() => rings.find((one) => key(one) === 'apps/one'));
  expect(call).toMatchObject({
    cause: 'spec',
    changed: { kind: 'Capp' },
    beside: { RoleBinding: resourceVersion },
  });
  expect(await binding(() => stage.kube.remove(ROLE_BINDING, { namespace: APPS, name: 'admins' }))).toEqual([
    'apps/one',
    'apps/two',
  ]);
});

test("W12 a work that another client changes, unlabels or deletes rings its Capp, which is found by the work's name", async () => {
  const name = workName(APPS, 'one');
  const marks = labelsFor(APPS, 'one');
  const work = (manifest: string): object => ({ spec: { workload: { manifests: [{ manifest }] } } });
  const untilRung = async (change: () => Promise<unknown>, kind?: string): Promise<void> => {
    rings = [];
    await change();
    const isIt = (call: RingCall): boolean =>
      key(call) === 'apps/one' && call.cause === 'work' && call.changed?.kind === kind;
    await eventually(() => (rings.some(isIt) ? true : undefined));
  };
  await stage.kube.create(MANIFEST_WORK, {
    metadata: { namespace: 'site-1', name, ...marks },
    ...work('ours'),
  });
  await eventually(() => watched.works.get({ namespace: 'site-1', name }));
  await untilRung(() => patch(MANIFEST_WORK, 'site-1', name, work('theirs')), MANIFEST_WORK.kind);
  await untilRung(() =>
    patch(MANIFEST_WORK, 'site-1', name, { metadata: { labels: null, annotations: null } }),
  );
  // The next choice must not read a cache that is older than the deletion.
  await untilRung(() => stage.kube.remove(MANIFEST_WORK, { namespace: 'site-1', name }), MANIFEST_WORK.kind);
}, 300_000);

test('the work of a Capp that is being deleted rings when it is gone, not when its deletion begins', async () => {
  const [name, site] = [workName(APPS, 'going'), 'site-1'];
  const held = { finalizers: ['tests.cappstan/held'] };
  const ofWork = (call: RingCall): boolean =>
    key(call) === 'apps/going' && call.changed?.kind === MANIFEST_WORK.kind;
  await stage.kube.create(CAPP, capp({ namespace: APPS, name: 'going' }));
  await patch(CAPP, APPS, 'going', { metadata: held });
  await stage.kube.create(MANIFEST_WORK, {
    metadata: { namespace: site, name, ...labelsFor(APPS, 'going'), ...held },
    spec: { workload: { manifests: [] } },
  });
  await eventually(() => watched.works.get({ namespace: site, name }));
  await stage.kube.remove(CAPP, { namespace: APPS, name: 'going' });
  await eventually(() => watched.capps.get({ namespace: APPS, name: 'going' })?.metadata.deletionTimestamp);
  rings = [];
  await stage.kube.remove(MANIFEST_WORK, { namespace: site, name });
  await eventually(() => watched.works.get({ namespace: site, name })?.metadata.deletionTimestamp);
  expect(rings.filter(ofWork)).toEqual([]);
  await patch(MANIFEST_WORK, site, name, { metadata: { finalizers: null } });
  await eventually(() => rings.find(ofWork));
  await patch(CAPP, APPS, 'going', { metadata: { finalizers: null } });
}, 300_000);

test('a work that appears on a site other than that of its Capp rings the Capp with cause stray', async () => {
  await stage.kube.patch(
    CAPP,
    { namespace: APPS, name: 'two' },
    { status: { applicationLinks: { site: 'site-1' } } },
    { subresource: 'status' },
  );
  await eventually(() => watched.capps.get({ namespace: APPS, name: 'two' })?.status?.applicationLinks?.site);
  rings = [];
  await stage.kube.create(MANIFEST_WORK, {
    metadata: { namespace: 'site-2', name: workName(APPS, 'two'), ...labelsFor(APPS, 'two') },
  });
  await eventually(() =>
    rings.some((call) => key(call) === 'apps/two' && call.cause === 'stray') ? true : undefined,
  );
}, 300_000);
