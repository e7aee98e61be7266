// Labels and annotations of hosts, of sites that are made of them, and of what is made beside a SIPCluster.
import { GROUP } from '../labels.ts';

/**
 * Annotation on a BareMetalHost: the uid of the SIPCluster for which we have reserved it. Whose it is SIP's
 * labels say; this says that we wrote them.
 */
export const RESERVED_FOR = `${GROUP}/reserved-for`;

/**
 * Annotation on a BareMetalHost, on the Secret with its user data and on the Drain of a site that goes: the
 * uid of the SIPCluster for which we have written them. Only such a host is wiped.
 */
export const PROVISIONED_FOR = `${GROUP}/provisioned-for`;
/** Annotation on the same host and Secret: the id of the token in the user data, where there is one. */
export const JOINS_BY = `${GROUP}/joins-by`;
/** Annotation on the same host: it was off, and is switched off when it is given back. */
export const WAS_OFF = `${GROUP}/was-off`;
/** Annotation on a ManagedCluster: the uid of the SIPCluster whose site it is. */
export const SITE_OF = `${GROUP}/site-of`;
/** Annotation on the same: `namespace/name` of that SIPCluster. A hint, for the bridge. */
export const SITE_OF_NAME = `${GROUP}/site-of-name`;
/** Annotation on the same: the keys of the labels that it has by that SIPCluster, between commas. */
export const SITE_LABELS = `${GROUP}/site-labels`;
/**
 * Annotation on a SIPCluster: its own uid, once its site has come. It outlives the ManagedCluster, so that
 * nodes of a site are not taken for hosts from which nobody ever came.
 */
export const SITE_CAME = `${GROUP}/site-came`;
/**
 * Annotation on the same, beside that: the short ids of other hubs of its site, between commas. They are
 * read from the claims of the ManagedCluster, and outlive it.
 */
export const SITE_HUBS = `${GROUP}/site-hubs`;
/**
 * Annotation on a SIPCluster: a person lets hosts be wiped that may run Capps, `namespace/name` of each host
 * between commas, or the site's name for all of it. A host's name goes when it was heard.
 */
export const ALLOW_WIPE = `${GROUP}/allow-wipe`;
/**
 * Annotation on a SIPCluster: hosts, `namespace/name` between commas, that a person gives back as they are:
 * nobody waits until they are wiped.
 */
export const ABANDON_HOSTS = `${GROUP}/abandon-hosts`;

/** On what is made beside a SIPCluster. */
export const MANAGED_BY_SIP = 'sip';
/** Label on the same: the name of the SIPCluster, which is in the same namespace. */
export const SIP_CLUSTER_NAME = `${GROUP}/sip-cluster`;
/** Annotation on a Pod template: what its containers read when they start. Another one starts them again. */
export const SERVICE_CONTENT = `${GROUP}/content`;
