// Whether a Capp stays on its site: each policy with each state of the site, and what spec.site changes about
// that.
import { review } from '../../../workflows/placement/review.ts';
import type { PlacementHistory, CappMoveRules } from '../../../workflows/placement/outcome.ts';
import type { ClusterFacts, PlacedInputs, PlacementInputs } from '../../../workflows/placement/inputs.ts';
import { MEMBER, NOT_ASKED, RULES, aStrayField, reviewedAs } from '../../support/builders/placement.ts';
import { NOW } from '../../support/builders/states.ts';

type Placed = PlacedInputs;

const TAINTED = { tainted: true };
const LOST = { reachable: false };
const DELETING = { deleting: true };

test.each<[CappMoveRules['policy'], string, Partial<ClusterFacts> | null, string]>([
  ['Evacuate', 'available', {}, 'stays NotSelected'],
  ['Evacuate', 'tainted', TAINTED, 'Tainted b'],
  ['Evacuate', 'unreachable', LOST, 'SiteLost b'],
  ['Evacuate', 'being deleted', DELETING, 'SiteGone b'],
  ['Evacuate', 'no longer a managed cluster', null, 'SiteGone b'],
  ['Follow', 'available', {}, 'NotSelected b'],
  ['Follow', 'tainted', TAINTED, 'Tainted b'],
  ['Follow', 'unreachable', LOST, 'SiteLost b'],
  ['Follow', 'no longer a managed cluster', null, 'SiteGone b'],
  ['Manual', 'available', {}, 'stays Manual'],
  ['Manual', 'tainted', TAINTED, 'stays Manual'],
  ['Manual', 'unreachable', LOST, 'stays Manual'],
  ['Manual', 'no longer a managed cluster', null, 'stays Manual'],
])(
  'the policy %s decides whether a Capp leaves a site that is %s and outside the decisions',
  (policy, _name, facts, expected) => {
    expect(reviewedAs(aStrayField(facts), {}, { policy })).toBe(expected);
  },
);

test.each(['Evacuate', 'Follow', 'Manual'] as const)(
  'with policy %s, a Capp stays on a site in the decisions, tainted or not',
  (policy) => {
    const byPlacement = { all: { clusters: ['a', 'b'], complete: true } };
    expect(reviewedAs(aStrayField({}, { byPlacement }), {}, { policy })).toBe('stays NotMoving');
    expect(reviewedAs(aStrayField(TAINTED, { byPlacement }), {}, { policy })).toBe('stays NotMoving');
  },
);

describe('a site that spec.site names', () => {
  test.each<[string, Partial<ClusterFacts>, string]>([
    ['available', {}, 'stays NotMoving'],
    ['tainted', TAINTED, 'stays Pinned'],
    ['unreachable', LOST, 'stays Pinned'],
  ])('is kept while it is %s', (_name, facts, expected) => {
    expect(reviewedAs(aStrayField(facts, { site: 'a' }), { placedFor: 'a' })).toBe(expected);
  });

  test.each(['Evacuate', 'Follow', 'Manual'] as const)(
    'is moved to under policy %s when the Capp is on another site',
    (policy) => {
      expect(reviewedAs(aStrayField({}, { site: 'c' }), { placedFor: '' }, { policy })).toBe('SiteEdited c');
      expect(reviewedAs(aStrayField({}, { site: 'c' }), { placedFor: 'c' }, { policy })).toBe('SiteEdited c');
      expect(reviewedAs(aStrayField({}, { site: 'c' }), { placedFor: null }, { policy })).toBe(
        'SiteEdited c',
      );
    },
  );

  test('and may no longer be named is kept by a Capp that is there, and not moved to by one that is not', () => {
    const closed = { ...MEMBER, mayPin: false };
    expect(reviewedAs(aStrayField({ mayPin: false }, { site: 'a' }), { placedFor: 'a' })).toBe(
      'stays NotMoving',
    );
    expect(reviewedAs(aStrayField({ ...TAINTED, mayPin: false }, { site: 'a' }), { placedFor: 'a' })).toBe(
      'stays Pinned',
    );
    expect(
      reviewedAs(aStrayField({}, { site: 'c', clusters: { a: MEMBER, b: MEMBER, c: closed } }), {
        placedFor: '',
      }),
    ).toBe('SiteEdited null');
  });

  test('and does not exist gives reason SiteEdited without a target, so that the Capp stays', () => {
    expect(reviewedAs(aStrayField({}, { site: 'nowhere' }), { placedFor: '' })).toBe('SiteEdited null');
  });
});

