// Names of the revisions of CappSets and Bundles: 32 hex digits of a hash, 128 bits. Earlier versions wrote
// the first ten of them for a set, and the first twelve for a Bundle: annotations, statuses and kept
// revisions may still have these.

/** Hex digits: nobody finds two texts with the same ones. */
export const WHOLE = 32;
const SHORT = /^([0-9a-f]{10}|[0-9a-f]{12})$/;
const SHOWN = 10;

/** As an earlier version wrote it. */
export function isShort(revision: string): boolean {
  return SHORT.test(revision);
}

/** A short name says the same as the whole one that it begins. */
export function isSameRevision(one: string, other: string): boolean {
  return one === other || begins(one, other) || begins(other, one);
}

function begins(short: string, whole: string): boolean {
  return whole.length === WHOLE && isShort(short) && whole.startsWith(short);
}

/** As one of those that are known names it, by its whole name if one does; else as it is given. */
export function knownAs(revision: string, known: readonly string[]): string {
  return known.find((one) => begins(revision, one)) ?? known.find((one) => begins(one, revision)) ?? revision;
}

/** What is kept of it, under whichever of its names. */
export function forRevision<T>(kept: ReadonlyMap<string, T>, revision: string): T | undefined {
  return kept.get(revision) ?? [...kept].find(([one]) => isSameRevision(one, revision))?.[1];
}

/** For people: enough to tell one from another at a glance, and not enough to approve it. */
export function shownRevision(revision: string): string {
  return revision.length === WHOLE ? revision.slice(0, SHOWN) : revision;
}
