// What is said of a paused Capp. Pure.
import type { State } from '../state.ts';

/** "The Capp is paused", and by whom as far as that is recorded. */
export function pausedText({ pausedBy }: Pick<State, 'pausedBy'>): string {
  return pausedBy === undefined ? 'The Capp is paused' : `The Capp is paused by ${pausedBy}`;
}