describe('unusable placement decisions', () => {
  test.each<[string, PlacementInputs['byPlacement']]>([
    ['empty', { all: { clusters: [], complete: true } }],
    ['missing', { all: null }],
    ['incomplete', { all: { clusters: ['b'], complete: false } }],
  ])('do not make a Capp with policy Follow move when they are %s', (_name, byPlacement) => {
    expect(reviewedAs(aStrayField({}, { byPlacement }), {}, { policy: 'Follow' })).toBe('stays NotSelected');
  });

  test('keep a Capp on its tainted site until they contain another one', () => {
    expect(reviewedAs(aStrayField(TAINTED, { byPlacement: { all: { clusters: [], complete: true } } }))).toBe(
      'Tainted null',
    );
  });
});

describe('a Capp that stays on a site that no placement selects any more', () => {
  const messageOf = (works: PlacementInputs['works'], doubtful: readonly string[] = []): string =>
    review(aStrayField({}, { works, doubtful }), NOT_ASKED, RULES, NOW).message;

  test('is not called healthy, which nobody asked, but its site is said to be in order', () => {
    const message = messageOf({ a: { leaving: false } });
    expect(message).toMatch(/the Capp stays: a is in order, and spec\.migration\.policy is Evacuate/);
    expect(message).not.toContain('healthy');
  });

  test('may have a work there that only a live read tells from that of another', () => {
    expect(messageOf({}, ['a'])).toContain('the Capp stays');
  });

  test.each([{}, { b: { leaving: false } }])(
    'and was never shipped there is said not to be there: %j',
    (works) => {
      expect(messageOf(works)).toMatch(
        /^No placement selects a any more, and nothing of the Capp is there: it waits to be shipped, and its condition Ready says for what/,
      );
    },
  );
});

describe('failback', () => {
  const byPlacement = { all: { clusters: ['a', 'b'], complete: true } };
  const home = { home: 'b' };

  test.each<[CappMoveRules['failback'], CappMoveRules['policy'], string]>([
    ['Never', 'Evacuate', 'stays NotMoving'],
    ['Manual', 'Evacuate', 'stays NotMoving'],
    ['Automatic', 'Evacuate', 'Failback b'],
    ['Automatic', 'Manual', 'stays NotMoving'],
  ])('follows setting %s and policy %s', (failback, policy, expected) => {
    expect(reviewedAs(aStrayField({}, { byPlacement }), home, { failback, policy })).toBe(expected);
  });

  test('does not happen while the home site is avoided, or for a Capp that a person has moved', () => {
    expect(
      reviewedAs(aStrayField({}, { byPlacement, avoid: { b: NOW + 1 } }), home, { failback: 'Automatic' }),
    ).toBe('stays NotMoving');
    expect(
      reviewedAs(aStrayField({}, { byPlacement }), { ...home, pin: 'a' }, { failback: 'Automatic' }),
    ).toBe('stays NotMoving');
  });
});

test.each<[string, Placed, Partial<PlacementHistory>, Partial<CappMoveRules>, object]>([
  ['Tainted', aStrayField(TAINTED), {}, {}, { holdMs: 0, cooldownMs: 600_000, inBulk: true }],
  ['SiteLost', aStrayField(LOST), {}, {}, { holdMs: 0, cooldownMs: 0, inBulk: true }],
  [
    'NotSelected',
    aStrayField(),
    {},
    { policy: 'Follow' },
    { holdMs: 300_000, cooldownMs: 600_000, inBulk: true },
  ],
  ['SiteEdited', aStrayField({}, { site: 'c' }), {}, {}, { holdMs: 0, cooldownMs: 0, inBulk: false }],
])('the terms of a move with reason %s', (reason, inputs, history, rules, terms) => {
  expect(review(inputs, { ...NOT_ASKED, ...history }, { ...RULES, ...rules }, NOW)).toMatchObject({
    goes: true,
    reason,
    terms,
  });
});

test('a Capp does not leave a tainted site while the decisions are incomplete', () => {
  const partly = (facts: Partial<ClusterFacts> | null): Placed =>
    aStrayField(facts, { byPlacement: { all: { clusters: ['b'], complete: false } } });
  expect(reviewedAs(partly(TAINTED))).toBe('stays NotSelected');
  expect([reviewedAs(partly(LOST)), reviewedAs(partly(null))]).toEqual(['SiteLost b', 'SiteGone b']);
  expect(reviewedAs(aStrayField(TAINTED, { byPlacement: { all: { clusters: [], complete: true } } }))).toBe(
    'Tainted null',
  );
});
