// What a Capp's workflow does next: a pure function of its state and the time.
import type { Cause } from '../ring.ts';
import type { Copy, State } from '../state.ts';
import { servingCopy } from './conditions.ts';

export type Step =
  /** Nothing to do until somebody rings, or until `until` (milliseconds since the epoch) if that is not null. */
  | { readonly do: 'rest'; readonly until: number | null }
  /** Pick a cluster. */
  | { readonly do: 'choose' }
  /** Make the work on a cluster what the Capp asks for now. */
  | { readonly do: 'apply'; readonly cluster: string }
  /** Wait for the agent's word on what was applied, no longer than `until`. */
  | { readonly do: 'watch'; readonly cluster: string; readonly until: number }
  /** Ask the agent what it sees now. */
  | { readonly do: 'report'; readonly cluster: string }
  /** Delete works that are no longer wanted. */
  | { readonly do: 'remove'; readonly clusters: readonly string[] }
  /** Delete all works and let the Capp go. */
  | { readonly do: 'retire' };

export function nextStep(state: State, now: number): Step {
  if (isPausing(state, now)) return { do: 'rest', until: state.pause?.until ?? null };
  if (state.retiring) return needsRetire(state) ? { do: 'retire' } : REST;
  const copy = servingCopy(state);
  if (state.serving === null || copy === null) return isDue(state) ? { do: 'choose' } : REST;
  if (needsApply(state, copy)) return { do: 'apply', cluster: state.serving };
  if (state.due.includes('site') && !isWatched(state, copy, now)) return { do: 'report', cluster: state.serving };
  const unwanted = unwantedWorks(state, copy);
  if (unwanted.length > 0) return { do: 'remove', clusters: unwanted };
  return isWatched(state, copy, now) ? { do: 'watch', cluster: state.serving, until: copy.deadline } : REST;
}

const REST: Step = { do: 'rest', until: null };

/** The causes that only a fresh read of the hub answers; the site's news come from the agent. */
export function asksForApply(cause: Cause): boolean {
  return cause !== 'site';
}

/** Something rang, or a pause after a failure is over. */
function isDue(state: State): boolean {
  return state.due.length > 0 || state.pause !== null;
}

function needsApply(state: State, copy: Copy): boolean {
  if (state.due.some(asksForApply) || state.pause !== null) return true;
  return copy.stamp === null && state.refused === null && !state.paused;
}

function needsRetire(state: State): boolean {
  return isDue(state) || Object.keys(state.leaving).length === 0;
}

/** Extra copies go once the serving one is Ready; those already leaving are looked at again whenever somebody has rung. */
function unwantedWorks(state: State, serving: Copy): string[] {
  const extra = Object.keys(state.copies).filter(
    (cluster) => state.copies[cluster]?.wanted === false && serving.finding?.verdict === 'Ready',
  );
  const leaving = Object.keys(state.leaving).filter((cluster) => (state.leaving[cluster]?.asOf ?? 0) < state.rung);
  return [...extra, ...leaving].filter((cluster) => cluster !== state.serving).toSorted();
}

/** A rollout is watched until it is Ready, its deadline has passed, or no agent answers. */
function isWatched(state: State, copy: Copy, now: number): boolean {
  if (copy.stamp === null || copy.silentSince !== null || state.refused !== null || state.paused) return false;
  return copy.finding?.verdict !== 'Ready' && now < copy.deadline;
}

function isPausing(state: State, now: number): boolean {
  return state.pause !== null && now < state.pause.until && state.rung === state.pause.rung;
}
