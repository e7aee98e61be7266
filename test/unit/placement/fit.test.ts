// Which sites fit `spec.requires`, what a choice and a review make of those that do not, and what people
// read.
import { lackOf, type ClusterIdentity } from '../../../workflows/placement/fit.ts';
import type { ClusterFacts, PlacedInputs, PlacementInputs } from '../../../workflows/placement/inputs.ts';
import type { PlacementHistory, CappMoveRules } from '../../../workflows/placement/outcome.ts';
import { review } from '../../../workflows/placement/review.ts';
import { select } from '../../../workflows/placement/select.ts';
import type { Requires } from '../../../crds/capp/spec/requires.ts';
import { selects } from '../../../crds/kubernetes/label-selector.ts';
import { aField as plainField, MEMBER, NOT_ASKED, RULES } from '../../support/builders/placement.ts';
import { NOW } from '../../support/builders/states.ts';

type Operator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
const asks = (key: string, operator: Operator, ...values: string[]) => ({
  matchExpressions: [{ key, operator, ...(values.length === 0 ? {} : { values }) }],
});
const EU: ClusterIdentity = {
  labels: { region: 'eu', empty: '' },
  claims: [
    { name: 'arch', value: 'arm64' },
    { name: 'gpu', value: 'nvidia:2' },
  ],
};

test.each<[string, Requires | undefined, string | null]>([
  ['nothing', undefined, null],
  ['nothing, in so many words', { labels: {}, claims: { matchExpressions: [] } }, null],
  ['a label that it has', { labels: { matchLabels: { region: 'eu' } } }, null],
  ['another value of a label', { labels: { matchLabels: { region: 'us' } } }, 'label region In (us)'],
  ['one of several values', { labels: asks('region', 'In', 'us', 'eu') }, null],
  ['a label that it does not have', { labels: asks('zone', 'In', 'a') }, 'label zone In (a)'],
  ['another value than it has', { labels: asks('region', 'NotIn', 'eu') }, 'label region NotIn (eu)'],
  ['no certain value of a label that it does not have', { labels: asks('zone', 'NotIn', 'a') }, null],
  ['that a label is there, with any value', { labels: asks('empty', 'Exists') }, null],
  ['that a label is there that it does not have', { labels: asks('zone', 'Exists') }, 'label zone Exists'],
  ['that a label is not there', { labels: asks('zone', 'DoesNotExist') }, null],
  ['that its label is not there', { labels: asks('region', 'DoesNotExist') }, 'label region DoesNotExist'],
  ['a name of every object', { labels: asks('toString', 'Exists') }, 'label toString Exists'],
  ['a claim that it makes', { claims: asks('arch', 'In', 'arm64') }, null],
  ['another value of a claim', { claims: { matchLabels: { arch: 'amd64' } } }, 'claim arch In (amd64)'],
  ['a claim by a name that is a label', { claims: asks('region', 'Exists') }, 'claim region Exists'],
  [
    'both, where only the label is right',
    { labels: asks('region', 'Exists'), claims: asks('gpu', 'DoesNotExist') },
    'claim gpu DoesNotExist',
  ],
  [
    'many values',
    { labels: asks('region', 'In', 'a', 'b', 'c', 'd', 'e') },
    'label region In (a, b, c and 2 more)',
  ],
  [
    'an operator of another version',
    { labels: { matchExpressions: [{ key: 'region', operator: 'Gt' as never, values: ['1'] }] } },
    'label region Gt (1)',
  ],
])('of a site is asked %s: what it lacks is said, or nothing', (_title, requires, lack) => {
  expect(lackOf(requires, EU)).toBe(lack);
});

