// What strategies promise: no stage begins without the approval that it needs, and no more sites are under
// way at once than may be. Pure.
import type { Fact } from '../record/fact.ts';
import { walk } from '../record/history.ts';
import { breachAt } from './breach.ts';

/** A set or a Bundle with a stage that a person must let begin. */
export interface Approved {
  readonly owner: string;
  readonly stage: string;
  /** Whether a copy, by its key, is of that stage. */
  isInStage(key: string): boolean;
}

/**
 * A copy in the stage gets an edit only after a person has approved the stage for the revision of that edit.
 */
export function unapproved(facts: readonly Fact[], { owner, stage, isInStage }: Approved): string[] {
  const breaches: string[] = [];
  const revisions = new Map<number, string>();
  const approved = new Set<string>();
  walk(facts, (fact, before) => {
    const { edition, rollout } = fact;
    if (fact.key === owner && (fact.kind === 'CappSet' || fact.kind === 'Bundle')) {
      if (edition !== null && rollout !== null) revisions.set(edition, rollout);
      if (fact.approved !== null) approved.add(fact.approved);
    }
    const isCopy = fact.of === owner && fact.cluster === 'hub' && isInStage(fact.key);
    if (!isCopy || edition === null || edition === before?.edition) return;
    const revision = revisions.get(edition);
    if (revision === undefined || !approved.has(`${stage}#${revision}`))
      breaches.push(
        breachAt(fact, `${fact.key} got edit ${edition} of ${owner}, whose stage ${stage} was not approved.`),
      );
  });
  return breaches;
}

/** A set or a Bundle that may have so many sites under way. */
export interface Lanes {
  readonly owner: string;
  readonly maxConcurrent: number;
}

/**
 * When a copy gets an edit, fewer than `maxConcurrent` others have it without having been Ready with it. One
 * that was Ready and is not any more is the site's own matter, and what of it the hub had heard nobody knows.
 */
export function crowdedLanes(facts: readonly Fact[], { owner, maxConcurrent }: Lanes): string[] {
  const breaches: string[] = [];
  const ready = new Set<string>();
  const proofOf = ({ key, edition }: Fact): string => `${key} ${edition}`;
  walk(facts, (fact, before, newest) => {
    if (fact.of !== owner || fact.cluster !== 'hub' || fact.isGone) return;
    if (fact.isReady) ready.add(proofOf(fact));
    if (fact.edition === null || fact.edition === before?.edition) return;
    const others = [...newest.values()].filter(
      (one) =>
        one.of === owner &&
        one.cluster === 'hub' &&
        one.key !== fact.key &&
        one.edition === fact.edition &&
        !ready.has(proofOf(one)),
    );
    if (others.length >= maxConcurrent)
      breaches.push(
        breachAt(
          fact,
          `${fact.key} got edit ${fact.edition} of ${owner} beside ${others.map(({ key }) => key).join(', ')}.`,
        ),
      );
  });
  return breaches;
}
