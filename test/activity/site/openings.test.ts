// In which Namespaces of a site Capps of a hub run: a name that exists there already leads into nobody's
// Namespace, and what ran before the site asked goes on.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { CONFIG_MAP, NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { KNATIVE_SERVICE } from '../../../crds/kubernetes/knative.ts';
import { OPEN_NAMESPACES } from '../../../crds/open-namespace.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { serveBare } from '../../support/servers/api/definitions.ts';
import { NS, PLACE, siteTestbed } from '../../support/testbeds/site/site.ts';

const testbed = siteTestbed();
const WORK = { apiVersion: 'work.open-cluster-management.io/v1', kind: 'AppliedManifestWork', uid: 'w1' };
const of = (namespace: string, name = 'app') => ({ namespace, name });

beforeAll(() => serveBare(testbed.kube, KNATIVE_SERVICE), 60_000);

const namespace = (name: string, metadata: object = {}): Promise<KubeObject> =>
  testbed.kube.create<KubeObject>(NAMESPACE, { metadata: { name, ...metadata } });

/** As OCM's work agent applies a hub's work; the stamp is the hub's, and a Go operator's work has none. */
function ship(key: { namespace: string; name: string }, annotations: object = {}): Promise<Capp> {
  const owner = { ...WORK, name: `${'a'.repeat(64)}-mw-create-${key.namespace}-${key.name}` };
  const template = { spec: { containers: [{ name: 'app', image: 'i:1' }] } };
  return testbed.kube.create<Capp>(CAPP, {
    apiVersion: CAPP.apiVersion,
    kind: CAPP.kind,
    metadata: { ...key, annotations, ownerReferences: [owner] },
    spec: { configurationSpec: { template } },
  } as unknown as Capp);
}

const says = (key: { namespace: string; name: string }, reason: string): Promise<Capp> =>
  eventually(async () => {
    const capp = await testbed.kube.get<Capp>(CAPP, key);
    const ready = capp?.status?.conditions?.find(({ type }) => type === 'Ready');
    return capp !== null && ready?.reason === reason ? capp : undefined;
  });

const serviceOf = (key: { namespace: string; name: string }) => testbed.kube.get(KNATIVE_SERVICE, key);

test('a Capp of a hub gets nothing in a Namespace that the site had before, whether its work or its stamp shows the hub', async () => {
  await namespace('payments');
  await ship(of('payments'));
  const { status } = await says(of('payments'), 'NamespaceClosed');
  expect(status?.conditions?.[0]?.message).toContain(
    'kubectl label namespace payments rcs.dana.io/hub-capps=allowed',
  );
  const stamped = { ...of('payments', 'stamped') };
  await ship(stamped, { 'rcs.dana.io/rollout': 'u/1/h/i' });
  await testbed.kube.patch(CAPP, stamped, { metadata: { ownerReferences: null } });
  await says(stamped, 'NamespaceClosed');
  await testbed.operator.idle();
  expect([await serviceOf(of('payments')), await serviceOf(stamped)]).toEqual([null, null]);
});

test("a Capp that a user of the site writes there runs: it is that Namespace's own", async () => {
  await testbed.make('local');
  await testbed.says('local', 'Ready', 'Deploying');
  expect(await serviceOf(of(NS, 'local'))).not.toBeNull();
});

test('a Capp of a hub runs where its work made the Namespace', async () => {
  await namespace('team-a', { labels: { 'rcs.dana.io/managed-by': 'rcs' } });
  await ship(of('team-a'));
  await says(of('team-a'), 'Deploying');
});

test('an admin of the site opens a Namespace, and closes one, at once', async () => {
  await namespace('shared');
  await ship(of('shared'));
  await says(of('shared'), 'NamespaceClosed');
  const label = (value: string) =>
    testbed.kube.patch(
      NAMESPACE,
      { namespace: null, name: 'shared' },
      { metadata: { labels: { 'rcs.dana.io/hub-capps': value } } },
    );
  await label('allowed');
  await says(of('shared'), 'Deploying');
  const made = await serviceOf(of('shared'));
  await label('refused');
  await says(of('shared'), 'NamespaceClosed');
  expect(await serviceOf(of('shared'))).toEqual(made);
});

describe('a site that has run Capps before it asks', () => {
  const recordKey = { namespace: PLACE, name: OPEN_NAMESPACES };
  const recorded = async (): Promise<string[]> =>
    Object.keys((await testbed.kube.get<KubeObject & { data?: object }>(CONFIG_MAP, recordKey))?.data ?? {});

  test('keeps open where they ran and what the Go operator made, and nothing that came otherwise', async () => {
    const ran = ['by-status'];
    for (const name of [...ran, 'just-come', 'of-a-person']) await namespace(name);
    await namespace('go-made', {
      ownerReferences: [{ ...WORK, name: `${'a'.repeat(64)}-mw-create-go-made-app` }],
    });
    await testbed.operator.stop();
    await testbed.kube.remove(CONFIG_MAP, recordKey);
    await testbed.kube.patch(
      NAMESPACE,
      { namespace: null, name: 'shared' },
      { metadata: { labels: { 'rcs.dana.io/hub-capps': null } } },
    );
    for (const name of [...ran, 'just-come']) await ship(of(name));
    await testbed.kube.create<Capp>(CAPP, {
      apiVersion: CAPP.apiVersion,
      kind: CAPP.kind,
      metadata: of('of-a-person'),
      spec: { configurationSpec: { template: { spec: { containers: [{ name: 'app', image: 'i:1' }] } } } },
    } as unknown as Capp);
    for (const name of ['by-status', 'of-a-person'])
      await testbed.kube.raw('PATCH', `/apis/${CAPP.apiVersion}/namespaces/${name}/capps/app/status`, {
        body: { status: { stateStatus: { state: 'enabled', lastChange: '2026-11-21T10:00:00Z' } } },
        contentType: 'application/merge-patch+json',
      });
    await testbed.restart();
    for (const name of ran) await says(of(name), 'Deploying');
    await says(of('just-come'), 'NamespaceClosed');
    // It has the Service of an earlier version.
    await says(of('shared'), 'Deploying');
    expect((await recorded()).toSorted()).toEqual(['by-status', 'go-made', 'shared', 'team-a']);
  });

  test('opens none that was made again under the same name, and none at a later start', async () => {
    await testbed.restart();
    await says(of('just-come'), 'NamespaceClosed');
    await ship(of('go-made'));
    await says(of('go-made'), 'Deploying');
    await namespace('later');
    await ship(of('later'));
    await says(of('later'), 'NamespaceClosed');
    await testbed.restart();
    await says(of('later'), 'NamespaceClosed');
    expect(await recorded()).not.toContain('later');
    const data = { later: 'the uid of an earlier one' };
    await testbed.kube.patch(CONFIG_MAP, recordKey, { data });
    await testbed.restart();
    await testbed.operator.idle();
    await says(of('later'), 'NamespaceClosed');
  });
});
