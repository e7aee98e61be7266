// A seeded random generator, so that a random test can be repeated (mulberry32, public domain, by T.
// Ettinger).

export interface Random {
  /** In [0, 1). */
  next(): number;
  pick<T>(values: readonly T[]): T;
  chance(probability: number): boolean;
}

/** A local constant, because looking up a global is slow in Jest. */
const { imul } = Math;

export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    pick: <T>(values: readonly T[]): T => {
      const found = values[Math.floor(next() * values.length)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
  };
}
