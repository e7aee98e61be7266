// Policies by which an API server refuses writes that it would take otherwise.
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';

const ADMISSION = 'admissionregistration.k8s.io/v1';
const POLICY: Resource = {
  apiVersion: ADMISSION,
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  namespaced: false,
};
const BINDING: Resource = {
  ...POLICY,
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: `${POLICY.kind}Bindings`.toLowerCase(),
};

export interface Policy {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** CEL on a request that is then refused with this reason. */
  readonly when: string;
  readonly reason: 'Invalid' | 'Forbidden';
}

/** Writes one, which counts a moment later, and returns what takes it away again. */
export async function refusesBy(
  kube: Kube,
  name: string,
  kind: 'configmaps' | 'managedclusters' | 'secrets',
  more: Policy,
): Promise<() => Promise<void>> {
  const [apiGroups, operations] = [
    kind === 'managedclusters' ? ['cluster.open-cluster-management.io'] : [''],
    [more.operation],
  ];
  const spec = {
    matchConstraints: { resourceRules: [{ apiGroups, apiVersions: ['*'], operations, resources: [kind] }] },
    validations: [
      { expression: `!(${more.when})`, message: `Policy says no to ${name}.`, reason: more.reason },
    ],
  };
  await kube.create(POLICY, { metadata: { name }, spec } as KubeObject);
  const binding = { metadata: { name }, spec: { policyName: name, validationActions: ['Deny'] } };
  await kube.create(BINDING, binding);
  return async () => {
    await kube.remove(BINDING, { namespace: null, name });
    await kube.remove(POLICY, { namespace: null, name });
  };
}
