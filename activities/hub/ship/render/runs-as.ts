// The Role and RoleBinding by which a site lets its operator run a Capp's pods as the ServiceAccount in the
// spec, and as no other.
import { RBAC_GROUP } from '../../../../crds/kubernetes/core.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';

const RBAC = `${RBAC_GROUP}/v1`;

export interface Account {
  readonly namespace: string;
  readonly name: string;
}

/** `<capp>-runs-as`, twice; nothing for a Capp that runs as `default`, which any pod may. */
export function runsAs(
  capp: { readonly name: string; readonly namespace: string; readonly account: string },
  operator: Account,
  labels: Readonly<Record<string, string>>,
): Manifest[] {
  if (capp.account === 'default') return [];
  const metadata = { name: `${capp.name}-runs-as`, namespace: capp.namespace, labels };
  const roleRef = { apiGroup: RBAC_GROUP, kind: 'Role', name: metadata.name };
  const rules = [
    { apiGroups: [''], resources: ['serviceaccounts'], resourceNames: [capp.account], verbs: ['use'] },
  ];
  return [
    { apiVersion: RBAC, kind: 'Role', metadata, rules },
    {
      apiVersion: RBAC,
      kind: 'RoleBinding',
      metadata,
      roleRef,
      subjects: [{ kind: 'ServiceAccount', ...operator }],
    },
  ];
}
