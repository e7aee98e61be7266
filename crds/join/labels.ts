// Annotations of clusters that join, and of their tokens.
import { GROUP } from '../labels.ts';

/** Annotations on the Secret of a join token: the cluster that it is for, and its ManagedCluster's uid. */
export const FOR_CLUSTER = `${GROUP}/for-cluster`;
export const FOR_UID = `${GROUP}/for-uid`;
/** Annotation on the Secret of a join token, and on the ManagedCluster that it is for: when it ends. */
export const TOKEN_ENDS_AT = `${GROUP}/token-ends-at`;
/** Annotation on a ManagedCluster: the id of the token that was made for it. A hint. */
export const JOIN_TOKEN = `${GROUP}/join-token`;
/** Annotation on a ManagedCluster: the uid of the ClusterJoin that has made it. */
export const JOIN_OF = `${GROUP}/join-of`;
/**
 * Annotation on the Secret of a join token: `namespace/name/uid` of the ClusterJoin for which it was made. It
 * opens nothing once that is being deleted.
 */
export const FOR_JOIN = `${GROUP}/for-join`;
/**
 * Annotation on a ManagedCluster: `<uid of the token's Secret>/<name of the request>/<uid of the request>`,
 * the one request that this token has paid for. `paidBy` does not rest on it alone.
 */
export const JOINED_BY = `${GROUP}/joined-by`;
/**
 * Annotation on the Secret of a join token, and on a SIPCluster: `true` lets its cluster have a name although
 * an agent of a former one may still have a certificate.
 */
export const REUSE_NAME = `${GROUP}/reuse-name`;
/**
 * Annotations on the record of a cluster's name: the uid of the ManagedCluster that was accepted last, for
 * how many seconds its certificates are valid at most, and, when it is gone, when the last of them has ended.
 */
export const CLUSTER_UID = `${GROUP}/cluster-uid`;
export const CERTIFICATE_SECONDS = `${GROUP}/certificate-seconds`;
export const CERTIFICATES_END_AT = `${GROUP}/certificates-end-at`;
