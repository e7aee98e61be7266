// What a drain should hear of a Capp: pure, from its state before and after a step.
import type { State } from '../state.ts';
import type { Settled } from '../turns.ts';

export interface ForDrain {
  readonly cluster: string;
  readonly news: Settled;
}

/** Null if nothing was settled between the two. */
export function settledBetween(before: State, after: State): ForDrain | null {
  return endOfMove(before, after) ?? leaveOff(before, after) ?? refusal(before, after);
}

function endOfMove({ move }: State, after: State): ForDrain | null {
  if (move === null || !move.inBulk || after.move?.since === move.since) return null;
  const outcome = after.lastMove?.since === move.since ? after.lastMove.result : 'Cancelled';
  const { namespace, name } = after.capp;
  return { cluster: move.from, news: { namespace, name, outcome, to: move.to, reason: move.reason } };
}

/** It asked for its turn, and need not leave any more. */
function leaveOff({ leave }: State, after: State): ForDrain | null {
  if (leave === null || leave.permit === null || after.leave !== null || after.move !== null) return null;
  return stayed(after, leave.from, after.stays?.reason ?? 'NotMoving');
}

function refusal(before: State, after: State): ForDrain | null {
  const { handled, serving } = after;
  if (handled === before.handled || handled?.source !== 'drain' || handled.outcome !== 'Refused') return null;
  return serving === null ? null : stayed(after, serving, handled.reason);
}

/** It is told to leave a cluster that users are not sent to any more. */
export function elsewhere(state: State, cluster: string): ForDrain {
  return stayed(state, cluster, 'Elsewhere');
}

function stayed({ capp: { namespace, name } }: State, cluster: string, reason: string): ForDrain {
  return { cluster, news: { namespace, name, outcome: 'Stayed', to: null, reason } };
}
