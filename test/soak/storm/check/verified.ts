// No stage begins before the checks of the stage before it have passed. Pure.
import type { Fact } from '../record/fact.ts';
import { walk } from '../record/history.ts';
import { breachAt } from './breach.ts';

/** A set or a Bundle, a stage of it that is checked, and the copies that come later. */
export interface Checked {
  readonly owner: string;
  readonly stage: string;
  /** Keys of the copies that are checked. */
  readonly checked: readonly string[];
  /** Whether a copy, by its key, is of a later stage. */
  isLater(key: string): boolean;
}

/**
 * A later copy gets an edit only when each copy that is checked has passed its checks with the revision of
 * that edit, unless a person has let that stage pass with it.
 */
export function unverified(facts: readonly Fact[], { owner, stage, checked, isLater }: Checked): string[] {
  const breaches: string[] = [];
  const revisions = new Map<number, string>();
  const approved = new Set<string>();
  const passed = new Set<string>();
  walk(facts, (fact, before) => {
    const { edition, rollout, verified } = fact;
    if (isOwner(fact, owner)) {
      if (edition !== null && rollout !== null) revisions.set(edition, rollout);
      if (fact.approved !== null) approved.add(fact.approved);
    }
    if (fact.of !== owner || fact.cluster !== 'hub') return;
    if (verified !== null) passed.add(`${fact.key} ${verified}`);
    if (!isLater(fact.key) || edition === null || edition === before?.edition) return;
    const revision = revisions.get(edition) ?? '';
    const lacking = checked.filter((key) => !passed.has(`${key} ${revision}`));
    if (lacking.length > 0 && !approved.has(`${stage}#${revision}`))
      breaches.push(breachAt(fact, lackingText(fact, owner, lacking)));
  });
  return breaches;
}

const isOwner = ({ kind, key }: Fact, owner: string): boolean =>
  key === owner && (kind === 'CappSet' || kind === 'Bundle');

const lackingText = ({ key, edition }: Fact, owner: string, lacking: readonly string[]): string =>
  `${key} got edit ${edition} of ${owner}, and its checks had not passed on ${lacking.join(', ')}.`;
