// How OCM names a cluster's agents and add-ons on the hub, and whoever joins one (ocm:
// pkg/registration/spoke/registration, clusteradm: pkg/cmd/init).

/** Prefixes of user names. The chart's policy has the same ones. */
export const CLUSTER_IDENTITIES: readonly string[] = [
  'system:open-cluster-management:',
  'system:bootstrap:',
  'system:serviceaccount:open-cluster-management:agent-registration-bootstrap',
];
