// Whether a site's score must be written again. Every write wakes OCM's scheduler and may change decisions.
// Pure.
import type { Figure, MeasuredSite } from '../measured.ts';

/** The content of an AddOnPlacementScore. */
export interface PublishedScore {
  readonly figures: readonly Figure[];
  /** Milliseconds since the epoch; null for a score that never expires. */
  readonly validUntil: number | null;
}

/** A figure that changed by less than this, of a range of 200, is not written again. */
export const THRESHOLD = 5;
/** Figures are valid for this many intervals after they were written, … */
const VALID = 5;
/** … and written again when fewer than these are left. */
const RENEW = 2;

const ENDS: ReadonlySet<number> = new Set([-100, 100]);

/**
 * Takes the present score (null: none) and the figures measured (null: the agent is silent). Returns null if
 * nothing is to be written.
 */
export function revise(
  published: PublishedScore | null,
  measured: MeasuredSite | null,
  { now, intervalMs }: { readonly now: number; readonly intervalMs: number },
): PublishedScore | null {
  if (measured === null)
    return published !== null && isSpent(published, now) ? { ...published, figures: [] } : null;
  const next = { figures: measured.figures, validUntil: now + VALID * intervalMs };
  if (published === null || (published.validUntil ?? 0) < now + RENEW * intervalMs) return next;
  return differs(published.figures, measured.figures) ? next : null;
}

/** The score has expired, and OCM does not notice that until something is written. */
function isSpent({ figures, validUntil }: PublishedScore, now: number): boolean {
  return figures.length > 0 && validUntil !== null && validUntil <= now;
}

function differs(before: readonly Figure[], after: readonly Figure[]): boolean {
  const stood = new Map(before.map(({ name, value }) => [name, value]));
  return stood.size !== after.length || after.some(({ name, value }) => isNews(stood.get(name), value));
}

/**
 * A step to either end is always written: a full site should show it. A step away from an end must be a whole
 * one, so that nothing flutters.
 */
function isNews(before: number | undefined, after: number): boolean {
  if (before === undefined) return true;
  return Math.abs(after - before) >= THRESHOLD || (before !== after && ENDS.has(after));
}
