// The steps of a move that change nothing but the state: pure.
import { asksForApply } from '../facts/causes.ts';
import { leading } from './dns.ts';
import { isAppliedEverywhere } from './apply.ts';
import { answered } from './rings.ts';
import type { State } from '../state.ts';
import { abandoned } from './moving/abandoned.ts';
import { begun, switched, extended, arrived } from './moving/moved.ts';

export type InMove = 'begin' | 'switch' | 'extend' | 'abandon' | 'arrive';

/** The steps of a move that change nothing but the state, and what users read of it. */
export function afterMoveStep(state: State, what: InMove, now: number): State {
  switch (what) {
    case 'begin':
      return begun(state, now);
    case 'switch':
      return leading(switched(state), now);
    case 'extend':
      return extended(state, now);
    case 'abandon':
      return abandoned(state, now, 'Failed');
    case 'arrive':
      return relieved(arrived(state, now));
  }
}

/** Rings that only the old copy had not answered need no answer any more. */
function relieved(state: State): State {
  const { due, ringsHeard } = state;
  return isAppliedEverywhere(state, ringsHeard)
    ? answered(state, due.filter(asksForApply), ringsHeard)
    : state;
}
