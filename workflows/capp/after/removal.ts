// The state after works were deleted, looked for, or removed together with their Capp. Pure.
import type { Retired } from '../../ports/hub.ts';
import type { WorksFound, RemovedWorks } from '../../types/removals.ts';
import { rungFor } from '../../types/ring.ts';
import type { State } from '../state.ts';
import type { Copy, Leaving } from '../../types/copy.ts';
import { backOff, pauseAfter } from './backoff.ts';
import { leavingSince, unexplained } from './copies.ts';
import { answered, OTHER, withRing, type AskedAt } from './rings.ts';
import { abandoned } from './moving/abandoned.ts';
import { lookingAgain, withCause } from './moving/moved.ts';

/**
 * The first backoff for a work that is not ready to be deleted, in milliseconds; it doubles with each
 * failure.
 */
const PENDING_MS = 1_000;

/**
 * After a removal on `clusters`: what was not deleted is a copy as before, and `leaving` names works whose
 * deletion has begun.
 */
export function afterRemove(
  state: State,
  clusters: readonly string[],
  { leaving, objection, pending = [] }: RemovedWorks,
  asked: AskedAt,
): State {
  if (objection?.reason === 'CappChanged') return abandoned(state, asked.now, 'Cancelled');
  if (objection !== undefined) {
    // The hub's own record is to say what this state says before anything rests on it.
    const told = objection.reason === 'NotServing' ? { ...state, published: OTHER } : state;
    return unconfirmed(withStamps(told, objection.seen ?? {}), clusters, {
      message: objection.message,
      ...asked,
    });
  }
  const gone = clusters.filter((cluster) => !pending.includes(cluster));
  const message = 'its ManifestWork is made ready to go first.';
  return {
    ...state,
    copies: withFailedRemoval(without(state.copies, gone), pending, {
      reason: 'Unconfirmed',
      message,
      now: asked.now,
    }),
    leaving: { ...without(state.leaving, gone), ...leavingSince(state, leaving, asked) },
  };
}

/**
 * What is there was not shipped by what this state knows: the next order is about that, and nothing that was
 * said of the former holds.
 */
function withStamps(state: State, seen: Readonly<Record<string, string | null>>): State {
  const copies = { ...state.copies };
  for (const [cluster, stamp] of Object.entries(seen)) {
    const copy = copies[cluster];
    if (copy === undefined || copy.wanted) continue;
    const { found: _found, ...rest } = copy;
    const known = stamp === null ? { stamp, found: true as const } : { stamp };
    copies[cluster] = { ...rest, ...known, finding: null, heard: false };
  }
  return { ...state, copies };
}

/** A failed removal says nothing about the serving copy, and the old copy stays a copy. */
export function afterRefusal(
  state: State,
  clusters: readonly string[],
  message: string,
  { now }: AskedAt,
): State {
  return { ...state, copies: withFailedRemoval(state.copies, clusters, { reason: 'Refused', message, now }) };
}

/**
 * The grounds of the removal do not hold, or no longer: what was known of the serving copy does not count
 * until it is looked at again.
 */
function unconfirmed(
  state: State,
  clusters: readonly string[],
  { message, now }: AskedAt & { readonly message: string },
): State {
  const copies = withFailedRemoval(state.copies, clusters, { reason: 'Unconfirmed', message, now });
  const serving = copies[state.serving ?? ''];
  const doubted =
    state.serving === null || serving === undefined ? {} : { [state.serving]: { ...serving, heardAt: 0 } };
  const again = lookingAgain(withRing({ ...state, copies: { ...copies, ...doubted } }, rungFor('work')));
  return { ...again, due: withCause(again.due, 'site') };
}

/**
 * What was found of works that were being deleted; null if the search failed. A work that is not being
 * deleted is a copy, because nobody agreed to remove it. With `Recreate`, a copy on an unreachable site was
 * not seen to stop.
 */
export function afterFind(
  state: State,
  clusters: readonly string[],
  found: WorksFound | null,
  asked: AskedAt,
): State {
  if (found === null)
    return { ...state, leaving: { ...state.leaving, ...lookedAgain(state, clusters, asked.ringsHeard) } };
  const { works, lost, given } = found;
  const there = works.filter(({ cluster }) => clusters.includes(cluster));
  const standing = there.filter(({ leaving }) => !leaving).map(({ cluster }) => cluster);
  const going = there.filter(({ leaving }) => leaving).map(({ cluster }) => cluster);
  const unseen = clusters.filter(
    (cluster) =>
      there.every((work) => work.cluster !== cluster) &&
      !given.includes(cluster) &&
      isStopUnseen(state, cluster),
  );
  const leaving = leavingSince(state, [...going, ...unseen], asked);
  const next = {
    ...state,
    copies: { ...unexplained(state, standing), ...state.copies },
    leaving: { ...without(state.leaving, clusters), ...withLoss(leaving, lost, []) },
  };
  return isFreed(state, next) ? lookingAgain(next) : next;
}

