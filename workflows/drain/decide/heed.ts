// What becomes of a drain when its Drain object has been read. Pure.
import type { DrainAsked } from '../object.ts';
import type { DrainState } from '../state.ts';
import { begunByPerson } from './looked.ts';
import { LANES } from './width.ts';

export interface Heeded {
  readonly state: DrainState;
  /**
   * What the object is told beside how far the drain is: what would happen (`plan`), that this generation of
   * a Drain that was carried out before begins nothing (`note`), or nothing.
   */
  readonly tells: 'plan' | 'note' | null;
}

/**
 * The state of the drain as its object asks for it; `now` in milliseconds since the epoch. The same state if
 * the object asks for nothing new. By the uid an order is neither given twice nor taken for another; an older
 * generation than the one that was heeded is the answer of a late try, and changes nothing.
 */
export function heed(state: DrainState, asked: DrainAsked | null, now: number): Heeded {
  const read = withoutBlindness(state);
  if (asked === null) return { state: atRest(takenBack(read, now)), tells: null };
  const { uid, generation, dryRun, isOver, isSettled } = asked;
  const isSame = read.drain === uid;
  if (isSame && generation < (read.generation ?? 0)) return { state: read, tells: null };
  if (dryRun) return { state: atRest(takenBack(read, now)), tells: isSettled ? null : 'plan' };
  if (isOver && !isSame) return { state: atRest(takenBack(read, now)), tells: isSettled ? null : 'note' };
  if (!isSame) return { state: begun(takenBack(read, now), asked, now), tells: null };
  return { state: generation === read.generation ? read : adjusted(read, asked, now), tells: null };
}

/** The Drain has been read, or cannot be: Capps need not wait for it any more. */
export function withoutBlindness(state: DrainState): DrainState {
  if (state.readBy === undefined) return state;
  const { readBy: _read, ...rest } = state;
  return rest;
}

/** A new order: all Capps that are there are told, also those that stayed for an earlier one. */
function begun(state: DrainState, asked: DrainAsked, now: number): DrainState {
  return adjusted({ ...begunByPerson(state), drain: asked.uid }, asked, now);
}

function adjusted(state: DrainState, { generation, lanes, paused }: DrainAsked, now: number): DrainState {
  const isResumed = state.paused && !paused;
  return { ...state, generation, lanes, paused, ...(isResumed ? { heardAt: now } : {}) };
}

/**
 * Without its Drain a drain tells nobody to leave. Capps on their way arrive, and hold their lanes until
 * then; those that asked by themselves keep their places.
 */
function takenBack(state: DrainState, now: number): DrainState {
  if (!state.everything && state.drain === undefined) return state;
  const { drain: _drain, generation: _generation, eased: _eased, ...rest } = state;
  return {
    ...rest,
    everything: false,
    begunAt: now,
    heardAt: now,
    lanes: LANES,
    paused: false,
    stopped: false,
    waiting: state.waiting.filter(({ askedAt }) => askedAt !== null),
    listing: null,
    isClear: false,
    looks: 0,
    lookAt: 0,
    patience: null,
    moved: 0,
    stays: {},
    unnamed: 0,
  };
}

/** Where no Capp has asked for a turn or is on its way, nothing is left to wait for. */
function atRest(state: DrainState): DrainState {
  const { everything, going, looks, moved, stays, waiting } = state;
  const isTouched = waiting.length > 0 || Object.keys(going).length > 0 || Object.keys(stays).length > 0;
  return everything || isTouched || moved > 0 || looks > 0 || state.isClear
    ? state
    : { ...state, isClear: true };
}
