// Which of several Capps gets a hostname that was admitted for all of them at the same moment. Pure.

/** A Capp that asks for the hostname. */
export interface Claimant {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** RFC 3339, whole seconds. */
  readonly createdAt: string;
}

/**
 * The oldest Capp; of those created in one second the one with the least uid, so that every process decides
 * alike. Null: no Capp asks.
 */
export function ownerOf(claimants: readonly Claimant[]): Claimant | null {
  return (
    claimants.toSorted(
      (a, b) => compare(Date.parse(a.createdAt), Date.parse(b.createdAt)) || compare(a.uid, b.uid),
    )[0] ?? null
  );
}

function compare<T>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
