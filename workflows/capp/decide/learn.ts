// What a state becomes when an answer arrives: pure, so that an activity can tell what to publish before the workflow has heard of it.
import type { Applied, Choice, Memory } from '../../ports.ts';
import type { FoundWork } from '../../types/removals.ts';
import { CAUSES, newest, type Cause, type Ring } from '../../types/ring.ts';
import type { Request } from '../../types/moves.ts';
import type { Copy, State } from '../state.ts';
import { backOff } from './backoff.ts';
import { leavingSince, NEW_COPY, unexplained, wantedClusters } from './copies.ts';
import { frozen } from './unsent.ts';
import { afterLook } from '../moving/reviewed.ts';
import { abandoned, arrived, lookingAgain, switched, withCause } from '../moving/moved.ts';

/** A ring is only noted down: why, and how new a read must be to answer it. */
export function afterRing(state: State, { causes, minimumVersions, seen = {} }: Ring): State {
  const due = CAUSES.filter((known) => causes.includes(known) || state.due.includes(known));
  return {
    ...state,
    due,
    ringsHeard: state.ringsHeard + 1,
    minimumVersions: newest(state.minimumVersions, minimumVersions),
    copies: withSight(state.copies, seen),
  };
}

/** Something came that nobody can read: it says nothing, and is counted. */
export function withUnreadable(state: State): State {
  return { ...state, unreadable: state.unreadable + 1 };
}

function withSight(copies: State['copies'], seen: NonNullable<Ring['seen']>): State['copies'] {
  const sighted = Object.entries(seen).flatMap(([cluster, seenAt]) => {
    const copy = Object.hasOwn(copies, cluster) ? copies[cluster] : undefined;
    return copy === undefined ? [] : [[cluster, { ...copy, seenAt }] as const];
  });
  return sighted.length === 0 ? copies : { ...copies, ...Object.fromEntries(sighted) };
}

/** The causes in `looked` are answered by a read begun when `ringsHeard` rings had been heard; one that rang again since stays due. */
export function answered(state: State, looked: readonly Cause[], ringsHeard: number): State {
  if (state.ringsHeard !== ringsHeard) return state;
  const due = state.due.filter((cause) => !looked.includes(cause));
  return due.length > 0 ? { ...state, due } : { ...state, due, ringsAnswered: ringsHeard };
}

/** A mark that no cache has reached for so long, in milliseconds, is of a history that a restored backup has taken back. */
const BEHIND_MS = 60_000;

function stillBehind(state: State, asked: Asked): State {
  const before = state.backoff?.behindSince === undefined ? null : state.backoff;
  const behindSince = before?.behindSince ?? asked.now;
  const backoff = { ...backOff(before, asked), behindSince };
  return { ...state, backoff, minimumVersions: asked.now - behindSince < BEHIND_MS ? state.minimumVersions : {} };
}

/** When an answer came, and how many rings had been heard when its read began: later rings are not answered by it. */
export interface Asked {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly ringsHeard: number;
}

export function afterChoice(state: State, choice: Choice, asked: Asked): State {
  if (choice.outcome === 'Behind') return stillBehind(state, asked);
  if (choice.outcome === 'Absent') return going(state);
  const avoid = Object.fromEntries(Object.entries(state.avoid).filter(([, until]) => until > asked.now));
  if (choice.outcome === 'Stays' || choice.outcome === 'Leaves')
    return afterLook({ ...state, avoid, ringsReviewed: asked.ringsHeard }, choice, asked.now);
  const known = { ...state, avoid, backoff: null, mayHaveWorks: false, generation: Math.max(state.generation, choice.generation) };
  if (choice.outcome === 'None') return { ...known, ...nowhere(state, choice, asked) };
  const placing = { reason: 'Chosen', message: choice.message };
  const place = { placing, pinned: choice.pinned, serving: choice.cluster, ...withWorks(state, choice, asked) };
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
  const asking = wishing(placed, state.request ?? state.leave?.request ?? null);
  // Where a work was found says nothing of where it should be.
  const next = isFound ? lookingAgain(asking) : asking;
  return choice.memory === null || state.placedFor !== null ? next : remembering(next, choice.memory);
}

/** What an earlier look found of a cluster that can be chosen is over. */
function withoutTrouble({ unreachable, awaySince }: State, cluster: string): Pick<State, 'unreachable' | 'awaySince'> {
  const { [cluster]: _since, ...others } = awaySince;
  return { unreachable: unreachable.filter((name) => name !== cluster), awaySince: others };
}

/** What leaves is waited for, whoever has found it. */
function nowhere(
  state: State,
  { reason, message, works }: Extract<Choice, { outcome: 'None' }>,
  asked: Asked,
): Pick<State, 'placing' | 'leaving'> {
  return { placing: { reason, message }, leaving: { ...state.leaving, ...leavingSince(state, goingIn(works), asked) } };
}

