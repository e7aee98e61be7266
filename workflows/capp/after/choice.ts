// The state after a site was chosen or reviewed. Pure, so that the activity itself can tell what comes next.
import type { Choice, Memory } from '../../ports/choice.ts';
import type { FoundWork } from '../../types/removals.ts';
import type { Request } from '../../types/moves.ts';
import type { Placing, State } from '../state.ts';
import type { Copy } from '../../types/copy.ts';
import { backOff } from './backoff.ts';
import { leavingSince, NEW_COPY, unexplained } from './copies.ts';
import { afterGone, afterLook } from './moving/reviewed.ts';
import { lookingAgain, toGo, withCause } from './moving/moved.ts';
import { answered, type AskedAt } from './rings.ts';
import { unread } from '../../types/ring.ts';
import { asksForLook, asksForApply } from '../facts/causes.ts';
import type { DecisionRecord } from '../../../crds/capp/decision.ts';
import { gateOf } from '../facts/gates.ts';

/**
 * After this many milliseconds, a minimum version that no cache has reached counts as lost: a restored backup
 * has older versions.
 */
const BEHIND_MS = 60_000;

/**
 * Until then caches are looked at again after this many milliseconds at most. No ring comes when they have
 * caught up, so a backoff that goes on doubling would have a Capp wait for minutes after that.
 */
const BEHIND_PAUSE_MS = 5_000;

function stillBehind(state: State, asked: AskedAt): State {
  const before = state.backoff?.behindSince === undefined ? null : state.backoff;
  const behindSince = before?.behindSince ?? asked.now;
  const isLost = asked.now - behindSince >= BEHIND_MS;
  // Without the versions that were lost the next look may find everything.
  const isFree = isLost && Object.keys(state.minimumVersions).length > 0;
  const { until, ...backoff } = backOff(isFree ? null : before, asked);
  const atMost = isLost ? until : Math.min(until, asked.now + BEHIND_PAUSE_MS);
  return {
    ...state,
    backoff: { ...backoff, until: atMost, behindSince },
    minimumVersions: isLost ? {} : state.minimumVersions,
  };
}

/** The state after a choice, apart from the rings that it answers (`afterChoice`). */
export function withChoice(state: State, choice: Choice, asked: AskedAt): State {
  if (choice.outcome === 'Behind') return stillBehind(state, asked);
  if (choice.outcome === 'Absent') return going(state);
  const avoid = Object.fromEntries(Object.entries(state.avoid).filter(([, until]) => until > asked.now));
  if (choice.outcome === 'Stays' || choice.outcome === 'Leaves')
    return afterLook({ ...state, avoid, ringsReviewed: asked.ringsHeard }, choice, asked.now);
  const known = {
    ...state,
    avoid,
    backoff: null,
    mayHaveWorks: false,
    generation: Math.max(state.generation, choice.generation),
  };
  if (choice.outcome === 'None') return { ...known, ...nowhere(state, choice, asked) };
  const placing: Placing = { reason: 'Chosen', message: choice.message };
  const place = {
    placing,
    pinned: choice.pinned,
    serving: choice.cluster,
    ...withWorks(state, choice, asked),
  };
  const isFound = place.copies[choice.cluster]?.found === true;
  const placed = {
    ...known,
    ...place,
    ...withoutTrouble(state, choice.cluster),
    placedFor: isFound ? (choice.memory?.placedFor ?? choice.site) : choice.site,
    leave: null,
    stays: null,
    refused: null,
    paused: false,
  };
  const asking = withRequest(placed, state.request ?? state.leave?.request ?? null);
  // Finding a work somewhere does not mean that it belongs there.
  const next = isFound ? lookingAgain(asking) : asking;
  return choice.memory === null || state.placedFor !== null ? next : remembering(next, choice.memory);
}

/** Clears what an earlier look found about a cluster that is now a candidate. */
function withoutTrouble(
  { unreachable, awaySince }: State,
  cluster: string,
): Pick<State, 'unreachable' | 'awaySince'> {
  const { [cluster]: _since, ...others } = awaySince;
  return { unreachable: unreachable.filter((name) => name !== cluster), awaySince: others };
}

