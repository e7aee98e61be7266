// The names by which the reader is asked, and by which its rights on sites are found.
import type { Key } from '../kube/resource.ts';

/** The API group that the reader serves beside the hub's own (docs/decisions/0105). */
export const REACH_GROUP = 'reach.rcs.dana.io';
export const REACH_VERSION = 'v1alpha1';
/** The APIService by which the hub's API server finds the reader. */
export const REACH_SERVICE = `${REACH_VERSION}.${REACH_GROUP}`;

/** What is asked of a Capp: the subresource that people need the right to `get`. */
export const PARTS = ['log', 'pods'] as const;
export type Part = (typeof PARTS)[number];

/**
 * The ManagedServiceAccount of a site, the Secret that managed-serviceaccount makes of it in the site's
 * namespace on the hub, and the ServiceAccount on the site.
 */
export const READER_ACCOUNT = 'cappstan-reader';
/** The Secret with the reader's own certificate. */
export const READER_CERTIFICATE = 'cappstan-reader-certificate';

/**
 * Names of namespaces, Capps, sites and Pods, and of containers: nothing that could leave its place in a path
 * or a line.
 */
export const NAME = /^(?=.{1,253}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
export const CONTAINER_NAME = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** The path of a question about a Capp, without its query. */
export function pathTo({ namespace, name }: Key, part: Part): string {
  const place = `namespaces/${encodeURIComponent(namespace ?? '')}`;
  return `/apis/${REACH_GROUP}/${REACH_VERSION}/${place}/capps/${encodeURIComponent(name)}/${part}`;
}
