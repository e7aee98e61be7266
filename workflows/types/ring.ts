// The payloads of rings and audits: why somebody rang, and how new a read must be to answer.

/**
 * Why a workflow should look again. Sorted by how often it happens in a rollout. `work` is about a work that
 * the Capp needs, `gone` says that a site has cleaned up after one that it no longer needs, `stray` that
 * there is one where nothing says that the Capp is.
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

/** Kinds that a ring may name a version of: those of which a hub worker has a cache that answers it. */
export const MARKED_KINDS = [
  'Capp',
  'RCSConfig',
  'Placement',
  'PlacementDecision',
  'ManagedCluster',
  'ManifestWork',
  'ServiceAccount',
  'RoleBinding',
] as const;

/**
 * A ring says that something changed and nothing of what it became. `minimumVersions` names, by kind, the
 * newest resourceVersion that rang: a cache that lags behind it is not taken for an answer.
 */
export interface Ring {
  readonly causes: readonly Cause[];
  readonly minimumVersions: Readonly<Record<string, string>>;
  /**
   * By cluster, when an agent that is silent was last heard of, in milliseconds since the epoch: for people,
   * and no answer.
   */
  readonly seen?: Readonly<Record<string, number>>;
  /**
   * Somebody else has written over what the workflow told users: it tells them again, though nothing has
   * changed.
   */
  readonly tellAgain?: true;
}

/**
 * One Capp as an agent has it: which object of the hub it came from, by which stamp, and the hash of what was
 * last seen of it.
 */
export interface AuditEntry {
  readonly namespace: string;
  readonly name: string;
  /** Empty if the Capp bears no stamp, since another operator has shipped it. */
  readonly uid: string;
  /**
   * As the site's Capp bears it: `<uid>/<hub generation>/<manifest hash>/<incarnation>`; empty if it bears
   * none.
   */
  readonly stamp: string;
  readonly statusHash: string;
}

/**
 * A stretch of what an agent has, in the order of `orderOf`: every Capp with a stamp that comes after
 * `after`, up to and including `upTo`. Null is no bound. So what is not in it and lies within is not on the
 * site, and each stretch can be read without the others.
 */
export interface Audit {
  readonly entries: readonly AuditEntry[];
  readonly after: string | null;
  readonly upTo: string | null;
}

/** Where a Capp stands among those of an audit. Compared with `<`, as both sides do. */
export function orderOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** What an audit comes to: Capps to look at, and copies that no work explains. */
export interface Compared {
  readonly differing: readonly { readonly namespace: string; readonly name: string }[];
  readonly strays?: readonly AuditEntry[];
}

/** The same audit in stretches of so many entries at most; one at least. Sorts. */
export function stretches({ entries, after, upTo }: Audit, most: number): Audit[] {
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

/** A ring that asks for no version, such as a workflow gives itself. */
export function rungFor(cause: Cause): Ring {
  return { causes: [cause], minimumVersions: {} };
}

/** For each kind the newer mark of both. */
export function newest(a: Ring['minimumVersions'], b: Ring['minimumVersions']): Ring['minimumVersions'] {
  const added = Object.entries(b).map(
    ([kind, version]) => [kind, newer(a[kind] ?? version, version)] as const,
  );
  return { ...a, ...Object.fromEntries(added) };
}

/**
 * The minimum versions that a choice leaves unanswered whose caches were as new as `read`. Only a choice
 * answers them: what an apply reads live says nothing of what a cache has.
 */
export function unread(
  minimumVersions: Ring['minimumVersions'],
  read: Ring['minimumVersions'],
): Ring['minimumVersions'] {
  return Object.fromEntries(Object.entries(minimumVersions).filter(([kind, mark]) => read[kind] !== mark));
}

/** resourceVersions compare as decimal numbers of any length, as Kubernetes promises since 1.35. */
function newer(a: string, b: string): string {
  if (a.length !== b.length) return a.length > b.length ? a : b;
  return a > b ? a : b;
}