test('a selector means the same to a Capp as to Kubernetes and OCM, for every operator, value and absence', () => {
  for (const operator of ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const)
    for (const value of [undefined, '', 'x', 'y'])
      for (const values of [['x'], ['y', ''], ['z']]) {
        const labels: Record<string, string> = value === undefined ? {} : { key: value };
        const given = operator === 'In' || operator === 'NotIn' ? { values } : {};
        const selector = { matchExpressions: [{ key: 'key', operator, ...given }] };
        expect(lackOf({ labels: selector }, { labels, claims: [] }) === null).toBe(selects(selector, labels));
      }
});

test('what a site lacks is short, however long the key and the values are', () => {
  const lack = lackOf({ labels: asks('k'.repeat(300), 'In', 'v'.repeat(1_000)) }, EU);
  expect(lack).toHaveLength(200);
});

const inRegion = (region: string): ClusterFacts => ({ ...MEMBER, labels: { region } });
const EUROPE: Requires = { labels: asks('region', 'In', 'eu') };

/** Placement `all` has decided for a in America, and for b and c in Europe. */
function aField(plain: Partial<PlacementInputs> = {}): PlacementInputs {
  return plainField({
    requires: EUROPE,
    clusters: { a: inRegion('us'), b: inRegion('eu'), c: inRegion('eu') },
    scores: { a: 100 },
    ...plain,
  });
}

describe('a choice', () => {
  test('takes only sites that fit, and its record says which expression does not hold on the others', () => {
    const { cluster, record } = select(aField(), NOW);
    expect(cluster).toBe('b');
    expect(record.excluded).toEqual([
      { reason: 'Unfit', failed: 'label region In (eu)', count: 1, examples: ['a'] },
    ]);
  });

  test('of no site that fits says NoCandidate, how many there are for each expression, and what helps', () => {
    const sites = Array.from({ length: 6 }, (_, index) => `s${index}`);
    const requires = { labels: asks('region', 'In', 'eu'), claims: asks('gpu', 'Exists') };
    const clusters = Object.fromEntries(
      sites.map((name, index) => [name, inRegion(index < 2 ? 'eu' : 'us')]),
    );
    const byPlacement = { all: { clusters: sites, complete: true } };
    const selection = select(aField({ requires, clusters, byPlacement }), NOW);
    expect(selection).toMatchObject({ cluster: null, reason: 'NoCandidate' });
    expect(selection.record.excluded).toEqual([
      { reason: 'Unfit', failed: 'label region In (eu)', count: 4, examples: ['s2', 's3', 's4'] },
      { reason: 'Unfit', failed: 'claim gpu Exists', count: 2, examples: ['s0', 's1'] },
    ]);
    expect(selection.message).toBe(
      'No selected cluster can take the Capp: s2, s3, s4 and 1 more do not fit spec.requires (label region In (eu)); s0 and s1 do not fit spec.requires (claim gpu Exists). Correct spec.requires, or let a Placement select a site that fits; the Capp goes on when one does.',
    );
  });

  test('of sites that fail in many ways tells the five most frequent apart, and counts all', () => {
    const keys = Array.from({ length: 9 }, (_, index) => `k${index}`);
    const requires = {
      labels: { matchExpressions: keys.map((key) => ({ key, operator: 'Exists' as const })) },
    };
    const clusters = Object.fromEntries(
      keys.map((_, index) => [
        `s${index}`,
        { ...MEMBER, labels: Object.fromEntries(keys.slice(0, index).map((key) => [key, ''])) },
      ]),
    );
    const byPlacement = { all: { clusters: Object.keys(clusters), complete: true } };
    const { record } = select(aField({ requires, clusters, byPlacement }), NOW);
    expect(record.excluded).toHaveLength(6);
    expect(record.excluded.at(-1)).toEqual({ reason: 'Unfit', count: 4, examples: ['s5', 's6', 's7'] });
  });

  test('is made among the sites of the first placement that has decided for one that fits', () => {
    const byPlacement = {
      america: { clusters: ['a'], complete: true },
      europe: { clusters: ['b'], complete: true },
    };
    const field = aField({ placements: ['america', 'europe'], byPlacement });
    expect(select(field, NOW)).toMatchObject({ cluster: 'b', record: { placement: 'europe' } });
    const { requires: _any, ...others } = field;
    expect(select(others, NOW)).toMatchObject({ cluster: 'a', record: { placement: 'america' } });
  });

  test('by name is refused where the site does not fit, and says so', () => {
    const selection = select(aField({ site: 'a' }), NOW);
    expect(selection).toMatchObject({ cluster: null, reason: 'NoCandidate' });
    expect(selection.message).toContain('a does not fit spec.requires (label region In (eu))');
    expect(select(aField({ site: 'b' }), NOW)).toMatchObject({ cluster: 'b', pinned: true });
  });
});

