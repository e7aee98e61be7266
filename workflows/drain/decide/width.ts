// How many Capps a drain lets move at once: fewer than its lanes allow while the hub workers lag behind, so
// that what is new does not wait behind the moves. Pure.
import type { DrainState, Lanes } from '../state.ts';

/** The lanes of a drain whose Drain, or a person, says nothing else. */
export const LANES: Lanes = { width: 50, perTarget: 25, ratePerSecond: 25 };

/** A task that has waited longer than this, in milliseconds, shows that the hub workers lag behind. */
const LATE_MS = 300;
/** Temporal renews that figure about every five seconds: nothing is narrowed twice by one. */
export const STEP_MS = 5_000;
/** A fifth wider after each step by itself: a lane that is held for long does not keep the drain narrow. */
const WIDER = 1.2;
const NARROWER = 0.7;
/** Never narrower than this, unless the lanes are: so many moves hardly delay anybody. */
const NARROWEST = 8;

type Eased = Pick<DrainState, 'eased' | 'everything' | 'going' | 'lanes'>;

/** The width of the lanes at that time. */
export function widthAt({ eased, lanes }: Pick<DrainState, 'eased' | 'lanes'>, now: number): number {
  if (eased === undefined) return lanes.width;
  const steps = Math.max(0, Math.floor((now - eased.at) / STEP_MS));
  return Math.min(lanes.width, Math.floor(eased.width * WIDER ** steps));
}

/** When the width grows next; null while it is whole. */
export function widensAt({ eased, lanes }: Pick<DrainState, 'eased' | 'lanes'>, now: number): number | null {
  if (eased === undefined || widthAt({ eased, lanes }, now) >= lanes.width) return null;
  return eased.at + STEP_MS * (Math.floor((now - eased.at) / STEP_MS) + 1);
}

/**
 * The state after Temporal has said how long the oldest task of the hub workers has waited, in milliseconds;
 * null if it does not say. Only a drain that a Drain orders gives way: Capps that leave by themselves may be
 * on a site that is lost.
 */
export function eased<T extends Eased>(state: T, backlogMs: number | null, now: number): T {
  const width = widthAt(state, now);
  const isLate = state.everything && backlogMs !== null && backlogMs > LATE_MS;
  if (isLate && now >= (state.eased?.at ?? -Infinity) + STEP_MS)
    return { ...state, eased: { width: narrower(state, width), at: now } };
  if (width < state.lanes.width || state.eased === undefined) return state;
  const { eased: _over, ...whole } = state;
  return whole as T;
}

/** While more are on their way than the width allows, it has not yet taken effect, and stays. */
function narrower({ going, lanes }: Eased, width: number): number {
  if (width < lanes.width && Object.keys(going).length > width) return width;
  return Math.min(width, Math.max(NARROWEST, Math.floor(width * NARROWER)));
}
