// In which Namespaces of a site the Capps of a hub may run. A tenant of the hub chooses the name of a
// namespace, so a name alone must not lead into a Namespace that others use on the site.
import type { ObjectMeta } from '../kube/resource.ts';
import { HUB, HUB_CAPPS, HUB_CAPPS_ALLOWED, MANAGED_BY, MANAGED_BY_HUB, ROLLOUT } from './labels.ts';

/** The ConfigMap beside the site operator in which it has recorded, once, where Capps of a hub ran before. */
export const OPEN_NAMESPACES = 'cappstan-namespaces';

/** What is looked at of a Namespace on a site. */
export type SeenNamespace = Pick<ObjectMeta, 'name' | 'uid' | 'labels'>;

/**
 * `recorded` has the uid of each Namespace in which Capps of a hub ran before this was asked. The label of
 * the site's admins decides, whatever else is so.
 */
export function isOpen(
  { name, uid, labels = {} }: SeenNamespace,
  recorded: ReadonlyMap<string, string>,
): boolean {
  const said = labels[HUB_CAPPS];
  if (said !== undefined) return said === HUB_CAPPS_ALLOWED;
  return labels[MANAGED_BY] === MANAGED_BY_HUB || (uid !== undefined && recorded.get(name) === uid);
}

/**
 * A hub's work brought it, so a local user's rights say nothing about it. OCM names the owner after the work;
 * the stamp stays when that owner is gone.
 */
export function isOfHub({ ownerReferences = [], annotations = {} }: ObjectMeta): boolean {
  return annotations[ROLLOUT] !== undefined || ownerReferences.some(isWorkOfCapp);
}

/** Whether an owner is a Capp's work, ours or the Go operator's. */
export function isWorkOfCapp({ kind, name }: { readonly kind: string; readonly name: string }): boolean {
  return kind === 'AppliedManifestWork' && name.includes('-mw-create-');
}

/**
 * What says that a Namespace is closed, and by which command an admin opens it to Capps of `hub`: whose it is
 * then, if the site has several.
 */
export function closedMessage(namespace: string, { site = 'this site', hub = '' } = {}): string {
  return (
    `Namespace ${namespace} of ${site} was not made for Capps of a hub, and may hold what is not theirs. Use another namespace or another site, ` +
    `or have an admin of the site open it there: kubectl label namespace ${namespace} ${HUB_CAPPS}=${HUB_CAPPS_ALLOWED}${hub === '' ? '' : ` ${HUB}=${hub}`}`
  );
}
