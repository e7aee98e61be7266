// What the hub worker may write on the hub for its sites, on a real API server with the chart's policies and
// OCM's own kinds: works of Capps, of Bundles and of agents' identities, each only what it says it is.
import { bundleExecutor, cappsExecutor, executorAs } from '../../../crds/ocm/executors.ts';
import { bundleWorkName } from '../../../crds/ocm/bundle-work.ts';
import { identitySecret } from '../../../crds/hub/agent-identity.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY } from '../../../crds/hub/rcs-config.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { BUNDLE_NAMESPACE } from '../../../crds/labels.ts';
import { MANIFEST_WORK, type Manifest, type ManifestWork } from '../../../crds/ocm/ocm.ts';
import { renderWork, strayWork } from '../../../activities/hub/ship/render/work.ts';
import { identityWork } from '../../../activities/hub/identity/identity-work.ts';
import { RELEASE_NAMESPACE } from '../../../deploy/local/cappstan/chart.ts';
import type { Kube } from '../../../kube/client.ts';
import { pathOf, type KubeObject } from '../../../kube/resource.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { aBundle, rendered } from '../../support/builders/fleet/bundles.ts';
import { forHub, installAll, startCluster, type Cluster } from '../../support/servers/chart.ts';
import type { RawClient, Reply } from '../../support/servers/identities.ts';

const SITE = 'site-1';
const NS = 'apps';
const ADDON = 'open-cluster-management-agent-addon';
const CAPPS = { namespace: ADDON, name: cappsExecutor('hub-under-test') };
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
  // A policy counts a moment after it was written.
  await eventually(async () => ((await create(aWork('other', []))).code === 403 ? true : undefined));
}, 300_000);
afterAll(() => hub?.stop());
afterEach(async () => {
  for (const { metadata } of (await admin.list(MANIFEST_WORK)).items) {
    const key = { namespace: metadata.namespace ?? '', name: metadata.name };
    await admin.patch(MANIFEST_WORK, key, { metadata: { finalizers: null } });
    await admin.remove(MANIFEST_WORK, key).catch(() => undefined);
  }
});

const NAME = `mw-create-${NS}-app`;

function aWork(name: string, manifests: readonly object[], more: object = {}): ManifestWork {
  const { apiVersion, kind } = MANIFEST_WORK;
  const spec = { workload: { manifests }, ...more };
  return { apiVersion, kind, metadata: { namespace: SITE, name }, spec } as unknown as ManifestWork;
}

const at = (name: string | null): string => pathOf(MANIFEST_WORK, { namespace: SITE, name });
const create = (work: object): Promise<Reply> => worker('POST', at(null), work);
const change = (name: string, patch: object): Promise<Reply> => worker('PATCH', at(name), patch);
const asAdmin = (work: ManifestWork) => admin.create(MANIFEST_WORK, work);

const metadata = (name: string) => ({ namespace: NS, name, uid: 'u', resourceVersion: '1' });

/** A work with everything that a work of a Capp can carry. */
function ofCapp(executor?: typeof CAPPS, more: object = {}): ManifestWork {
  const shipment = {
    capp: aCapp({ namespace: NS, name: 'app', pod: { serviceAccountName: 'modest' } }),
    secrets: [{ metadata: metadata('db'), data: { password: 'eA==' } }],
    configMaps: [{ metadata: metadata('settings'), data: { color: 'red' } }],
    logReaders: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'alice' }],
    podSecurity: { 'pod-security.kubernetes.io/enforce': 'baseline' },
    ...(executor === undefined ? {} : { executor }),
    ...more,
  };
  return renderWork(shipment, { cluster: SITE, name: NAME, incarnation: '1', salt: 's' }).work;
}

function ofBundle(where: { namespace: string; name: string }, executor: object | null): ManifestWork {
  const bundle = aBundle({ manifests: [DEPLOYMENT] }, where);
  const work = rendered(bundle, null).workOn(SITE, 1);
  return { ...work, spec: { ...work.spec, ...(executor === null ? {} : { executor }) } } as ManifestWork;
}

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: NS, name: 'web' },
  spec: {},
};
const SECRET = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: NS, name: 'db' } };

const token = { text: 't', madeAt: 1, endsAt: 2 };
const identity = identityWork({ cluster: SITE, hubId: 'h', siteNamespace: ADDON, token, trusted: 'pem' });

const LONG = { namespace: NS, name: 'n'.repeat(200) };

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

const forged = (name: string, namespace = ADDON) => ({ executor: executorAs({ namespace, name }) });
const rbac = (kind: string, rest: object) => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { namespace: NS, name: 'forged' },
  ...rest,
});
const role = (...rules: object[]) => rbac('Role', { rules });
const binding = (kind: string, name: string) =>
  rbac('RoleBinding', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'mallory' }],
  });
const bundleName = bundleWorkName({ namespace: NS, name: 'base' });
const short = CAPPS.name.slice(-10);

