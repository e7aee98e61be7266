// What whoever installs the chart has to be able to do on a hub.
import type { Kube } from '../../../kube/client.ts';
import { isAllowed, type AskedAccess } from '../../hub/write/allowed.ts';

const RBAC = 'rbac.authorization.k8s.io';
const ADMISSION = 'admissionregistration.k8s.io';

/** Kinds of which the chart makes objects: plural and group. */
export const INSTALLED: readonly (readonly [string, string])[] = [
  ['customresourcedefinitions', 'apiextensions.k8s.io'],
  ['clusterroles', RBAC],
  ['clusterrolebindings', RBAC],
  ['validatingwebhookconfigurations', ADMISSION],
  ['mutatingwebhookconfigurations', ADMISSION],
  ['validatingadmissionpolicies', ADMISSION],
  ['validatingadmissionpolicybindings', ADMISSION],
  ['clustermanagementaddons', 'addon.open-cluster-management.io'],
  ['addontemplates', 'addon.open-cluster-management.io'],
  ['addondeploymentconfigs', 'addon.open-cluster-management.io'],
];

/** The same of kinds in the namespace of the release. */
export const INSTALLED_IN_NAMESPACE: readonly (readonly [string, string])[] = [
  ['deployments', 'apps'],
  ['services', ''],
  ['serviceaccounts', ''],
  ['secrets', ''],
  ['roles', RBAC],
  ['rolebindings', RBAC],
  ['poddisruptionbudgets', 'policy'],
  ['networkpolicies', 'networking.k8s.io'],
];

/** In words, such as `create clusterroles`. Throws ApiError. */
export async function refusedRights(kube: Kube, namespace: string): Promise<string[]> {
  const asked: readonly AskedAccess[] = [
    ...INSTALLED.map(([resource, group]) => ({ verb: 'create', group, resource, namespace: null })),
    // The chart's roles have rights that few people have themselves.
    { verb: 'escalate', group: RBAC, resource: 'clusterroles', namespace: null },
    ...INSTALLED_IN_NAMESPACE.map(([resource, group]) => ({ verb: 'create', group, resource, namespace })),
  ];
  const answers = await Promise.all(asked.map((access) => isAllowed(kube, access)));
  return asked.flatMap(({ verb, resource, namespace: where }, at) =>
    answers[at] ? [] : [`${verb} ${resource}${where === null ? '' : ` in namespace ${where}`}`],
  );
}
