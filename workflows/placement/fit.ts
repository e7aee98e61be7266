// Whether a site is what a Capp asks for in `spec.requires`, by Kubernetes' rules for label selectors. Pure.
import type { Requires } from '../../crds/capp/spec/requires.ts';
import { failing, labelOf, type LabelExpression } from '../../crds/kubernetes/label-selector.ts';

/** What a cluster's administrators and its site say of it. */
export interface ClusterIdentity {
  readonly labels: Readonly<Record<string, string>>;
  readonly claims: readonly { readonly name: string; readonly value: string }[];
}

const NAMED_VALUES = 3;
const LONGEST = 200;

/**
 * The first expression that does not hold there, for people: `label region In (eu)`. Null if the site fits.
 */
export function lackOf(requires: Requires | undefined, { labels, claims }: ClusterIdentity): string | null {
  const ofLabels = failing(requires?.labels ?? {}, (key) => labelOf(labels, key));
  if (ofLabels !== undefined) return textOf('label', ofLabels);
  const ofClaims = failing(requires?.claims ?? {}, (key) => claims.find(({ name }) => name === key)?.value);
  return ofClaims === undefined ? null : textOf('claim', ofClaims);
}

/** Decision records keep it, so it is short. */
function textOf(kind: 'label' | 'claim', { key, operator, values = [] }: LabelExpression): string {
  const more = values.length - NAMED_VALUES;
  const named = `${values.slice(0, NAMED_VALUES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const text = `${kind} ${key} ${operator}${values.length === 0 ? '' : ` (${named})`}`;
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
