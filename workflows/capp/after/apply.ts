// The state after an apply, whether it shipped or not. Pure, so that the activity itself can tell what to
// publish.
import type { Applied } from '../../ports/applied.ts';
import { abandoned } from './moving/abandoned.ts';
import { switched, arrived, withCause } from './moving/moved.ts';
import type { Placing, State } from '../state.ts';
import type { Copy } from '../../types/copy.ts';
import { backOff } from './backoff.ts';
import { isOthers, mayServe, wantedClusters } from '../facts/copies.ts';
import { NEW_COPY } from './copies.ts';
import { recordDue } from './dns.ts';
import { frozen, withoutFound } from './unsent.ts';
import { going } from './choice.ts';
import { fingerprintOf, type StatusTelling } from '../conditions/publication.ts';
import { answered, withRing } from './rings.ts';
import { rungFor } from '../../types/ring.ts';
import { isAgentToBeAsked, otherHubOf } from '../facts/other-hub.ts';
import { groundless, withBearing, withoutHealth } from './health.ts';
import { asksForApply } from '../facts/causes.ts';
import { withFailed, withOrder } from './verification.ts';

/** `ringsHeard` is the number of rings heard when the apply began. */
export function withApplied(
  before: State,
  cluster: string,
  applied: Applied,
  ringsHeard = before.ringsHeard,
): State {
  return groundless(withOutcome(before, cluster, applied, ringsHeard));
}

function withOutcome(before: State, cluster: string, applied: Applied, ringsHeard: number): State {
  const copy = before.copies[cluster];
  const state =
    copy === undefined
      ? before
      : { ...before, copies: { ...before.copies, [cluster]: { ...copy, appliedAtRing: ringsHeard } } };
  switch (applied.outcome) {
    case 'Deleted':
      return going({ ...state, backoff: null });
    case 'Replaced':
      return state;
    case 'Paused':
      return frozen(state, cluster, applied);
    case 'Refused':
      return {
        ...resumed(state),
        copies: applied.isGone === true ? withoutFound(state.copies, cluster) : state.copies,
        generation: applied.generation,
        backoff: null,
        refused: { reason: applied.reason, message: applied.message },
      };
    case 'Leaving':
      return {
        ...leaveSite(resumed(state), cluster, applied.at),
        generation: applied.generation,
        refused: null,
      };
    case 'Unwarranted':
      return unwarranted(resumed(state), cluster, applied);
    case 'Applied':
      return shipped(state, cluster, applied);
  }
}

/** What agents said before a pause does not count after it, so the site is asked. */
function resumed(state: State): State {
  return state.paused ? { ...state, paused: false, due: withCause(state.due, 'site') } : state;
}

type Sent = Extract<Applied, { outcome: 'Applied' }>;

export function shipped(state: State, cluster: string, applied: Sent): State {
  const { found, isSole: _isSole, askedAt: _askedAt, ...before } = state.copies[cluster] ?? NEW_COPY;
  const same = before.stamp === applied.stamp;
  const deadline = applied.at + applied.deadlineSeconds * 1000;
  const fresh = {
    appliedAt: applied.at,
    deadline,
    finding: null,
    wasHealthy: mayHaveServed(before),
    heard: false,
    heardAt: 0,
    silentSince: null,
    absentSince: null,
  };
  const isComing = state.move?.to === cluster && state.serving !== cluster;
  const order = isComing ? (applied.moveOrder ?? applied.order) : applied.order;
  const copy: Copy = withFailed(
    {
      ...withOrder(same ? before : withoutHealth(before), same, order),
      ...(same ? {} : fresh),
      wanted: true,
      stamp: applied.stamp,
      generation: applied.generation,
      work: applied.work,
      ...(found === true || (!same && mayHaveCome(before, applied)) ? { mayBeThere: true as const } : {}),
    },
    { failed: applied.failed, isComing },
  );
  const { generation } = applied;
  const isNewer = state.move?.to === cluster && before.generation !== 0 && before.generation !== generation;
  const move = isNewer && state.move !== null ? { ...state.move, deadline } : state.move;
  const { [cluster]: _left, ...leaving } = state.leaving;
  return {
    ...withBearing(recordDue(resumed(state), cluster, applied.hasRecord === true), applied),
    generation,
    move,
    refused: null,
    backoff: null,
    leaving,
    copies: { ...state.copies, [cluster]: copy },
  };
}

/** As far as is known when another stamp replaces it. */
function mayHaveServed(copy: Copy): boolean {
  return (copy.absentSince === null || isKeptOut(copy)) && (copy.finding?.healthy ?? copy.wasHealthy);
}

/**
 * What nobody has heard of may be on the site: an earlier stamp that never served was sent, and not refused
 * from the first, or the answer of the first apply was lost.
 */
