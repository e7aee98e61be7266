// What the simulated workflow waits for: an activity, or a time or a change.
import { Refused } from './hands.ts';

/** An activity: `local` ones are tried once or twice, the others until they are done or refused. */
export interface Call {
  readonly name: string;
  readonly local: boolean;
  readonly run: () => unknown;
}

export type Effect = { readonly call: Call } | { readonly until: number | null; readonly woken: () => boolean };

/** At once, and if that could not be, as long as it takes. */
export function* promptly(name: string, run: () => unknown): Generator<Effect, unknown, unknown> {
  try {
    return yield call(name, run, true);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return yield call(name, run);
  }
}

export function call(name: string, run: () => unknown, local = false): Effect {
  return { call: { name, run, local } };
}
