// An app leaves its site for its health only where the storm has made it ill. Pure.
import type { Fact } from '../record/fact.ts';
import { walk } from '../record/history.ts';
import { breachAt } from './breach.ts';

/** An app that answers nobody on this site from then on. */
export interface Illness {
  /** `namespace/name` of the Capp. */
  readonly app: string;
  readonly site: string;
  /** In milliseconds since the epoch. */
  readonly from: number;
}

/** One breach for each move that was made for the health of an app that nothing ailed. */
export function groundlessCures(facts: readonly Fact[], illnesses: readonly Illness[]): string[] {
  const breaches: string[] = [];
  walk(facts, (fact, before) => {
    const isNew = fact.movedFor === 'Unhealthy' && before?.movedFor !== 'Unhealthy';
    if (fact.kind !== 'Capp' || fact.cluster !== 'hub' || !isNew) return;
    if (illnesses.some(({ app, from }) => app === fact.key && from <= fact.at)) return;
    breaches.push(breachAt(fact, `${fact.key} was moved for its health, and nothing had made it ill.`));
  });
  return breaches;
}

/** Whether this is what becomes of an app that is ill. */
export function isIllThere({ cluster, key, at }: Fact, illnesses: readonly Illness[]): boolean {
  return illnesses.some(({ app, site, from }) => app === key && site === cluster && from <= at);
}
