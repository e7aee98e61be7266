// Which copies may be removed now, and on what grounds. The last healthy copy always stays. Pure.
import type { Grounds } from '../../types/removals.ts';
import type { State } from '../state.ts';
import type { Copy } from '../../types/copy.ts';
import { hasAnswered, isAskedInVain, isLed, isStillLedTo } from '../facts/dns.ts';
import { isHeldBack, isKnownBad, isReliable, isStanding } from '../facts/copies.ts';

/** How long, in milliseconds, an agent's report may be the ground of a removal. */
const LIFE_MS = 60_000;
/**
 * A report older than this many milliseconds is renewed before a removal begins, so that the removal has
 * time.
 */
const FRESH_MS = 30_000;
export type RemovalStep =
  | { readonly do: 'remove'; readonly clusters: readonly string[] }
  | { readonly do: 'report'; readonly cluster: string };

/**
 * Null while no copy may be removed. Where the report that a removal rests on is old, its agent is asked
 * first.
 */
export function removalStep(state: State, now: number): RemovalStep | null {
  const clusters = removable(state, now);
  if (clusters.length === 0) return null;
  const stale = clusters
    .map((cluster) => witnessOf(state, cluster))
    .find((witness) => witness !== null && !isFresh(state, witness, now));
  return stale === undefined || stale === null
    ? { do: 'remove', clusters }
    : { do: 'report', cluster: stale };
}

/**
 * Copies to remove. An unwanted copy may go when the serving one is healthy, or when its own agent reports
 * that nothing of it serves and another work exists. None may go while the Capp is paused. With `Recreate`,
 * the user has asked for the old copy to go first.
 */
export function removable(state: State, now: number): string[] {
  if (state.paused) return [];
  const unwanted = Object.entries(state.copies).filter(
    ([, copy]) => !copy.wanted && now >= (copy.failedRemoval?.until ?? 0),
  );
  const recreated = unwanted.filter(([cluster]) => isRecreated(state, cluster));
  const chosen =
    recreated.length > 0 ? recreated : unwanted.filter(([cluster, copy]) => mayGo(state, cluster, copy, now));
  return chosen.map(([cluster]) => cluster).toSorted();
}

function mayGo(state: State, cluster: string, copy: Copy, now: number): boolean {
  if (cluster === state.serving || isStillLedTo(state, cluster, copy, now)) return false;
  return isSafe(state) || (isKnownBad(state, cluster, copy) && isStanding(state));
}

function isSafe(state: State): boolean {
  const { move, serving } = state;
  return isReliable(state) && (move === null || serving !== move.to || move.confirmation === 'Given');
}

function isRecreated(state: State, cluster: string): boolean {
  const { move } = state;
  return move?.strategy === 'Recreate' && cluster === move.from && !isHeldBack(state);
}

/**
 * The copy whose agent's report a removal rests on: the copy that stays, or the bad one itself. Null: the
 * removal rests on `Recreate`, which the user set.
 */
function witnessOf(state: State, cluster: string): string | null {
  if (isRecreated(state, cluster)) return null;
  return isSafe(state) ? state.serving : cluster;
}

/**
 * Of copies that may be removed, one to which users may still be led although it did not serve by its
 * agent's last report: if that is old, the copy may serve again, and its agent is asked first. Null: none. An
 * agent that was silent a moment ago has no answer; one that was silent long ago may be back with its site
 * (`asksSilent`: unless an earlier build began the run). One answer is enough, or one silence, however old it
 * is by now: otherwise two agents that take longer than a report is fresh would be asked in turn for ever.
 */
export function toBeAskedFirst(
  state: State,
  clusters: readonly string[],
  { now, asksSilent }: { readonly now: number; readonly asksSilent: boolean },
): string | null {
  if (isLed(state, now)) return null;
  const isDoubtful = (cluster: string): boolean => {
    const copy = state.copies[cluster];
    if (copy === undefined || hasAnswered(copy) || isAskedInVain(copy)) return false;
    const { stamp, silentSince, absentSince } = copy;
    const isHeard = silentSince === null || (asksSilent && now >= silentSince + LIFE_MS);
    const mayAnswer = stamp !== null && isHeard && !state.unreachable.includes(cluster);
    const isOld = absentSince === null && !isFresh(state, cluster, now);
    return mayAnswer && isOld && !isRecreated(state, cluster);
  };
  return clusters.find(isDoubtful) ?? null;
}

function isFresh({ copies }: State, cluster: string, now: number): boolean {
  return now < (copies[cluster]?.heardAt ?? 0) + FRESH_MS;
}

/** The grounds of the removal. The activity checks them once more. */
export function groundsOf(state: State, clusters: readonly string[], now: number): Grounds {
  const { serving, copies, move } = state;
  const of = stampsOf(state, clusters);
  if (clusters.every((cluster) => isRecreated(state, cluster)))
    return { staying: null, of, ...(move === null ? {} : { to: move.to }), until: now + LIFE_MS };
  const heardAt = clusters.map((cluster) => copies[witnessOf(state, cluster) ?? '']?.heardAt ?? 0);
  const stamp = serving === null ? null : (copies[serving]?.stamp ?? null);
  const staying = { cluster: serving ?? '', stamp: stamp ?? '' };
  return { staying, of, until: Math.min(...heardAt) + LIFE_MS };
}

function stampsOf({ copies }: State, clusters: readonly string[]): NonNullable<Grounds['of']> {
  return Object.fromEntries(
    clusters.flatMap((cluster) => {
      const stamp = copies[cluster]?.stamp ?? null;
      return stamp === null ? [] : [[cluster, stamp]];
    }),
  );
}

/** When a removal that failed is tried again; null if there is none. */
export function retryOfRemoval({ copies, paused }: State, now: number): number | null {
  const times = Object.values(copies).flatMap(({ wanted, failedRemoval }) =>
    wanted || failedRemoval === undefined ? [] : [failedRemoval.until],
  );
  const ahead = paused ? [] : times.filter((until) => until > now);
  return ahead.length === 0 ? null : Math.min(...ahead);
}
