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

/**
 * The same for many objects: what the selector says is looked through once, since whoever writes it decides
 * how long it is.
 */
export function matcherOf({
  matchLabels = {},
  matchExpressions = [],
}: LabelSelector): (labels: Labels) => boolean {
  const tests = [
    ...Object.entries(matchLabels).map(([key, wanted]) => ({
      key,
      isMet: (value?: string) => value === wanted,
    })),
    ...matchExpressions.map(({ key, operator, values = [] }) => {
      const known = new Set(values);
      return { key, isMet: (value?: string) => holds(value, operator, known) };
    }),
  ];
  return (labels) => tests.every(({ key, isMet }) => isMet(labelOf(labels, key)));
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
    ({ key, operator, values = [] }) =>
      !holds(read(key), operator, { has: (value) => values.includes(value) }),
  );
}

/**
 * Only what an object says itself: each inherits `constructor`, which is a valid name of a label, and no
 * text.
 */
export function labelOf(labels: Labels, key: string): string | undefined {
  const value = labels[key];
  return typeof value === 'string' ? value : undefined;
}

/** A CRD of another version may let in other operators: they hold nowhere. */
function holds(
  value: string | undefined,
  operator: string,
  values: Pick<ReadonlySet<string>, 'has'>,
): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.has(value);
    case 'NotIn':
      return value === undefined || !values.has(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