/** Only the chosen copy is wanted; no work that is there, nor one that may be, is forgotten. */
function withWorks(
  state: State,
  { cluster, works }: Extract<Choice, { outcome: 'Chosen' }>,
  asked: Asked,
): Pick<State, 'copies' | 'leaving'> {
  const isOther = (name: string): boolean => name !== cluster;
  const standing = works.filter((work) => !work.leaving).map((work) => work.cluster);
  const others = Object.entries({ ...unexplained(state, standing), ...state.copies }).filter(([name]) => isOther(name));
  const before = Object.entries(state.leaving).filter(([name]) => isOther(name) && !standing.includes(name));
  const copy: Copy = standing.includes(cluster) ? { ...NEW_COPY, found: true } : NEW_COPY;
  return {
    copies: { ...Object.fromEntries(others.map(([name, one]) => [name, { ...one, wanted: false }])), [cluster]: copy },
    leaving: { ...Object.fromEntries(before), ...leavingSince(state, goingIn(works), asked) },
  };
}

function goingIn(works: readonly FoundWork[]): string[] {
  return works.filter(({ leaving }) => leaving).map(({ cluster }) => cluster);
}

/** A workflow that was started anew for a Capp that has long had a site. */
function remembering(state: State, { pin, annotated, lastMove }: Memory): State {
  const movedAt = lastMove?.result === 'Moved' ? lastMove.at : null;
  return { ...lookingAgain(state), pin, annotated, lastMove, movedAt };
}

/** A request that came before there was a site to leave is answered by the next look. */
function wishing(state: State, request: Request | null): State {
  return request === null ? state : { ...state, request, due: withCause(state.due, 'request'), ringsReviewed: -1 };
}

/** What rang is answered by the retirement: a work that is leaving since an earlier move is no reason to wait with it. */
function going(state: State): State {
  return { ...state, retiring: true, due: withCause(state.due, 'spec') };
}

/** `ringsHeard` is how many rings had been heard when it was begun. */
export function afterApply(before: State, cluster: string, applied: Applied, ringsHeard = before.ringsHeard): State {
  const copy = before.copies[cluster];
  const state =
    copy === undefined ? before : { ...before, copies: { ...before.copies, [cluster]: { ...copy, appliedAtRing: ringsHeard } } };
  switch (applied.outcome) {
    case 'Deleted':
      return going({ ...state, backoff: null });
    case 'Replaced':
      return state;
    case 'Paused':
      return frozen(state, applied);
    case 'Refused':
      return {
        ...state,
        generation: applied.generation,
        paused: false,
        backoff: null,
        refused: { reason: applied.reason, message: applied.message },
      };
    case 'Leaving':
      return { ...leaveSite(state, cluster, applied.at), generation: applied.generation, refused: null, paused: false };
    case 'Applied':
      return shipped(state, cluster, applied);
  }
}

function shipped(state: State, cluster: string, applied: Extract<Applied, { outcome: 'Applied' }>): State {
  const { found: _found, ...before } = state.copies[cluster] ?? NEW_COPY;
  const same = before.stamp === applied.stamp;
  const wasHealthy = before.absentSince === null && (before.finding?.healthy ?? before.wasHealthy);
  const deadline = applied.at + applied.deadlineSeconds * 1000;
  const fresh = {
    appliedAt: applied.at,
    deadline,
    finding: null,
    wasHealthy,
    heard: false,
    heardAt: 0,
    silentSince: null,
    absentSince: null,
  };
  const copy: Copy = {
    ...before,
    ...(same ? {} : fresh),
    wanted: true,
    stamp: applied.stamp,
    generation: applied.generation,
    work: applied.work,
  };
  const { generation } = applied;
  const isNewer = state.move?.to === cluster && before.generation !== 0 && before.generation !== generation;
  const move = isNewer && state.move !== null ? { ...state.move, deadline } : state.move;
  const { [cluster]: _left, ...leaving } = state.leaving;
  const due = state.paused ? withCause(state.due, 'site') : state.due;
  return {
    ...state,
    due,
    generation,
    move,
    refused: null,
    paused: false,
    backoff: null,
    leaving,
    copies: { ...state.copies, [cluster]: copy },
  };
}

/** A work is going away under us. Where it served, another choice is due, and its cluster is no candidate while it leaves. */
function leaveSite(state: State, cluster: string, now: number): State {
  const copies = Object.fromEntries(Object.entries(state.copies).filter(([name]) => name !== cluster));
  // Who is to clean up there has not been looked at.
  const leaving = { ...state.leaving, [cluster]: { since: now, lookedAtRing: -1 } };
  const { move } = state;
  if (move !== null && cluster === move.to && state.serving !== cluster)
    return { ...abandoned({ ...state, copies, leaving }, now, 'Cancelled'), copies };
  if (move !== null && cluster === move.from) return arrived(switched({ ...state, copies, leaving }), now);
  const placing = { reason: 'StillLeaving', message: `${cluster} is still removing an earlier copy of this Capp.` };
  return {
    ...state,
    copies,
    leaving,
    serving: null,
    move: null,
    leave: null,
    placing,
    backoff: backOff(state.backoff, { now, ringsHeard: state.ringsHeard }, 5_000),
  };
}

/** Whether every copy that is wanted was applied when at least `ringsHeard` rings had been heard. */
export function isAppliedEverywhere(state: State, ringsHeard: number): boolean {
  return wantedClusters(state).every((cluster) => (state.copies[cluster]?.appliedAtRing ?? 0) >= ringsHeard);
}

/** The day's look at everything: an agent that was silent is asked again, and stays silent until it answers. */
export function afterResync(state: State): State {
  const isSilent = Object.values(state.copies).some((copy) => copy.silentSince !== null);
  return afterRing(state, { causes: isSilent ? ['site', 'resync'] : ['resync'], minimumVersions: {} });
}
