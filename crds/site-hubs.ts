// The record on a site of the hubs that it has (docs/decisions/0095): `hub` is the id of the first, which
// keeps what is there once; every other key is a work agent of OCM, `<namespace>.<name>` of its
// ServiceAccount, with the id of its hub.
export const HUBS_OF_SITE = {
  namespace: 'open-cluster-management-agent-addon',
  name: 'cappstan-hub',
} as const;
/** The key of the first hub. */
export const FIRST_HUB = 'hub';
