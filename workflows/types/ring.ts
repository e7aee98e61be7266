// The payloads of rings and inventories: why somebody rang, and how new a read must be to answer.

/**
 * Why a workflow should look again, sorted by frequency in a rollout. `work`: a work that the Capp needs has
 * changed. `gone`: a site has cleaned up after a work that the Capp no longer needs. `stray`: there is a work
 * that the Capp's status does not account for.
 */
export const CAUSES = [
  'spec',
  'meta',
  'decision',
  'dependency',
  'work',
  'gone',
  'stray',
  'site',
  'request',
  'resync',
] as const;
export type Cause = (typeof CAUSES)[number];

/**
 * Kinds that a ring may name a version of: those of which a hub worker has a cache that answers it. What a
 * ring says of others is dropped.
 */
export const MARKED_KINDS = [
  'Capp',
  'RCSConfig',
  'Placement',
  'PlacementDecision',
  'ManagedCluster',
  'ManagedClusterSet',
  'ManagedClusterSetBinding',
  'Drain',
  'ManifestWork',
  'ServiceAccount',
  'RoleBinding',
] as const;
export type MarkedKind = (typeof MARKED_KINDS)[number];

/**
 * A ring names what changed, and not how. `minimumVersions` has, by kind, the newest resourceVersion that
 * rang: a cache that is older does not answer the ring.
 */
export interface Ring {
  readonly causes: readonly Cause[];
  readonly minimumVersions: Readonly<Record<string, string>>;
  /**
   * By cluster, when a silent agent last polled, in milliseconds since the epoch. It is for people, and
   * answers nothing.
   */
  readonly seen?: Readonly<Record<string, number>>;
  /**
   * Somebody else has overwritten the status: the workflow publishes it again, though nothing has changed.
   */
  readonly tellAgain?: true;
}

/** One Capp in an inventory: the hub object it came from, its stamp, and the hash of its status. */
export interface InventoryEntry {
  readonly namespace: string;
  readonly name: string;
  /** Empty if the Capp has no stamp, since another operator has shipped it. */
  readonly uid: string;
  /**
   * The stamp of the site's Capp: `<uid>/<hub generation>/<manifest hash>/<incarnation>`; empty if it has
   * none.
   */
  readonly stamp: string;
  readonly statusHash: string;
}

/**
 * A stretch of an inventory, in the order of `orderOf`: every Capp with a stamp that comes after `after`, up
 * to and including `upTo`. Null is no bound. A Capp within the bounds that is not listed is not on the site,
 * so each stretch can be compared without the others.
 */
export interface Inventory {
  readonly entries: readonly InventoryEntry[];
  readonly after: string | null;
  readonly upTo: string | null;
}

/** The sort key of a Capp in an inventory. Both sides compare it with `<`. */
export function orderOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** The outcome of an inventory: Capps to look at, and copies without a work. */
export interface Compared {
  readonly differing: readonly { readonly namespace: string; readonly name: string }[];
  readonly strays?: readonly InventoryEntry[];
}

/** Splits an inventory into stretches of at most so many entries; at least one. Sorts. */
export function stretches({ entries, after, upTo }: Inventory, most: number): Inventory[] {
  const sorted = entries.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const count = Math.max(1, Math.ceil(sorted.length / most));
  return Array.from({ length: count }, (_, index) => {
    const last = sorted[(index + 1) * most - 1];
    const before = sorted[index * most - 1];
    return {
      entries: sorted.slice(index * most, (index + 1) * most),
      after: before === undefined ? after : orderOf(before),
      upTo: last === undefined || index === count - 1 ? upTo : orderOf(last),
    };
  });
}

/** A ring without minimum versions, such as a workflow gives itself. */
export function rungFor(cause: Cause): Ring {
  return { causes: [cause], minimumVersions: {} };
}

/** The newer version for each kind. */
export function newest(a: Ring['minimumVersions'], b: Ring['minimumVersions']): Ring['minimumVersions'] {
  const added = Object.entries(b).map(
    ([kind, version]) => [kind, newer(a[kind] ?? version, version)] as const,
  );
  return { ...a, ...Object.fromEntries(added) };
}

/**
 * The minimum versions that a choice does not answer, given how new its caches were (`read`). Only a choice
 * answers them: the live reads of an apply tell nothing about caches.
 */
export function unread(
  minimumVersions: Ring['minimumVersions'],
  read: Ring['minimumVersions'],
): Ring['minimumVersions'] {
  return Object.fromEntries(
    Object.entries(minimumVersions).filter(([kind, version]) => read[kind] !== version),
  );
}

/** resourceVersions compare as decimal numbers of any length, as Kubernetes promises since 1.35. */
function newer(a: string, b: string): string {
  if (a.length !== b.length) return a.length > b.length ? a : b;
  return a > b ? a : b;
}
