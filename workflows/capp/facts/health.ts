// Whether a Capp that leaves its site when it is unhealthy has been so for long enough. Pure.
import type { Copy, Finding } from '../../types/copy.ts';
import type { Healing, Illness } from '../../types/health.ts';
import type { State } from '../state.ts';
import { servingCopy } from './copies.ts';

/**
 * However often it restarts, it is unhealthy for so long before it leaves, in milliseconds: by then the hub
 * knows of others that turned unhealthy with it.
 */
const LEAST_MS = 60_000;

/** Reports of an agent that could not see how the app is. */
const UNSEEN: ReadonlySet<string> = new Set(['NotObserved', 'NoSiteOperator', 'SiteUnreachable']);

/** The report says how the app is, and not only that nobody could see it. */
export function isSeen({ reason }: Finding): boolean {
  return !UNSEEN.has(reason);
}

/**
 * From when on a report that the Capp is still not Ready makes it leave, in milliseconds since the epoch;
 * null while nothing does. Silence is no ill health, a generation that is not there is another one, and a
 * copy that was never Ready at this stamp has no `illSince`.
 */
export function illFrom(state: State): number | null {
  const copy = servingCopy(state);
  const since = copy?.health?.illSince ?? null;
  if (state.unhealthyMs === undefined || copy === null || since === null) return null;
  if (!isFree(state) || !isSaidIll(state, copy)) return null;
  return since + (isWorn(state, copy) ? Math.min(LEAST_MS, state.unhealthyMs) : state.unhealthyMs);
}

/** Its containers have restarted as often as it bears, in this trouble. */
function isWorn({ unhealthyRestarts }: State, { health }: Copy): boolean {
  return unhealthyRestarts !== undefined && (health?.restarts?.since ?? 0) >= unhealthyRestarts;
}

/**
 * When restarts are counted next, in milliseconds since the epoch: after a minute, and then later and later.
 * Null where they decide nothing.
 */
export function countAt(state: State): number | null {
  const from = illFrom(state);
  const copy = servingCopy(state);
  const since = copy?.health?.illSince ?? null;
  if (from === null || copy === null || since === null || state.unhealthyRestarts === undefined) return null;
  let after = LEAST_MS;
  while (since + after <= copy.heardAt) after *= 2;
  return since + after < from ? since + after : null;
}

/** Nothing else is to be done about it first. */
function isFree({ paused, retiring, move, refused, serving, unreachable }: State): boolean {
  const isLost = serving !== null && unreachable.includes(serving);
  return !paused && !retiring && move === null && refused === null && !isLost;
}

/** By the last report, on the present generation. */
function isSaidIll({ generation }: State, copy: Copy): boolean {
  const { finding, absentSince, silentSince } = copy;
  if (finding === null || absentSince !== null || silentSince !== null) return false;
  return copy.generation === generation && finding.verdict !== 'Ready' && isSeen(finding);
}

/** A report says so that is no older than that. */
export function isIll(state: State): boolean {
  const from = illFrom(state);
  return from !== null && (servingCopy(state)?.heardAt ?? 0) >= from;
}

/** Since when it is unhealthy in the trouble in which it is; null if it is not, or nobody knows. */
export function turnedIllAt(state: State): number | null {
  const { illSince = null, turnedAt } = servingCopy(state)?.health ?? {};
  return illSince === null ? null : (turnedAt ?? illSince);
}

/** What a review is told; null if the Capp is not unhealthy for too long. */
export function illnessOf(state: State): Illness | null {
  const copy = servingCopy(state);
  const { illSince: since = null, turnedAt } = copy?.health ?? {};
  if (!isIll(state) || copy === null || since === null) return null;
  const healing = healingOf(state);
  return {
    since,
    ...(turnedAt === undefined ? {} : { turnedAt }),
    generation: state.generation,
    says: isWorn(state, copy) ? `${wordsOf(copy)} ${wornWords(state)}` : wordsOf(copy),
    ...(healing === null ? {} : { healing }),
  };
}

/** Without their number, which changes with each. */
function wornWords({ unhealthyRestarts }: State): string {
  return `Its containers have restarted since, as often as spec.migration.unhealthy.restarts (${unhealthyRestarts}) bears or more.`;
}

/** What was tried with the present generation; an edit is a person's answer to what was tried before. */
export function healingOf({ healing, generation }: State): Healing | null {
  return healing?.generation === generation ? healing : null;
}

/** What the site says of a copy. */
export function wordsOf(copy: Pick<Copy, 'finding'> | undefined): string {
  const finding = copy?.finding ?? null;
  return finding === null ? 'nothing was heard of it.' : `${finding.reason}: ${finding.message}`;
}
