// Where a Capp may return to. Pure.
import { LEAVE_TERMS } from '../../types/leave-reasons.ts';
import type { State } from '../state.ts';

/** The site that the Capp had to leave, and to which it may return. */
export function homeOf({ lastMove, serving }: Pick<State, 'lastMove' | 'serving'>): string | null {
  if (lastMove === null || lastMove.result !== 'Moved' || lastMove.to !== serving) return null;
  return LEAVE_TERMS[lastMove.reason].hadTo ? lastMove.from : null;
}
