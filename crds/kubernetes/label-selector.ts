// Kubernetes' label selectors, as objects write them.

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelExpression[];
}

export interface LabelExpression {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

type Labels = Readonly<Record<string, string>>;

/** An empty selector selects everything. */
export function selects(selector: LabelSelector, labels: Labels = {}): boolean {
  return failing(selector, (key) => labelOf(labels, key)) === undefined;
}

/** The first of its expressions that does not hold; a label to match counts as `In`. */
export function failing(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  read: (key: string) => string | undefined,
): LabelExpression | undefined {
  const toMatch = Object.entries(matchLabels).map(([key, value]): LabelExpression => ({
    key,
    operator: 'In',
    values: [value],
  }));
  return [...toMatch, ...matchExpressions].find(
    ({ key, operator, values = [] }) => !holds(read(key), operator, values),
  );
}

/** Only what an object says itself: each inherits `constructor`, which is a valid name of a label. */
export function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

/** A CRD of another version may let in other operators: they hold nowhere. */
function holds(value: string | undefined, operator: string, values: readonly string[]): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
