// Namespaces in which no Capp runs. A Capp's namespace has the same name on its sites, and in these a
// cluster's own components run, with rights that a tenant of the hub must not get.

/**
 * Of Kubernetes, OpenShift, OCM, Knative, cert-manager, Crossplane, Istio, the Go operators and
 * ourselves. A `*` at the end stands for any ending. Argo CD's own is free: its generator reads the Capps
 * there (docs/argo.md).
 */
export const RESERVED_NAMESPACES: readonly string[] = [
  'kube-*',
  'openshift',
  'openshift-*',
  'open-cluster-management*',
  'knative-*',
  'kourier-system',
  'cert-manager*',
  'container-app-operator*',
  'capp-operator-system',
  'nfspvc-operator-system',
  'crossplane-system',
  'istio-system',
  'cappstan*',
];

/** `more` are an operator's own, spelled in the same way. */
export function isReservedNamespace(namespace: string, more: readonly string[] = []): boolean {
  return [...RESERVED_NAMESPACES, ...more].some((name) =>
    name.endsWith('*') ? namespace.startsWith(name.slice(0, -1)) : namespace === name,
  );
}

/** The message to users. */
export function reservedMessage(namespace: string): string {
  return `Namespace ${namespace} is reserved for the clusters' own components: create the Capp in another namespace`;
}
