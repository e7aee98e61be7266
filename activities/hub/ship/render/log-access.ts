// The Role and RoleBinding by which a Capp's log readers on the hub read its logs on the site.
import { RBAC_GROUP, type Subject } from '../../../../crds/kubernetes/core.ts';
import type { Manifest } from '../../../../crds/ocm/ocm.ts';

const RBAC = `${RBAC_GROUP}/v1`;

/** `kubectl logs` looks at the Pod first. */
const RULES = [
  { apiGroups: [''], resources: ['pods/log'], verbs: ['get', 'watch', 'list'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] },
];

/** `<capp>-logs-reader`, twice; nothing if nobody may read logs. */
export function logAccess(
  capp: { readonly name: string; readonly namespace: string },
  readers: readonly Subject[],
  labels: Readonly<Record<string, string>>,
): Manifest[] {
  if (readers.length === 0) return [];
  const metadata = { name: `${capp.name}-logs-reader`, namespace: capp.namespace, labels };
  const roleRef = { apiGroup: RBAC_GROUP, kind: 'Role', name: metadata.name };
  return [
    { apiVersion: RBAC, kind: 'Role', metadata, rules: RULES },
    { apiVersion: RBAC, kind: 'RoleBinding', metadata, roleRef, subjects: [...readers] },
  ];
}