/**
 * A Capp that should leave and had no other site may now go to one where an earlier copy has been cleaned up.
 */
function isFreed({ leave, leaving }: State, after: State): boolean {
  return (
    leave !== null &&
    leave.to === null &&
    Object.keys(leaving).some((cluster) => after.leaving[cluster] === undefined)
  );
}

function lookedAgain({ leaving }: State, clusters: readonly string[], ringsHeard: number): State['leaving'] {
  return Object.fromEntries(
    Object.entries(leaving).flatMap(([cluster, one]) =>
      clusters.includes(cluster) ? [[cluster, { ...one, lookedAtRing: ringsHeard }]] : [],
    ),
  );
}

function isStopUnseen({ move, unreachable, leaving }: State, cluster: string): boolean {
  const isAway = unreachable.includes(cluster) || leaving[cluster]?.lost !== undefined;
  return move?.strategy === 'Recreate' && move.from === cluster && isAway && move.request?.force !== true;
}

/**
 * A Capp that lives after all is reviewed again after a backoff: a cache that calls it absent may need a
 * moment. Whoever waits for an Update has heard that the Capp is being deleted, so that request is over.
 */
export function withRetired(state: State, retired: Retired, asked: AskedAt): State {
  if (retired.outcome === 'Alive') {
    const request = state.request?.source === 'update' ? null : state.request;
    const again = lookingAgain(withRing({ ...state, request, retiring: false }, rungFor('spec')));
    return { ...again, backoff: backOff(state.backoff, { now: asked.now, ringsHeard: again.ringsHeard }) };
  }
  if (retired.outcome !== 'Leaving') return state;
  const { lost = {}, givenUp = [], isPending = false } = retired;
  const backoff = isPending
    ? backOff(state.backoff, { now: asked.now, ringsHeard: state.ringsHeard }, PENDING_MS)
    : null;
  return {
    ...state,
    backoff,
    leaving: withLoss(leavingSince(state, retired.clusters, asked), lost, givenUp),
  };
}

function withLoss(
  leaving: State['leaving'],
  lost: WorksFound['lost'],
  kept: readonly string[],
): State['leaving'] {
  const entries = Object.entries(leaving).map(([cluster, one]): [string, Leaving] => {
    const loss = lost[cluster];
    return [
      cluster,
      {
        ...one,
        ...(loss === undefined ? {} : { lost: loss }),
        ...(kept.includes(cluster) ? { givenUp: true } : {}),
      },
    ];
  });
  return Object.fromEntries(entries);
}

function without<T>(byCluster: Readonly<Record<string, T>>, clusters: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(byCluster).filter(([name]) => !clusters.includes(name)));
}

export function afterRetire(
  state: State,
  asked: State,
  answer: Exclude<Retired, { outcome: 'Replaced' }>,
  now: number,
): State {
  return withRetired(answered(state, asked.due, asked.ringsHeard), answer, {
    now,
    ringsHeard: asked.ringsHeard,
  });
}

/** The first backoff after a removal that failed, in milliseconds. */
const FIRST_MS = 1_000;

/** The copies stay copies, and their removal backs off. */
export function withFailedRemoval(
  copies: State['copies'],
  clusters: readonly string[],
  { reason, message, now }: { reason: 'Refused' | 'Unconfirmed'; message: string; now: number },
): State['copies'] {
  const entries = clusters.flatMap((cluster): [string, Copy][] => {
    const copy = copies[cluster];
    if (copy === undefined) return [];
    // What its agent said before this try is no ground of the next one, which may come hours later.
    const { askedAt: _, ...rest } = copy;
    const tries = (copy.failedRemoval?.tries ?? 0) + 1;
    const until = now + pauseAfter(tries, FIRST_MS);
    return [[cluster, { ...rest, failedRemoval: { until, tries, reason, message } }]];
  });
  return { ...copies, ...Object.fromEntries(entries) };
}

/** How long a deletion may take before the status says for which sites it waits, in milliseconds. */
export const QUIET_MS = 10_000;

export function leavingQuietly(state: State, now: number): State {
  return state.tellLeavingAt === undefined ? { ...state, tellLeavingAt: now + QUIET_MS } : state;
}
