// The role of those who may empty sites: what it gives, and that no role of tenants includes it.
import { accountOf, rightsOf } from '../../support/servers/api/rights.ts';
import { forHub, installAll, startCluster, type Cluster } from '../../support/servers/chart/chart.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { KubeObject } from '../../../kube/resource.ts';

const OPERATOR = accountOf('operators', 'ops');
const BINDING: KubeObject & { readonly roleRef: object; readonly subjects: readonly object[] } = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'site-operators' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cappstan-drain' },
  subjects: [{ kind: 'ServiceAccount', ...OPERATOR }],
};

let hub: Cluster;
let objects: readonly KubeObject[];
beforeAll(async () => {
  hub = await startCluster('hub');
  objects = await forHub({});
  await installAll(hub.kube, [...objects, BINDING]);
}, 300_000);
afterAll(() => hub?.stop());

test('who has the role may order, change and stop drains, and nothing else', async () => {
  const operator = rightsOf(hub, OPERATOR);
  // The API server learns of roles and bindings a moment after they were written.
  await eventually(async () => {
    expect(await operator.listIn('a-namespace-of-users')).toEqual([
      'create delete get list patch update watch drains.rcs.dana.io',
      'get drains.rcs.dana.io/status',
    ]);
    return true;
  });
  for (const act of [
    'patch drains.rcs.dana.io/status site-1',
    'deletecollection drains.rcs.dana.io',
    'delete capps.rcs.dana.io apps/app',
    'patch managedclusters.cluster.open-cluster-management.io site-1',
  ])
    expect({ act, may: await operator.mayDo(act) }).toEqual({ act, may: false });
});

test('no role that others include knows drains', () => {
  const included = objects.filter(
    ({ kind, metadata }) =>
      kind === 'ClusterRole' &&
      Object.keys(metadata.labels ?? {}).some((label) => label.includes('aggregate-to')),
  );
  expect(included.map(({ metadata }) => metadata.name).toSorted()).toEqual([
    'cappstan-bundle-view',
    'cappstan-capp-edit',
    'cappstan-capp-view',
    'cappstan-hub-status-view',
  ]);
  expect(JSON.stringify(included)).not.toContain('drains');
});
