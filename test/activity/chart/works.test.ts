// What the hub worker may write on the hub for its sites, on a real API server with the chart's policies and
// OCM's own kinds: works of Capps, of Bundles and of agents' identities, each only what it says it is.
import { bundleExecutor, executorAs } from '../../../crds/ocm/executors.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { BUNDLE_NAMESPACE } from '../../../crds/labels.ts';
import { MANIFEST_WORK, type Manifest, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { strayWork } from '../../../activities/hub/ship/render/work.ts';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import type { Kube } from '../../../kube/client.ts';
import { pathOf, type KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { FORGERIES } from '../../support/builders/hub/forged-works.ts';
import {
  ADDON,
  aWork,
  binding,
  CAPPS,
  DEPLOYMENT,
  forged,
  identity,
  LONG,
  NAME,
  NS,
  ofBundle,
  ofChecks,
  ofCapp,
  SECRET,
  SITE,
} from '../../support/builders/hub/sent-works.ts';
import { forHub, installAll, startCluster, type Cluster } from '../../support/servers/chart/chart.ts';
import { isByPolicy, type RawClient, type Reply } from '../../support/servers/api/identities.ts';

const HUB_WORKER = `system:serviceaccount:${RELEASE_NAMESPACE}:cappstan-hub`;

let hub: Cluster;
let admin: Kube;
let worker: RawClient;
beforeAll(async () => {
  hub = await startCluster('hub');
  admin = hub.kube;
  await installAll(admin, await forHub({ 'addon.install': 'false' }));
  for (const name of [SITE, RCS_CONFIG_KEY.namespace])
    await admin.create(NAMESPACE, { metadata: { name } }).catch(() => undefined);
  worker = await hub.as(HUB_WORKER);
  await eventually(async () => (isByPolicy(await create(aWork('other', []))) ? true : undefined));
}, 300_000);
afterAll(() => hub?.stop());
afterEach(async () => {
  for (const { metadata } of (await admin.list(MANIFEST_WORK)).items) {
    const key = { namespace: metadata.namespace ?? '', name: metadata.name };
    await admin.patch(MANIFEST_WORK, key, { metadata: { finalizers: null } });
    await admin.remove(MANIFEST_WORK, key).catch(() => undefined);
  }
});

const at = (name: string | null): string => pathOf(MANIFEST_WORK, { namespace: SITE, name });
const create = (work: object): Promise<Reply> => worker('POST', at(null), work);
const change = (name: string, patch: object): Promise<Reply> => worker('PATCH', at(name), patch);
const asAdmin = (work: ManifestWork) => admin.create(MANIFEST_WORK, work);

test.each<[string, () => KubeObject]>([
  ['a Capp with all that it can have', () => ofCapp(CAPPS)],
  ['a Capp on a site without the executor', () => ofCapp()],
  [
    'a Capp whose Secret is sealed, and was not before',
    () => {
      const sealed = [{ name: 'db', keyId: '0'.repeat(16), sealed: 'AA==' }];
      return ofCapp(CAPPS, { sealed, standing: ['db'] });
    },
  ],
  [
    'a copy that nobody accounts for',
    () =>
      strayWork(
        { namespace: NS, name: 'app', uid: 'u' },
        { cluster: SITE, name: NAME, incarnation: '1', salt: 's' },
      ),
  ],
  [
    'a Bundle',
    () =>
      ofBundle({ namespace: NS, name: 'base' }, executorAs({ namespace: ADDON, name: bundleExecutor(NS) })),
  ],
  [
    'a Bundle of a hub with a name',
    () =>
      ofBundle(
        { namespace: NS, name: 'base' },
        executorAs({ namespace: ADDON, name: bundleExecutor(NS, 'hub-under-test') }),
      ),
  ],
  [
    'a Bundle with a long name',
    () => ofBundle(LONG, executorAs({ namespace: ADDON, name: bundleExecutor(NS) })),
  ],
  ['the checks of a Bundle', () => ofChecks({ namespace: NS, name: 'base' })],
  [
    'the checks of a Bundle of a hub with a name',
    () =>
      ofChecks({ namespace: NS, name: 'base' }, { executorNamespace: ADDON, executorHub: 'hub-under-test' }),
  ],
  ['the checks of a Bundle with a long name', () => ofChecks(LONG)],
  ['the identity of an agent', () => identity],
])('the hub worker writes, changes and deletes the work of %s', async (_, make) => {
  const work = make();
  const { name } = work.metadata;
  expect(await create(work)).toMatchObject({ code: 201 });
  expect(await change(name, { metadata: { labels: { a: 'b' } } })).toMatchObject({ code: 200 });
  const again = { spec: (work as ManifestWork).spec, metadata: { annotations: { again: 'true' } } };
  expect(await change(name, again)).toMatchObject({ code: 200 });
  expect(await worker('DELETE', at(name))).toMatchObject({ code: 200 });
});

describe('refused', () => {
  test.each(FORGERIES)('%s, when the hub worker makes the work', async (_, work) => {
    expect(await create(work)).toMatchObject({ code: 403, message: expect.stringMatching(/cappstan-works/) });
  });

  test.each(FORGERIES)(
    '%s, when it is brought into a work that is there',
    async (_, { metadata: { name }, spec }) => {
      await asAdmin(aWork(name, []));
      const patched = await change(name, { spec });
      expect(patched).toMatchObject({ code: 403, message: expect.stringMatching(/cappstan-works/) });
    },
  );

  test('the work of somebody else: it is neither changed nor deleted', async () => {
    await asAdmin(aWork('addon-cappstan-deploy-0', [SECRET]));
    expect((await change('addon-cappstan-deploy-0', { metadata: { labels: { a: 'b' } } })).code).toBe(403);
    expect((await change('addon-cappstan-deploy-0', { metadata: { finalizers: null } })).code).toBe(403);
    expect((await worker('DELETE', at('addon-cappstan-deploy-0'))).code).toBe(403);
    expect((await worker('DELETE', at(null))).code).toBe(403);
  });

  test('a forgery in steps: a Role that is good alone, and then more of it', async () => {
    expect((await create(ofCapp(CAPPS))).code).toBe(201);
    const manifests = ofCapp(CAPPS).spec?.workload?.manifests as readonly Manifest[];
    const steps: readonly object[] = [
      { workload: { manifests: [...manifests, DEPLOYMENT] } },
      { executor: null, workload: { manifests: [...manifests, DEPLOYMENT] } },
      { workload: { manifests: [...manifests, binding('Role', 'admin')] } },
      { executor: executorAs({ namespace: ADDON, name: 'cappstan-site' }) },
    ];
    for (const spec of steps) expect((await change(NAME, { spec })).code).toBe(403);
  });
});

describe('upgrading refuses nothing: a work that is there, whatever is in it,', () => {
  const former = aWork(NAME, [SECRET, DEPLOYMENT, binding('ClusterRole', 'view')], {
    manifestConfigs: [
      {
        resourceIdentifier: { group: 'apps', resource: 'deployments', namespace: NS, name: 'web' },
        feedbackRules: [{ type: 'WellKnownStatus' }],
      },
    ],
  });

  test('is marked, has its removal changed, and is deleted without an executor', async () => {
    await asAdmin(former);
    const changes: readonly object[] = [
      { metadata: { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['tests.example/held'] } },
      { spec: { deleteOption: { propagationPolicy: 'Orphan' } } },
      { metadata: { finalizers: null } },
    ];
    for (const one of changes) expect(await change(NAME, one)).toMatchObject({ code: 200 });
    expect((await worker('DELETE', at(NAME))).code).toBe(200);
  });

  test('gets its executor without another change, and loses it again', async () => {
    await asAdmin(former);
    expect((await change(NAME, { spec: forged(CAPPS.name) })).code).toBe(200);
    expect((await change(NAME, { spec: { executor: null } })).code).toBe(200);
  });

  test('gets what the Capp is now, without an executor where its site has none', async () => {
    await asAdmin(former);
    expect(await change(NAME, { spec: { manifestConfigs: null, ...ofCapp().spec } })).toMatchObject({
      code: 200,
    });
  });

  test('keeps an executor of another namespace until it changes', async () => {
    await asAdmin(aWork(NAME, [SECRET], forged(CAPPS.name, 'elsewhere')));
    expect((await change(NAME, { metadata: { labels: { a: 'b' } } })).code).toBe(200);
    expect((await change(NAME, { spec: { workload: ofCapp().spec?.workload } })).code).toBe(200);
  });
});

describe('a Bundle without an executor', () => {
  const config = async (unrestricted: readonly string[]): Promise<void> => {
    const { apiVersion, kind } = RCS_CONFIG;
    const spec = { placements: ['all'], placementsNamespace: 'placements', bundles: { unrestricted } };
    const object = { apiVersion, kind, metadata: RCS_CONFIG_KEY, spec } as unknown as KubeObject;
    await admin.apply(RCS_CONFIG, object, { fieldManager: 'test', force: true });
  };
  const free = { namespace: 'platform', name: 'base' };
  const tried = (where: typeof free, more: object = {}) =>
    worker('POST', `${at(null)}?dryRun=All`, { ...ofBundle(where, null), ...more });
  const becomes = (code: number) =>
    eventually(async () => ((await tried(free)).code === code ? true : undefined));

  test('is for the namespaces that the RCSConfig lists, and a work that is there may still go', async () => {
    await config(['platform']);
    await becomes(201);
    expect(await tried({ namespace: 'retail', name: 'base' })).toMatchObject({
      code: 403,
      message: expect.stringMatching(/retail is not in spec.bundles.unrestricted/),
    });
    // By what the work says, where its name is a hash, and by its name where it is not.
    expect((await tried({ ...free, name: LONG.name })).code).toBe(201);
    expect((await tried({ namespace: 'retail', name: LONG.name })).code).toBe(403);
    const lies = { ...ofBundle({ namespace: 'retail', name: 'base' }, null).metadata };
    const annotations = { ...lies.annotations, [BUNDLE_NAMESPACE]: 'platform' };
    expect(
      (await tried({ namespace: 'retail', name: 'base' }, { metadata: { ...lies, annotations } })).code,
    ).toBe(403);

    // Nor do the checks of a Bundle bring Jobs in the name of a namespace that is not listed.
    const triedChecks = (where: typeof free) =>
      worker('POST', `${at(null)}?dryRun=All`, ofChecks(where, { executorNamespace: null }));
    for (const { name } of [free, LONG]) {
      expect((await triedChecks({ ...free, name })).code).toBe(201);
      expect((await triedChecks({ namespace: 'retail', name })).code).toBe(403);
    }

    const work = ofBundle(free, null);
    expect((await create(work)).code).toBe(201);
    await config([]);
    await becomes(403);
    const { name } = work.metadata;
    expect((await change(name, { metadata: { labels: { a: 'b' } } })).code).toBe(200);
    expect((await change(name, { spec: { deleteOption: { propagationPolicy: 'Orphan' } } })).code).toBe(200);
    expect((await change(name, { spec: { workload: { manifests: [SECRET] } } })).code).toBe(403);
    // Nor is the executor taken off one that has it.
    expect((await change(name, { spec: forged(bundleExecutor('platform')) })).code).toBe(200);
    expect((await change(name, { spec: { executor: null } })).code).toBe(403);
    expect((await worker('DELETE', at(name))).code).toBe(200);
  });
});

test('nobody else is held to this: administrators, and OCM’s managers of add-ons', async () => {
  await asAdmin(aWork('anything', [DEPLOYMENT], forged('admin')));
  const manager = await hub.as('system:serviceaccount:open-cluster-management-hub:addon-manager', [
    'system:masters',
  ]);
  expect((await manager('POST', at(null), aWork('addon-a-deploy-0', [DEPLOYMENT]))).code).toBe(201);
});
