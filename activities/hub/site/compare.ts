// Compares an agent's inventory with what the hub last published, and lists the Capps that differ.
import type { Capp } from '../../../crds/capp/capp.ts';
import { isSaidMissing, isSaidSilent } from '../../../crds/capp/status.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import { orderOf, type Inventory, type InventoryEntry } from '../../../workflows/types/ring.ts';
import type { HubCaches } from '../caches.ts';
import { namedWorks, recordedSite } from '../claim.ts';

/**
 * A Capp that the hub does not know, or has placed elsewhere, is not this site's: its work is being deleted
 * or gone.
 */
export function hubCompare(caches: Pick<HubCaches, 'capps' | 'works'>): Pick<Hub, 'compare'> {
  return {
    compare: async (cluster, inventory) => {
      const differing = inventory.entries.filter((entry) => isOther(caches, cluster, entry));
      const strays = inventory.entries.filter((entry) => isStray(caches, cluster, entry));
      return {
        differing: [...differing.map(nameOf), ...missing(caches, cluster, inventory)],
        ...(strays.length === 0 ? {} : { strays }),
      };
    },
  };
}

/** If the status reports a silent agent, an inventory from it is news. */
function isOther(
  { capps }: Pick<HubCaches, 'capps'>,
  cluster: string,
  { namespace, name, uid, statusHash }: InventoryEntry,
): boolean {
  const capp = capps.get({ namespace, name });
  if (capp === undefined || !isSaidOf(uid, capp) || capp.status?.applicationLinks?.site !== cluster)
    return false;
  return (
    capp.status.migration?.statusHash !== statusHash ||
    isSaidSilent(capp.status) ||
    isSaidMissing(capp.status)
  );
}

/**
 * A copy of one of our Capps without a work, on another site than the Capp's. Only its uid proves that it is
 * ours: a Capp with a uid that the hub does not know may be another hub's, or from before this hub was
 * restored.
 */
function isStray(
  caches: Pick<HubCaches, 'capps' | 'works'>,
  cluster: string,
  { namespace, name, uid }: InventoryEntry,
): boolean {
  const capp = caches.capps.get({ namespace, name });
  if (capp === undefined || uid === '' || capp.metadata.uid !== uid || recordedSite(capp) === cluster)
    return false;
  return namedWorks(caches, { namespace, name }).every(({ metadata }) => metadata.namespace !== cluster);
}

/** A copy without a stamp has no uid: another operator has shipped it, and it is known by its name. */
function isSaidOf(uid: string, { metadata }: Capp): boolean {
  return uid === '' || uid === metadata.uid;
}

/**
 * Copies that the site had before and does not report any more. A copy that was never seen there is left to
 * its rollout.
 */
function missing(
  { capps }: Pick<HubCaches, 'capps'>,
  cluster: string,
  { entries, after, upTo }: Inventory,
): Name[] {
  const there = new Set(entries.map((entry) => `${orderOf(entry)}/${entry.uid}`));
  return capps
    .by('site', cluster)
    .filter(
      ({ metadata, status }) =>
        metadata.deletionTimestamp === undefined && status?.migration?.statusHash !== undefined,
    )
    .filter(({ metadata: { namespace = '', name, uid = '' } }) => {
      const place = orderOf({ namespace, name });
      const isWithin = (after === null || place > after) && (upTo === null || place <= upTo);
      return isWithin && !there.has(`${place}/${uid}`) && !there.has(`${place}/`);
    })
    .map(({ metadata: { namespace = '', name } }) => ({ namespace, name }));
}

interface Name {
  readonly namespace: string;
  readonly name: string;
}

function nameOf({ namespace, name }: Name): Name {
  return { namespace, name };
}