/** A work that is being deleted is waited for, whoever found it. */
function nowhere(
  state: State,
  { reason, message, works }: Extract<Choice, { outcome: 'None' }>,
  asked: AskedAt,
): Pick<State, 'placing' | 'leaving'> {
  return {
    placing: { reason, message },
    leaving: { ...state.leaving, ...leavingSince(state, goingIn(works), asked) },
  };
}

/**
 * Only the chosen copy is wanted. Works that exist or may exist elsewhere stay in the state as unwanted
 * copies.
 */
function withWorks(
  state: State,
  { cluster, works, isSole }: Extract<Choice, { outcome: 'Chosen' }>,
  asked: AskedAt,
): Pick<State, 'copies' | 'leaving'> {
  const isOther = (name: string): boolean => name !== cluster;
  const standing = works.filter((work) => !work.leaving).map((work) => work.cluster);
  const others = Object.entries({ ...unexplained(state, standing), ...state.copies }).filter(([name]) =>
    isOther(name),
  );
  const before = Object.entries(state.leaving).filter(([name]) => isOther(name) && !standing.includes(name));
  const copy: Copy = {
    ...NEW_COPY,
    ...(standing.includes(cluster) ? { found: true } : {}),
    ...(isSole === true ? { isSole } : {}),
  };
  return {
    copies: {
      ...Object.fromEntries(others.map(([name, one]) => [name, toGo(one)])),
      [cluster]: copy,
    },
    leaving: { ...Object.fromEntries(before), ...leavingSince(state, goingIn(works), asked) },
  };
}

function goingIn(works: readonly FoundWork[]): string[] {
  return works.filter(({ leaving }) => leaving).map(({ cluster }) => cluster);
}

/** Restores the state of a workflow that was started over for a Capp that already has a site. */
function remembering(state: State, { pin, annotated, lastMove, healing }: Memory): State {
  const movedAt = lastMove?.result === 'Moved' ? lastMove.at : null;
  const tried = healing === undefined ? {} : { healing };
  return { ...lookingAgain(state), pin, annotated, lastMove, movedAt, ...tried };
}

/** A request that came before there was a site to leave is answered by the next look. */
function withRequest(state: State, request: Request | null): State {
  return request === null
    ? state
    : { ...state, request, due: withCause(state.due, 'request'), ringsReviewed: -1 };
}

/** Retiring answers the rings: a work that is still leaving after an earlier move does not delay it. */
export function going(state: State): State {
  return { ...state, retiring: true, due: withCause(state.due, 'spec') };
}

/** The state after a choice that was asked for in the state `asked`. */
export function afterChoice(state: State, asked: State, choice: Choice, now: number): State {
  const isLook = choice.outcome === 'Stays' || choice.outcome === 'Leaves';
  const looked = isLook ? asked.due.filter((cause) => asksForLook(cause) && !asksForApply(cause)) : asked.due;
  const since = { now, ringsHeard: asked.ringsHeard };
  if (choice.outcome === 'Behind') return withChoice(state, choice, since);
  const next = withChoice(
    {
      ...answered(state, looked, asked.ringsHeard),
      minimumVersions: unread(state.minimumVersions, asked.minimumVersions),
    },
    choice,
    since,
  );
  return isLook && asked.due.includes('gone') ? afterGone(next, choice) : next;
}

/** The decision record of a choice that users should read, or null. */
export function recordIn(choice: Choice): DecisionRecord | null {
  const isMade =
    choice.outcome === 'None' ||
    choice.outcome === 'Chosen' ||
    (choice.outcome === 'Leaves' && choice.to !== null);
  return isMade ? choice.record : null;
}

/**
 * Whether to publish a choice at once. A choice that an apply follows is published by that apply. A workflow
 * that has only found its works knows less than the status shows, until it has looked at them.
 */
export function isTold({ outcome }: Choice, state: State, now: number): boolean {
  if (outcome === 'None') return true;
  if (state.published === null || outcome === 'Chosen') return false;
  if (outcome !== 'Leaves') return outcome === 'Stays';
  const gate = gateOf(state, now);
  return gate !== null && gate.reason !== 'PermitAsked';
}
