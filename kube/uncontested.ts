// What rests on a read and meets somebody else's write begins again with the read.
import { isConflict } from './failure.ts';

/** Whoever loses so many times in a row has to come back another time. */
const MOST_TRIES = 4;

/** Runs it again, from its first read on, when a precondition did not hold: `tries` says which run it is, from 1. Throws the last Conflict. */
export async function uncontested<T>(body: (tries: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await body(tries);
    } catch (error) {
      if (!isConflict(error) || tries === MOST_TRIES) throw error;
    }
  }
}
