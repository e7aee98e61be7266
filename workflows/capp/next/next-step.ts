// What a Capp's workflow does next: a pure function of its state and the time.
import type { State } from '../state.ts';
import type { Copy } from '../../types/copy.ts';
import { isNowhere, missingFrom, servingCopy, toBeFound, wantedClusters } from '../facts/copies.ts';
import { asksForApply, asksForLook } from '../facts/causes.ts';
import { dnsStep, dnsUntil, type DnsStep } from './dns.ts';
import { asksBackAt } from './going-back.ts';
import { healthAt, healthStep } from './health.ts';
import { leaveStep } from './leave.ts';
import { illFrom } from '../facts/health.ts';
import { lackOfHostname } from '../facts/hostname.ts';
import { isInDoubt } from '../facts/other-hub.ts';
import { quietUntil } from '../facts/quiet.ts';
import { moveStep } from './move.ts';
import { removalStep, retryOfRemoval } from './removal.ts';

export type NextStep =
  /** Nothing to do until a ring, or until `until` (milliseconds since the epoch) if that is not null. */
  | { readonly do: 'rest'; readonly until: number | null }
  /** Choose a cluster, or review whether the Capp should leave its site. */
  | { readonly do: 'choose' }
  /** Make the work on a cluster what the Capp asks for now. */
  | { readonly do: 'apply'; readonly cluster: string }
  /** Wait for the agent's verdict on what was applied, until `until` at the latest. */
  | { readonly do: 'watch'; readonly cluster: string; readonly until: number }
  /** Ask the agent for a report now. */
  | { readonly do: 'report'; readonly cluster: string }
  /** Lead the DNS record of the Capp's hostname to a cluster. */
  | DnsStep
  /** Delete works that are no longer wanted. */
  | { readonly do: 'remove'; readonly clusters: readonly string[] }
  /** Check what became of works that are being deleted. */
  | { readonly do: 'find'; readonly clusters: readonly string[] }
  /** Delete all works, and release the Capp's finalizer. */
  | { readonly do: 'retire' }
  /** Ask `turns/<cluster>` for a turn. */
  | { readonly do: 'requestTurn'; readonly cluster: string }
  /**
   * Begin a move, send users to the new copy, extend or abandon the move, or end it. Only the state changes.
   */
  | { readonly do: 'begin' | 'switch' | 'extend' | 'abandon' | 'arrive' };

/** The one thing that the workflow does next. Pure. */
export function nextStep(state: State, now: number): NextStep {
  if (isPausing(state, now)) return meanwhile(state, now);
  if (state.retiring)
    return needsRetire(state) ? { do: 'retire' } : { do: 'rest', until: quietUntil(state, now) };
  const copy = servingCopy(state);
  const moving = state.paused ? null : moveStep(state, now);
  if (moving !== null) return moving;
  if (state.serving === null || (copy === null && state.move === null)) return placing(state, now);
  return care(state, now);
}

const REST: NextStep = { do: 'rest', until: null };

/** The end of the backoff, or when a deletion is to be told of. */
function pauseEnd(state: State, now: number): number {
  return Math.min(state.backoff?.until ?? now, quietUntil(state, now) ?? Infinity);
}

/** A Capp that cannot be shipped may still leave its site. */
function meanwhile(state: State, now: number): NextStep {
  const until = pauseEnd(state, now);
  if (state.retiring || state.paused || state.refused === null) return { do: 'rest', until };
  // Where there is no site to stay on or to leave, the look itself is what failed.
  if (!isNowhere(state) && needsLook(state) && state.backoff?.behindSince === undefined)
    return { do: 'choose' };
  // Where an earlier copy has been cleaned up, the Capp may go.
  const leaving = toBeFound(state);
  if (leaving.length > 0) return { do: 'find', clusters: leaving };
  const going = moveStep(state, now) ?? leaveStep(state, now);
  if (going !== null && going.do !== 'rest') return going;
  return { do: 'rest', until: Math.min(until, going?.until ?? until) };
}

/**
 * Without a site, every change is a reason to choose, and so is the end of the time for which a site is
 * avoided.
 */
function placing(state: State, now: number): NextStep {
  const leaving = toBeFound(state);
  if (leaving.length > 0) return { do: 'find', clusters: leaving };
  const retry = state.placing?.reason === 'NoCandidate' ? Math.min(...Object.values(state.avoid)) : Infinity;
  if (isDue(state) || retry <= now) return { do: 'choose' };
  return { do: 'rest', until: retry === Infinity ? null : retry };
}

