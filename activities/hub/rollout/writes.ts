// Writes and deletes the copies of one turn, a few at once. What the API server answers about one of them
// keeps none of the others from its turn.
import { ApiError } from '../../../kube/failure.ts';
import { leftOfTry } from '../../trying.ts';
import { fewAtOnce } from '../drain/few-at-once.ts';
import type { Removal } from '../retire/removal.ts';
import { HUB_TIMES } from '../times.ts';
import type { RemovedCopies } from './kind.ts';
import { unremovedOf } from './removing/unremoved.ts';

/** Calls to the API server under way at once. */
export const AT_ONCE = 10;

/**
 * When a turn begins no further write: after `HUB_TIMES.setWrites`, or after half of what is left of its try,
 * so that it can still say what it did. In milliseconds since the epoch.
 */
export function writesUntil(): number {
  return Date.now() + Math.min(HUB_TIMES.setWrites.ms, leftOfTry() / 2);
}

/**
 * What became of each copy, or what the API server answered. Those are missing that were not begun in time
 * (`writesUntil`): the next turn writes them. Throws what is no ApiError.
 */
export async function writeEach<C, T>(
  copies: readonly C[],
  write: (copy: C) => Promise<T>,
): Promise<ReadonlyMap<C, T | ApiError>> {
  const until = writesUntil();
  const tried = new Map<C, T | ApiError>();
  await askEach(copies, async (copy) => {
    if (Date.now() < until) tried.set(copy, await answered(() => write(copy)));
  });
  return tried;
}

/** Throws the first failure at once. */
export async function askEach<C, T>(copies: readonly C[], ask: (copy: C) => Promise<T>): Promise<T[]> {
  const few = fewAtOnce(AT_ONCE);
  return Promise.all(copies.map((copy) => few(() => ask(copy))));
}

async function answered<T>(call: () => Promise<T>): Promise<T | ApiError> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Throws the first failure that is no answer, when all have been tried (`unremovedOf`). */
export async function removeEach<C>(
  copies: readonly C[],
  siteOf: (copy: C) => string,
  remove: (copy: C) => Promise<Removal | 'Unanswered'>,
): Promise<RemovedCopies> {
  const few = fewAtOnce(AT_ONCE);
  const tried = await Promise.allSettled(copies.map((copy) => few(() => remove(copy))));
  const unremoved = unremovedOf(copies.map(siteOf), tried);
  const those = (outcome: Removal | 'Unanswered'): C[] =>
    copies.filter((_, index) => {
      const one = tried[index];
      return one?.status === 'fulfilled' && one.value === outcome;
    });
  return {
    pending: those('Pending').length,
    unremoved,
    changed: those('Changed').map(siteOf),
    unanswered: those('Unanswered').map(siteOf),
  };
}
