// No double, and nothing undone. Pure.
import type { Fact } from '../record/fact.ts';
import { nameOf, walk, type Newest } from '../record/history.ts';
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

/** Works are removed when a move is over, and a site that is cut off is waited for. */
export const LEFT_WITHIN_MS = 180_000;

/**
 * A Capp has two works that are not being deleted only while it moves. What is said of a move follows what is
 * written, so each is told that was there for longer than `LEFT_WITHIN_MS` while the Capp did not say so. It
 * does not count while no copy serves where users are sent, or that site is lost: the other one is the last
 * that serves then, and stays.
 */
export function idleCopies(
  facts: readonly Fact[],
  capps: ReadonlySet<string>,
  lost: readonly LostSite[] = [],
): string[] {
  const breaches: string[] = [];
  const idleSince = new Map<string, number>();
  const end = (fact: Fact, capp: string): void => {
    const since = idleSince.get(capp);
    idleSince.delete(capp);
    if (since !== undefined && fact.at - since > LEFT_WITHIN_MS)
      breaches.push(
        breachAt(fact, `${capp} had two works for ${fact.at - since} ms while it did not say that it moves.`),
      );
  };
  let last: Fact | undefined;
  walk(facts, (fact, _, newest) => {
    last = fact;
    const capp = fact.kind === 'ManifestWork' ? fact.of : fact.kind === 'Capp' ? fact.key : null;
    if (capp === null || !capps.has(capp)) return;
    const isLost = (site: string): boolean =>
      lost.some((one) => one.site === site && one.from <= fact.at && fact.at <= one.to);
    if (!isIdle(capp, newest, isLost)) end(fact, capp);
    else if (!idleSince.has(capp)) idleSince.set(capp, fact.at);
  });
  if (last !== undefined) for (const capp of idleSince.keys()) end(last, capp);
  return breaches;
}

/** Times in milliseconds since the epoch. */
export interface LostSite {
  readonly site: string;
  readonly from: number;
  readonly to: number;
}

/** It has two works, does not say that it moves, and needs only one of them. */
function isIdle(capp: string, newest: Newest, isLost: (site: string) => boolean): boolean {
  const works = [...newest.values()].filter(
    (one) => one.kind === 'ManifestWork' && one.of === capp && !one.isLeaving,
  );
  const said = newest.get(nameOf({ cluster: 'hub', kind: 'Capp', key: capp }));
  if (works.length < 2 || said === undefined || said.isLeaving || said.isMoving) return false;
  const { served } = said;
  if (served === null || isLost(served)) return false;
  return newest.get(nameOf({ cluster: served, kind: 'Capp', key: capp }))?.isServing === true;
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
