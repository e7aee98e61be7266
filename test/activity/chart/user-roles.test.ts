// What Kubernetes' own roles `view`, `edit` and `admin` get from the chart, by the labels that aggregate
// them.
import type { KubeObject } from '../../../kube/resource.ts';
import { forHub } from '../../support/servers/chart/chart.ts';

interface ClusterRole extends KubeObject {
  readonly rules: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
}

const READ = ['get', 'list', 'watch'];
let roles: readonly ClusterRole[];
beforeAll(async () => {
  roles = (await forHub({})).filter(({ kind }) => kind === 'ClusterRole') as ClusterRole[];
});

function may(of: 'view' | 'edit' | 'admin', resource: string): string[] {
  const label = `rbac.authorization.k8s.io/aggregate-to-${of}`;
  const included = roles.filter(({ metadata }) => metadata.labels?.[label] === 'true');
  const rules = included
    .flatMap((role) => role.rules)
    .filter(({ resources }) => resources.includes(resource));
  return [...new Set(rules.flatMap(({ verbs }) => verbs))].toSorted();
}

test.each(['capps', 'cappsets'])(
  'whoever may view a namespace sees its %s, and whoever may edit it writes them',
  (kind) => {
    expect(may('view', kind)).toEqual(READ);
    for (const role of ['edit', 'admin'] as const) {
      expect(may(role, kind)).toEqual(
        ['create', 'delete', 'deletecollection', ...READ, 'patch', 'update'].toSorted(),
      );
      expect(may(role, `${kind}/status`)).toEqual(READ);
    }
  },
);

test('what the hub keeps of former times everybody reads who views a namespace, and nobody writes', () => {
  for (const kind of ['capprevisions', 'setrevisions'])
    for (const role of ['view', 'edit', 'admin'] as const) expect(may(role, kind)).toEqual(READ);
});

test('Bundles are written by nobody without a role of its own, and seen only by those who may read Secrets anyway', () => {
  for (const kind of ['bundles', 'bundles/status']) {
    expect(may('view', kind)).toEqual([]);
    expect(may('edit', kind)).toEqual(READ);
    expect(may('admin', kind)).toEqual(READ);
  }
  const writers = roles.filter(({ metadata, rules }) =>
    rules.some(
      ({ resources, verbs }) =>
        resources.includes('bundles') &&
        verbs.includes('create') &&
        !metadata.name.startsWith('cappstan-hub'),
    ),
  );
  expect(writers.map(({ metadata }) => metadata.name)).toEqual(['cappstan-bundle']);
  expect(Object.keys(writers[0]?.metadata.labels ?? {}).join()).not.toContain('aggregate-to');
});

test('what Temporal knows is read by the groups that the chart names: by default by none, so by no site', async () => {
  const bound = async (values: Readonly<Record<string, string>>): Promise<unknown> => {
    const found = (await forHub(values)).find(
      ({ kind, metadata }) => kind === 'ClusterRoleBinding' && metadata.name === 'cappstan-hub-status-view',
    );
    return (found as { subjects?: readonly { name: string }[] } | undefined)?.subjects?.map(
      ({ name }) => name,
    );
  };
  expect(await bound({})).toBeUndefined();
  expect(await bound({ 'userRoles.hubStatusGroups[0]': 'oidc:people' })).toEqual(['oidc:people']);
});
