// No value of a Secret stands in a ManifestWork, where Secrets are sealed. Pure.
import type { Fact } from '../record/fact.ts';
import { breachAt } from './breach.ts';

/** One breach for each version of a work that shows the value. */
export function plainSecrets(facts: readonly Fact[]): string[] {
  return facts
    .filter(({ kind, showsSecret }) => kind === 'ManifestWork' && showsSecret)
    .map((fact) => breachAt(fact, `${fact.key} had a Secret that was not sealed.`));
}
