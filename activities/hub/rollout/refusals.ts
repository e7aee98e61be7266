// What a rollout remembers of copies that could not be written: a marker for each site, and when the same is
// tried once more. Pure.
import { ApiError } from '../../../kube/failure.ts';
import type { RefusedCopy } from '../../../workflows/stages/memory.ts';
import { HUB_TIMES } from '../times.ts';

/** More than a status names. Of the other sites only the reason is remembered. */
const MOST_MESSAGES = 100;
/** As many as the workflow reads of its input (`readMemory`). */
const MOST_MARKERS = 5_000;

type Markers = Readonly<Record<string, RefusedCopy>>;

/**
 * What the API server and admission webhooks refuse a copy with: another try of the same gets the same
 * answer.
 */
const REJECTED: ReadonlySet<number> = new Set([400, 403, 413, 422]);

export function isRejected(error: unknown): error is ApiError {
  return error instanceof ApiError && REJECTED.has(error.code);
}

/** In brackets which fields are wrong, or else who refuses; empty where the API server names neither. */
export function rejectedBy({ fields, by }: ApiError): string {
  const named = fields.length === 0 && by !== null ? [by] : fields.slice(0, 5);
  return named.length === 0 ? '' : ` (${named.join(', ')})`;
}

/** What is tried again has its deadline, like a copy that was written. */
export function verdictOn({ retryAt }: Pick<RefusedCopy, 'retryAt'>): 'Failed' | 'Progressing' {
  return retryAt === undefined ? 'Failed' : 'Progressing';
}

/** A site without a marker is written in each turn, so none is forgotten while it is selected. */
export function markersOf(
  refused: ReadonlyMap<string, RefusedCopy>,
  isSelected: (cluster: string) => boolean,
): Markers {
  const kept = [...refused].filter(([cluster]) => isSelected(cluster)).slice(-MOST_MARKERS);
  const named = kept.map(([cluster]) => cluster).toSorted();
  const spoken = new Set(named.slice(0, MOST_MESSAGES));
  return Object.fromEntries(
    kept.map(([cluster, one]) => [cluster, spoken.has(cluster) ? one : { ...one, message: '' }]),
  );
}

/** What is tried again by itself waits as long as it has failed already, within bounds. */
export function unwritten(
  { reason, message }: Pick<RefusedCopy, 'reason' | 'message'>,
  copy: Pick<RefusedCopy, 'revision' | 'generation' | 'asked'>,
  before: RefusedCopy | undefined,
  now: number,
): RefusedCopy {
  const isAgain =
    before?.retryAt !== undefined && before.revision === copy.revision && isSameAsked(before, copy);
  const at = isAgain ? before.at : now;
  const wait = Math.max(HUB_TIMES.unwrittenFirst.ms, Math.min(now - at, HUB_TIMES.unwrittenLongest.ms));
  return { ...copy, reason, message, at, retryAt: now + wait };
}

function isSameAsked(one: Pick<RefusedCopy, 'asked'>, other: Pick<RefusedCopy, 'asked'>): boolean {
  return one.asked?.round === other.asked?.round && one.asked?.checks === other.asked?.checks;
}

/** Why the hub has not written a copy this time, without its words, which may quote the copy. */
export function whyUnwritten(what: string, error: ApiError): string {
  const { code, reason } = error;
  const again = 'It is tried again until the deadline of the strategy.';
  if (isRejected(error))
    return `The hub's API server refuses to write ${what}${rejectedBy(error)}: ${code} ${reason}. Correct what refuses it, such as a policy, a quota or a missing right. ${again}`;
  const answer = code === 0 ? reason : `${code} ${reason}`;
  const why =
    code === 409
      ? 'somebody else was writing it'
      : 'it has too much to do, or one of its webhooks does not answer';
  return `The hub's API server could not write ${what} just now (${answer}): ${why}. ${again}`;
}

/** Those that keep their sites from being written now: the others are due to be tried once more. */
export function standingAt(refused: Markers, deadlineSeconds: number, now: number): Markers {
  const standing = Object.entries(refused).filter(([, one]) => !isRetriedNow(one, deadlineSeconds, now));
  return Object.fromEntries(standing);
}

/** When the deadline is over, only a person's retry or another copy helps. */
function isRetriedNow({ at, retryAt }: RefusedCopy, deadlineSeconds: number, now: number): boolean {
  return retryAt !== undefined && now >= retryAt && now < at + deadlineSeconds * 1_000;
}

/**
 * At most `most` of the sites, which are told in this turn: first those that have not failed, then those
 * whose retry is due earliest. So sites that always fail keep no other site from its turn.
 */
export function tellable<A extends { readonly cluster: string }>(
  asks: readonly A[],
  { refused, most }: { readonly refused: Markers; readonly most: number },
): readonly A[] {
  const due = ({ cluster }: A): number => refused[cluster]?.retryAt ?? 0;
  return asks.toSorted((one, other) => due(one) - due(other)).slice(0, most);
}

/** When the next of them is tried again, in milliseconds since the epoch; null if none is. */
export function retriedAt(refused: Markers, now: number): number | null {
  const times = Object.values(refused).flatMap(({ retryAt = 0 }) => (retryAt > now ? [retryAt] : []));
  return times.length === 0 ? null : times.reduce((one, other) => Math.min(one, other));
}
