// No double, and nothing undone. Pure.
import type { Fact } from '../record/fact.ts';
import { nameOf, walk } from '../record/history.ts';
import { breachAt } from './breach.ts';

const MOST_WORKS = 2;

/**
 * A Capp has at most two works that are not being deleted. `capps` are the keys of all Capps of the storm.
 */
export function crowds(facts: readonly Fact[], capps: ReadonlySet<string>): string[] {
  const breaches: string[] = [];
  walk(facts, (fact, before, newest) => {
    const { kind, of, isGone, isLeaving } = fact;
    const isNew = before === undefined || before.isLeaving;
    if (kind !== 'ManifestWork' || of === null || !capps.has(of) || isGone || isLeaving || !isNew) return;
    const works = [...newest.values()].filter(
      (one) => one.kind === 'ManifestWork' && one.of === of && !one.isLeaving,
    );
    if (works.length > MOST_WORKS)
      breaches.push(
        breachAt(fact, `${of} had ${works.length} works: ${works.map(({ key }) => key).join(', ')}.`),
      );
  });
  return breaches;
}

/**
 * An older edit never comes back, on no cluster and in no kind, also when the object was deleted in between:
 * each edit of a storm has a greater number than all before it.
 */
export function undone(facts: readonly Fact[]): string[] {
  const breaches: string[] = [];
  const greatest = new Map<string, number>();
  for (const fact of facts) {
    const name = nameOf(fact);
    const known = greatest.get(name) ?? 0;
    if (fact.edition === null) continue;
    if (fact.edition < known)
      breaches.push(breachAt(fact, `${name} got edit ${fact.edition} after it had had ${known}.`));
    greatest.set(name, Math.max(known, fact.edition));
  }
  return breaches;
}
