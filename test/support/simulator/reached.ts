// How far several processes have come that live through seeds side by side.

export interface Reached {
  readonly count: number;
  /** All seeds before it have been lived. */
  readonly next: number;
  add(seed: number): void;
}

export function reached(first: number): Reached {
  const beyond = new Set<number>();
  let [count, next] = [0, first];
  return {
    get count() {
      return count;
    },
    get next() {
      return next;
    },
    add: (seed) => {
      count += 1;
      beyond.add(seed);
      while (beyond.delete(next)) next += 1;
    },
  };
}
