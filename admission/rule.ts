// A rule of admission, and its result: problems, patches and warnings.
import type { HubKnowledge } from './known.ts';
import type { Operation } from './patch.ts';
import type { AdmissionRequest } from './request.ts';

export interface Problem {
  /** As a user would write its path. */
  readonly field: string;
  /** Kubernetes' CauseType. */
  readonly reason: 'FieldValueInvalid' | 'FieldValueNotFound' | 'FieldValueDuplicate' | 'FieldValueForbidden';
  /** What is wrong, and what would help. */
  readonly message: string;
  /** It rests on a cache, which may be behind. */
  readonly fromCache: boolean;
  /** It rests on what may never come to be: who has waited for the caches is not refused for it. */
  readonly isPassing?: true;
}

export interface RuleResult {
  readonly problems?: readonly Problem[];
  readonly patches?: readonly Operation[];
  readonly warnings?: readonly string[];
}

/** Pure and total: it accepts an object of any shape. */
export type AdmissionRule<K = HubKnowledge> = (request: AdmissionRequest, known: K) => RuleResult;

const SHOWN = 10;

/** "none", "a, b", or ten of them "and 3 more". */
export function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const sorted = names.toSorted();
  const shown = sorted.slice(0, SHOWN).join(', ');
  return sorted.length > SHOWN ? `${shown} and ${sorted.length - SHOWN} more` : shown;
}
