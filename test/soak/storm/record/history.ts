// Walks over what was recorded, with the newest state of every object at each step. Pure.
import type { Fact } from './fact.ts';

export type Newest = ReadonlyMap<string, Fact>;

/** Names an object among those of all clusters. */
export function nameOf({ cluster, kind, key }: Pick<Fact, 'cluster' | 'kind' | 'key'>): string {
  return `${cluster} ${kind} ${key}`;
}

/**
 * Tells each fact in order, with the newest of every object before it and after it. What is gone is not among
 * the newest.
 */
export function walk(
  facts: readonly Fact[],
  see: (fact: Fact, before: Fact | undefined, newest: Newest) => void,
): void {
  const newest = new Map<string, Fact>();
  for (const fact of facts) {
    const name = nameOf(fact);
    const before = newest.get(name);
    if (fact.isGone) newest.delete(name);
    else newest.set(name, fact);
    see(fact, before, newest);
  }
}
