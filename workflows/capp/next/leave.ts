// The next step of a Capp that should be elsewhere: it asks for its turn, looks once more, or begins to move.
// Pure.
import type { State } from '../state.ts';
import { assuring } from './health.ts';
import { gateOf, isTurnToBeAsked, opensAt } from '../facts/gates.ts';

export type LeaveStep =
  | { readonly do: 'begin' | 'choose' }
  | { readonly do: 'requestTurn' | 'report'; readonly cluster: string }
  | { readonly do: 'rest'; readonly until: number | null };

export function leaveStep(state: State, now: number): LeaveStep | null {
  const { leave, move } = state;
  if (leave === null || move !== null) return null;
  const gate = gateOf(state, now);
  if (gate?.reason === 'PermitAsked' && isTurnToBeAsked(leave, now))
    return { do: 'requestTurn', cluster: leave.from };
  if (gate !== null) return { do: 'rest', until: gate.until };
  if (leave.lookedAt < opensAt(state, leave)) return { do: 'choose' };
  return assuring(state, leave, now) ?? { do: 'begin' };
}
