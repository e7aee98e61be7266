// OCM's accounts on sites: managed-serviceaccount makes a ServiceAccount there, and puts its token into a
// Secret of the site's namespace on the hub, under the same name.

export const MANAGED_SERVICE_ACCOUNT = {
  apiVersion: 'authentication.open-cluster-management.io/v1beta1',
  kind: 'ManagedServiceAccount',
  plural: 'managedserviceaccounts',
  namespaced: true,
} as const;

/** Is `true` on the Secrets that it makes, and on the ServiceAccounts of sites. */
export const OF_MANAGED_ACCOUNT = 'authentication.open-cluster-management.io/is-managed-serviceaccount';