const FORGERIES: readonly (readonly [string, ManifestWork])[] = [
  ['a name of its own', aWork('mine', [SECRET])],
  ['the name of an add-on’s work', aWork('addon-cappstan-deploy-0', [SECRET])],
  ['a name that ends like ours', aWork(`x-${NAME}`, [SECRET])],
  ['a longer name of an identity', aWork('cappstan-agent-identity-2', [SECRET])],
  ['an account that exists as its executor', aWork(NAME, [SECRET], forged('cappstan-site'))],
  ['the executor of Capps elsewhere', aWork(NAME, [SECRET], forged(CAPPS.name, 'kube-system'))],
  ['an executor that begins like that of Capps', aWork(NAME, [SECRET], forged(`${CAPPS.name}0`))],
  ['an executor that ends like it', aWork(NAME, [SECRET], forged(`x${CAPPS.name}`))],
  ['the executor of Bundles for a Capp', aWork(NAME, [SECRET], forged(bundleExecutor(NS)))],
  ['the executor of Capps for a Bundle', aWork(bundleName, [SECRET], forged(CAPPS.name))],
  ['the executor of another namespace', aWork(bundleName, [SECRET], forged(bundleExecutor('retail')))],
  ['an executor that begins like its own', aWork(bundleName, [SECRET], forged(bundleExecutor(`${NS}-x`)))],
  [
    'an executor with too much of a short id',
    aWork(bundleName, [SECRET], forged(`${bundleExecutor(NS)}.x.${short}`)),
  ],
  ['an executor for an identity', aWork('cappstan-agent-identity', [], forged(CAPPS.name))],
  ['a Deployment for a Capp', aWork(NAME, [SECRET, DEPLOYMENT], forged(CAPPS.name))],
  ['a list for a Capp', aWork(NAME, [{ apiVersion: 'v1', kind: 'List', items: [DEPLOYMENT] }])],
  ['a Secret of another group', aWork(NAME, [{ ...SECRET, apiVersion: 'x.example/v1' }])],
  ['a ServiceAccount', aWork(NAME, [{ ...SECRET, kind: 'ServiceAccount' }])],
  ['a Pod', aWork(NAME, [{ ...SECRET, kind: 'Pod' }])],
  [
    'a kind of ours that is no Capp',
    aWork(NAME, [{ ...SECRET, apiVersion: 'rcs.dana.io/v1alpha1', kind: 'CappConfig' }]),
  ],
  [
    'a Role that lets write pods',
    aWork(NAME, [role({ apiGroups: [''], resources: ['pods'], verbs: ['create'] })]),
  ],
  [
    'a Role that lets read Secrets',
    aWork(NAME, [role({ apiGroups: [''], resources: ['secrets'], verbs: ['get'] })]),
  ],
  ['a Role for all', aWork(NAME, [role({ apiGroups: ['*'], resources: ['*'], verbs: ['*'] })])],
  [
    'a Role for pods of any group',
    aWork(NAME, [role({ apiGroups: ['', '*'], resources: ['pods'], verbs: ['get'] })]),
  ],
  [
    'a Role that lets use every account',
    aWork(NAME, [role({ apiGroups: [''], resources: ['serviceaccounts'], verbs: ['use'] })]),
  ],
  [
    'a Role that lets impersonate an account',
    aWork(NAME, [
      role({
        apiGroups: [''],
        resources: ['serviceaccounts'],
        verbs: ['use', 'impersonate'],
        resourceNames: ['a'],
      }),
    ]),
  ],
  ['a ClusterRole', aWork(NAME, [rbac('ClusterRole', { rules: [] })])],
  ['a binding to cluster-admin', aWork(NAME, [binding('ClusterRole', 'cluster-admin')])],
  ['a binding to a Role of the site', aWork(NAME, [binding('Role', 'admin')])],
  [
    'things of two namespaces',
    aWork(NAME, [SECRET, { ...SECRET, metadata: { namespace: 'kube-system', name: 'db' } }]),
  ],
  [
    'a Namespace and what is in another',
    aWork(NAME, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' } }, SECRET]),
  ],
  [
    'a Secret of the site that is to be reported',
    aWork(NAME, [SECRET], {
      manifestConfigs: [
        {
          resourceIdentifier: { group: '', resource: 'secrets', namespace: NS, name: 'db' },
          updateStrategy: { type: 'ReadOnly' },
          feedbackRules: [{ type: 'JSONPaths', jsonPaths: [{ name: 'p', path: '.data.password' }] }],
        },
      ],
    }),
  ],
  ['another Secret in an identity', aWork('cappstan-agent-identity', [SECRET])],
  [
    'an identity of another namespace',
    aWork('cappstan-agent-identity', [
      { ...SECRET, metadata: { namespace: 'kube-system', name: identitySecret('h') } },
    ]),
  ],
];

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