/** The Capp runs on a, which is in America. */
function placed(plain: Partial<PlacementInputs> = {}): PlacedInputs {
  return { ...aField({ works: { a: { leaving: false } }, ...plain }), present: 'a' };
}

function said(
  inputs: PlacedInputs,
  rules: Partial<CappMoveRules> = {},
  history: Partial<PlacementHistory> = {},
): string {
  const reviewed = review(inputs, { ...NOT_ASKED, ...history }, { ...RULES, ...rules }, NOW);
  return reviewed.goes ? `${reviewed.reason} ${reviewed.to}` : `stays ${reviewed.reason}`;
}

describe('a site that does not fit any more', () => {
  test.each<[CappMoveRules['policy'], string]>([
    ['Evacuate', 'stays Unfit'],
    ['Manual', 'stays Manual'],
    ['Follow', 'Unfit b'],
  ])('is left only with policy Follow: with %s a Capp %s', (policy, expected) => {
    expect(said(placed(), { policy })).toBe(expected);
    expect(said(placed({ clusters: { ...placed().clusters, a: inRegion('eu') } }), { policy })).toBe(
      'stays NotMoving',
    );
  });

  test('is left only if that lasts, with others in turn, and not soon after another move', () => {
    const reviewed = review(placed(), NOT_ASKED, { ...RULES, policy: 'Follow' }, NOW);
    expect(reviewed).toMatchObject({
      message: 'a does not fit spec.requires (label region In (eu))',
      terms: { holdMs: 300_000, cooldownMs: 600_000, inBulk: true },
    });
  });

  test('is not left for a site that fits no better', () => {
    const clusters = { a: inRegion('us'), b: inRegion('us'), c: inRegion('asia') };
    expect(said(placed({ clusters }), { policy: 'Follow' })).toBe('Unfit null');
  });

  test('is not left where a person has asked for it, by name or by a move, and the message says what it lacks', () => {
    expect(said(placed(), { policy: 'Follow' }, { pin: 'a' })).toBe('stays Unfit');
    const pinned = placed({ site: 'a' });
    expect(said(pinned, { policy: 'Follow' }, { placedFor: 'a' })).toBe('stays Pinned');
    expect(review(pinned, { ...NOT_ASKED, placedFor: 'a' }, RULES, NOW)).toMatchObject({
      message:
        'spec.site names a, which does not fit spec.requires (label region In (eu)); the Capp stays. Change spec.site to move it.',
    });
  });

  test('is judged only while it can be asked: a lost site that is still selected is no reason to leave', () => {
    const clusters = { ...placed().clusters, a: { ...inRegion('us'), reachable: false } };
    expect(said(placed({ clusters }), { policy: 'Follow' })).toBe('stays NotMoving');
  });

  test('cannot be asked for by a person either: the answer says what it lacks', () => {
    const inputs = { ...placed(), present: 'b', works: { b: { leaving: false } } };
    const request = { source: 'signal', id: 's', to: 'a', by: 'you', why: '', force: false } as const;
    expect(review(inputs, { ...NOT_ASKED, request }, RULES, NOW).handled).toMatchObject({
      outcome: 'Refused',
      reason: 'NoCandidate',
      message: expect.stringContaining('a does not fit spec.requires (label region In (eu))'),
    });
  });
});