/** The step of a Capp that has a site: ship what is asked for, get the verdict, and review the placement. */
function care(state: State, now: number): NextStep {
  const { serving } = state;
  if (needsLook(state)) return { do: 'choose' };
  const unapplied = wantedClusters(state).find((cluster) => needsApply(state, state.copies[cluster]));
  if (unapplied !== undefined) return { do: 'apply', cluster: unapplied };
  if (serving !== null && state.due.includes('site') && !isWatched(state, serving, now))
    return { do: 'report', cluster: serving };
  const leaving = toBeFound(state);
  if (leaving.length > 0) return { do: 'find', clusters: leaving };
  const pointing = dnsStep(state, now);
  if (pointing !== null) return pointing;
  const removal = removalStep(state, now);
  if (removal !== null) return removal;
  const health = healthStep(state, now);
  if (health !== null) return health;
  const going = state.paused ? null : leaveStep(state, now);
  return going !== null && going.do !== 'rest' ? going : waitFor(state, going?.until ?? null, now);
}

/**
 * Watches what was shipped, the new copy of a move first; otherwise rests until a ring, or until a gate
 * opens.
 */
function waitFor(state: State, gate: number | null, now: number): NextStep {
  const times = [
    movingUntil(state, now),
    gate,
    retryOfRemoval(state, now),
    missedAt(state, now),
    dnsUntil(state, now),
    asksBackAt(state, now),
    healthAt(state, now),
  ].filter((time) => time !== null);
  const watched = wantedClusters(state).find((cluster) => isWatched(state, cluster, now));
  if (watched !== undefined)
    return {
      do: 'watch',
      cluster: watched,
      until: Math.min(state.copies[watched]?.deadline ?? now, ...times),
    };
  return times.length === 0 ? REST : { do: 'rest', until: Math.min(...times) };
}

/**
 * When to report that the site does not have what was sent. An agent that reports it only for a moment may
 * not have looked.
 */
function missedAt(state: State, now: number): number | null {
  const at = missingFrom(servingCopy(state));
  return at !== null && now < at ? at : null;
}

/**
 * The deadline of a move that has not succeeded. A move that is late and may not be abandoned waits for its
 * copies.
 */
function movingUntil({ move, paused }: State, now: number): number | null {
  return move !== null && !paused && now < move.deadline ? move.deadline : null;
}

/** A ring is unanswered, or a backoff has ended. */
function isDue(state: State): boolean {
  return state.due.length > 0 || state.backoff !== null;
}

/**
 * While a Capp should leave and has no other site, any change may bring one. With `Recreate` there may be no
 * copy to ship to, and the placement is reviewed all the same.
 */
function needsLook(state: State): boolean {
  const { due, paused, ringsReviewed, ringsHeard, leave, move } = state;
  const isStuck = leave !== null && leave.to === null && due.length > 0;
  const isBetween = move !== null && due.some(asksForApply) && wantedClusters(state).length === 0;
  return (due.some(asksForLook) || isStuck || isBetween) && !paused && ringsReviewed < ringsHeard;
}

function needsApply(state: State, copy: Copy | undefined): boolean {
  if (copy === undefined) return false;
  if (state.backoff !== null) return true;
  if (state.due.some(asksForApply) && copy.appliedAtRing < state.ringsHeard) return true;
  return copy.stamp === null && state.refused === null && !state.paused;
}

function needsRetire(state: State): boolean {
  return isDue(state) || Object.keys(state.leaving).length === 0;
}

/**
 * A rollout is watched until it is Ready, its deadline has passed, or no agent answers. A move asks again for
 * what it waits for.
 */
function isWatched(state: State, cluster: string, now: number): boolean {
  const copy = state.copies[cluster];
  if (copy === undefined || copy.stamp === null || state.refused !== null || state.paused) return false;
  if (copy.silentSince !== null && state.move?.to !== cluster) return false;
  if (isReportedOn(state, cluster, copy)) return false;
  const isLacking = state.move?.to === cluster && lackOfHostname(state) !== null;
  return (copy.finding?.verdict !== 'Ready' || copy.absentSince !== null || isLacking) && now < copy.deadline;
}

/**
 * Of a Capp that leaves when it is unhealthy, reports count, and its agent rings when something changes. What
 * its site refuses as another hub's is waited for in vain, and a report tells what is there.
 */
function isReportedOn(state: State, cluster: string, copy: Copy): boolean {
  return isInDoubt(copy) || (cluster === state.serving && illFrom(state) !== null);
}

function isPausing(state: State, now: number): boolean {
  return state.backoff !== null && now < state.backoff.until && state.ringsHeard === state.backoff.ringsHeard;
}
