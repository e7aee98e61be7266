// The executor of Capps on a site, as OCM's work agent asks an API server about it (ocm:
// pkg/work/spoke/auth/basic): it may have applied all that a work of a Capp can carry, and nothing else.
import { cappsExecutor } from '../../../crds/ocm/executors.ts';
import { HUB } from '../../../crds/labels.ts';
import type { Manifest } from '../../../crds/ocm/ocm.ts';
import { renderWork } from '../../../activities/hub/ship/render/work.ts';
import { resourceOf } from '../../../deploy/local/kubernetes/apply.ts';
import { pathOf, type KubeObject } from '../../../kube/resource.ts';
import { aCapp } from '../../support/builders/capps.ts';
import {
  forHub,
  forSite,
  installAll,
  startCluster,
  templateIn,
  type Cluster,
} from '../../support/servers/chart/chart.ts';
import { accountOf, rightsOf } from '../../support/servers/api/rights.ts';

const HUB_ID = 'hub-under-test';
const ADDON = 'open-cluster-management-agent-addon';
const NAME = cappsExecutor(HUB_ID);
const ACCOUNT = accountOf(ADDON, NAME);
const NS = 'apps';

let site: Cluster;
let brought: KubeObject[];
beforeAll(async () => {
  site = await startCluster('site');
  const objects = await forHub({ hubId: HUB_ID });
  brought = templateIn(objects).spec.agentSpec.workload.manifests as KubeObject[];
  await installAll(site.kube, forSite(objects));
  await installAll(site.kube, [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } }]);
}, 300_000);
afterAll(() => site?.stop());

/** Everything that a work of a Capp can carry. */
function carried(): readonly Manifest[] {
  const metadata = (name: string) => ({ namespace: NS, name, uid: 'u', resourceVersion: '1' });
  const shipment = {
    capp: aCapp({ namespace: NS, name: 'app', pod: { serviceAccountName: 'modest' } }),
    secrets: [{ metadata: metadata('db') }],
    configMaps: [{ metadata: metadata('settings') }],
    logReaders: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'alice' }],
    executor: ACCOUNT,
  };
  const identity = { cluster: 'site-1', name: `mw-create-${NS}-app`, incarnation: '1', salt: 's' };
  return renderWork(shipment, identity).manifests;
}

const verbsFor = (kind: string): string[] => [
  'create',
  'update',
  'patch',
  'get',
  // The Namespace stays when the work goes.
  ...(kind === 'Namespace' ? [] : ['delete']),
];

async function asked({ apiVersion, kind, metadata }: Manifest): Promise<boolean[]> {
  const { plural } = await resourceOf(site.kube, { apiVersion, kind });
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0]}` : '';
  const place = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`;
  const answers: boolean[] = [];
  for (const verb of verbsFor(kind))
    answers.push(await rightsOf(site, ACCOUNT).mayDo(`${verb} ${plural}${group} ${place}`));
  return answers;
}

/** OCM tries Roles and bindings as the account, without writing them. */
async function tried(manifest: KubeObject): Promise<number> {
  const as = await site.as(`system:serviceaccount:${ADDON}:${NAME}`);
  const { apiVersion = '', kind = '', metadata } = manifest;
  const resource = await resourceOf(site.kube, { apiVersion, kind });
  const namespace = metadata.namespace ?? null;
  return (await as('POST', `${pathOf(resource, { namespace, name: null })}?dryRun=All`, manifest)).code;
}

test('all that a work of a Capp can carry may be applied as the executor', async () => {
  const manifests = carried();
  expect(manifests.map(({ kind }) => kind).toSorted()).toEqual(
    ['Capp', 'ConfigMap', 'Namespace', 'Role', 'Role', 'RoleBinding', 'RoleBinding', 'Secret'].toSorted(),
  );
  for (const manifest of manifests) {
    const allowed = (await asked(manifest)).every((one) => one);
    expect([manifest.kind, manifest.metadata.name, allowed]).toEqual([
      manifest.kind,
      manifest.metadata.name,
      true,
    ]);
  }
  // In the order of the work: a binding needs its Role.
  for (const manifest of manifests.filter(({ kind }) => kind === 'Role' || kind === 'RoleBinding')) {
    expect([manifest.metadata.name, await tried(manifest)]).toEqual([manifest.metadata.name, 201]);
    await installAll(site.kube, [manifest]);
  }
});

test('the executor has these rights in every namespace, and no others', async () => {
  const everywhere = [
    'create delete get patch update capps.rcs.dana.io',
    'create delete get patch update configmaps',
    'create delete get patch update rolebindings.rbac.authorization.k8s.io',
    'create delete get patch update roles.rbac.authorization.k8s.io',
    'create delete get patch update secrets',
    'create get patch update namespaces',
    'get list pods',
    'get list watch pods/log',
    'use serviceaccounts',
  ];
  for (const namespace of [NS, ADDON, 'kube-system'])
    expect(await rightsOf(site, ACCOUNT).listIn(namespace)).toEqual(everywhere);
});

test.each([
  ['run pods', 'create deployments.apps apps/app'],
  ['run a pod in the name of an account', 'create pods apps/app'],
  ['list Secrets', 'list secrets kube-system/'],
  ['delete a Namespace', 'delete namespaces kube-system'],
  ['give rights in all namespaces', 'create clusterrolebindings.rbac.authorization.k8s.io admin'],
  ['give more than it has', 'escalate roles.rbac.authorization.k8s.io apps/any'],
  ['bind what it has not', 'bind clusterroles.rbac.authorization.k8s.io cluster-admin'],
  ['act as somebody', 'impersonate serviceaccounts kube-system/admin'],
  ['change the policies of the site', 'patch validatingadmissionpolicies.admissionregistration.k8s.io any'],
  ['make a token', 'create serviceaccounts/token kube-system/admin'],
  ['say how Capps fare', 'patch capps.rcs.dana.io/status apps/app'],
])('the executor may not %s', async (_, act) => {
  expect(await rightsOf(site, ACCOUNT).mayDo(act)).toBe(false);
});

const rbac = (kind: string, rest: object): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind,
  metadata: { namespace: NS, name: 'forged' },
  ...rest,
});
const ALICE = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'alice' }];

test.each<[string, KubeObject]>([
  [
    'a Role that lets write pods',
    rbac('Role', { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['create'] }] }),
  ],
  [
    'a binding to cluster-admin',
    rbac('RoleBinding', {
      // Not admin: its rules are put together by a controller that does not run here.
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: ALICE,
    }),
  ],
])('%s is refused to the executor, which gives nobody what it does not have', async (_, manifest) => {
  expect(await tried(manifest)).toBe(403);
});

test('the rights stay when the add-on goes, say whose they are, and nobody makes the account', () => {
  const own = brought.filter(({ metadata }) => metadata.name === NAME);
  expect(own.map(({ kind }) => kind)).toEqual(['ClusterRole', 'ClusterRoleBinding']);
  for (const { metadata } of own) {
    expect(metadata.labels).toMatchObject({ [HUB]: HUB_ID });
    expect(metadata.annotations).toHaveProperty(['addon.open-cluster-management.io/deletion-orphan'], '');
  }
});

test('without addon.executor.install a site has no such rights, and its agent looks for none', async () => {
  const objects = await forHub({ hubId: HUB_ID, 'addon.executor.install': 'false' });
  expect(JSON.stringify(forSite(objects))).not.toMatch(/cappstan-capps-|CAPPS_EXECUTOR/);
});
