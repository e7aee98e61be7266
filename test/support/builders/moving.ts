// A Capp in the middle of a move from site-1 to site-2.
import type { Copy } from '../../../workflows/types/copy.ts';
import type { Move } from '../../../workflows/types/moves.ts';
import type { State } from '../../../workflows/capp/state.ts';
import { aCopy, aFinding, aMove, aPlacedState, NOW } from './states.ts';

export const READY = { finding: aFinding() };
export const BAD = { finding: aFinding('Failed') };
export const LATE = { deadline: NOW };

/** Both copies were applied. */
export function moving(
  move: Partial<Move> = {},
  old: Partial<Copy> = READY,
  copy: Partial<Copy> = {},
  plain: Partial<State> = {},
): State {
  const copies = { 'site-1': aCopy(old), 'site-2': aCopy(copy) };
  return aPlacedState({ copies, move: aMove(move), ...plain });
}

/** The same when users have been sent to the new copy. */
export function after(state: State, serving = 'site-2'): State {
  return { ...state, serving };
}

/** Serves on site-1; the copy on site-2 is an extra copy, to be removed. */
export function withExtra(
  extra: Partial<Copy> = {},
  plain: Partial<State> = {},
  serving: Partial<Copy> = READY,
): State {
  return aPlacedState({
    copies: { 'site-1': aCopy(serving), 'site-2': aCopy({ ...READY, wanted: false, ...extra }) },
    ...plain,
  });
}
