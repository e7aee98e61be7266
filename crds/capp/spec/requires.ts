// What a Capp asks of a site: selectors over the labels and the claims of its ManagedCluster, with the
// operators of Kubernetes' label selectors. Only the hub reads it.
import { z } from 'zod';
import { rules } from '../../definitions/rules.ts';

export const FACT_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;

/** A label's or a claim's name: `<prefix>/<name>` at most. */
const LONGEST_KEY = 317;
/** Characters of a claim's value; the value of a label has 63 at most. */
const LONGEST_VALUE = 1024;
const MOST_EXPRESSIONS = 20;
const MOST_VALUES = 50;

const COMPARES = "self.operator == 'In' || self.operator == 'NotIn'";

const Expression = z
  .object({
    key: z.string().min(1).max(LONGEST_KEY),
    operator: z.enum(FACT_OPERATORS),
    values: z.array(z.string().max(LONGEST_VALUE)).max(MOST_VALUES).exactOptional(),
  })
  .meta(
    rules(
      [
        `!(${COMPARES}) || (has(self.values) && size(self.values) > 0)`,
        'In and NotIn need at least one value; to ask only whether the key is there, use Exists',
        '.values',
      ],
      [
        `${COMPARES} || !has(self.values) || size(self.values) == 0`,
        'Exists and DoesNotExist take no values; to compare values, use In or NotIn',
        '.values',
      ],
    ),
  );
export type Expression = z.infer<typeof Expression>;

const Selector = z.object({
  matchLabels: z
    .record(z.string().min(1).max(LONGEST_KEY), z.string().max(LONGEST_VALUE))
    .describe('Each key has this value.')
    .exactOptional(),
  matchExpressions: z.array(Expression).max(MOST_EXPRESSIONS).exactOptional(),
});
export type Selector = z.infer<typeof Selector>;

export const Requires = z
  .object({
    labels: Selector.describe('Over the labels of the ManagedCluster.').exactOptional(),
    claims: Selector.describe('Over its status.clusterClaims, by their names.').exactOptional(),
  })
  .describe('What a site must be like to run the Capp. All of it must be so; no site is asked for nothing.');
export type Requires = z.infer<typeof Requires>;

/** What sites are asked about, as `label/<key>` and `claim/<name>`. */
export function factsAskedFor({ labels, claims }: Requires = {}): string[] {
  return [...keysOf(labels).map((key) => labelFact(key)), ...keysOf(claims).map((name) => claimFact(name))];
}

export function labelFact(key: string): string {
  return `label/${key}`;
}

export function claimFact(name: string): string {
  return `claim/${name}`;
}

function keysOf({ matchLabels = {}, matchExpressions = [] }: Selector = {}): string[] {
  return [...new Set([...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)])];
}