function mayHaveCome(copy: Copy, { wasThere }: Pick<Sent, 'wasThere'>): boolean {
  if (copy.stamp === null) return wasThere === true;
  return !mayHaveServed(copy) && (!isOthers(copy) || mayServe(copy));
}

/** Its site, which is another hub's, never let this stamp in: it may have the one before. */
function isKeptOut(copy: Copy): boolean {
  return copy.finding === null && isOthers(copy);
}

/**
 * The work is being deleted by somebody else. If it served, another choice is due, and its cluster is no
 * candidate until the work is gone.
 */
function leaveSite(state: State, cluster: string, now: number): State {
  const copies = Object.fromEntries(Object.entries(state.copies).filter(([name]) => name !== cluster));
  // Nobody has looked yet whether its cluster can clean up.
  const leaving = { ...state.leaving, [cluster]: { since: now, lookedAtRing: -1 } };
  const { move } = state;
  if (move !== null && cluster === move.to && state.serving !== cluster)
    return { ...abandoned({ ...state, copies, leaving }, now, 'Cancelled'), copies };
  if (move !== null && cluster === move.from) return arrived(switched({ ...state, copies, leaving }), now);
  const placing: Placing = {
    reason: 'StillLeaving',
    message: `${cluster} is still removing an earlier copy of this Capp.`,
  };
  return nowhere({ ...state, copies, leaving }, placing, now);
}

/**
 * Nothing was shipped. A site is chosen again by what Kubernetes says. A copy that is there is found again,
 * and goes once another one serves.
 */
function unwarranted(
  before: State,
  cluster: string,
  { generation, message, at }: Extract<Applied, { outcome: 'Unwarranted' }>,
): State {
  const state = { ...before, generation };
  const { [cluster]: copy, ...others } = state.copies;
  if (state.serving === cluster)
    return nowhere({ ...state, copies: others }, { reason: 'NoDecision', message }, at);
  const isThere = copy !== undefined && (copy.stamp !== null || copy.found === true);
  const copies = isThere ? state.copies : others;
  if (state.move?.to === cluster) return abandoned({ ...state, copies }, at, 'Cancelled');
  return { ...state, backoff: null, refused: { reason: 'NoDecision', message } };
}

/** Another choice is due after a moment. */
function nowhere(state: State, placing: Placing, now: number): State {
  const backoff = backOff(state.backoff, { now, ringsHeard: state.ringsHeard }, 5000);
  return { ...state, serving: null, move: null, leave: null, placing, backoff };
}

/** Whether every wanted copy was applied when at least `ringsHeard` rings had been heard. */
export function isAppliedEverywhere(state: State, ringsHeard: number): boolean {
  return wantedClusters(state).every((cluster) => (state.copies[cluster]?.appliedAtRing ?? 0) >= ringsHeard);
}

interface Shipped {
  readonly cluster: string;
  readonly answer: Applied;
}

interface Answered extends StatusTelling {
  readonly cluster: string;
  readonly answer: Exclude<Applied, { outcome: 'Replaced' }>;
}

export function afterApply(state: State, asked: State, { cluster, answer, ...telling }: Answered): State {
  const after = withApplied(state, cluster, answer, asked.ringsHeard);
  if (answer.outcome === 'Deleted') return after;
  const known = isAppliedEverywhere(after, asked.ringsHeard)
    ? answered(after, asked.due.filter(asksForApply), asked.ringsHeard)
    : after;
  const told = {
    ...known,
    published: fingerprintOf(withApplied(asked, cluster, answer), answer.at, telling),
  };
  // Only a review says whether the Capp goes elsewhere for that, or need not any more.
  const isOther = (otherHubOf(state) === null) !== (otherHubOf(told) === null);
  return doubting(state, isOther ? withRing(told, rungFor('decision')) : told, cluster);
}

/**
 * Whether the new copy of a move has come to be in doubt with this answer, which says that its work was there
 * before. Nobody watches it then, so its agent is asked at once. No answer of an earlier build says so.
 */
export function isNewCopyInDoubt(before: State, state: State, { cluster, answer }: Shipped): boolean {
  if (answer.outcome !== 'Applied' || answer.wasThere !== true) return false;
  const isNew = state.move?.to === cluster && state.serving !== cluster;
  return isNew && isAgentToBeAsked(before.copies[cluster], state.copies[cluster]);
}

/** Whether anything is there, its agent is asked once for each stamp. */
function doubting(before: State, state: State, cluster: string): State {
  const isDue = isAgentToBeAsked(before.copies[cluster], state.copies[cluster]);
  return isDue && cluster === state.serving ? { ...state, due: withCause(state.due, 'site') } : state;
}
