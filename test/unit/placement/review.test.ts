// Whether a Capp stays on its site: each policy with each state of the site, and what spec.site and move
// requests change about that.
import { review } from '../../../workflows/placement/review.ts';
import type { PlacementHistory, Rules } from '../../../workflows/placement/outcome.ts';
import type { ClusterFacts, PlacedInputs, PlacementInputs } from '../../../workflows/placement/inputs.ts';
import type { Request } from '../../../workflows/types/moves.ts';
import { aField as plainField, MEMBER, members, NOT_ASKED, RULES } from '../../support/builders/placement.ts';
import { NOW } from '../../support/builders/states.ts';

type Placed = PlacedInputs;

/** The Capp is on a, while the decisions of placement `all` contain only b. */
function aField(facts: Partial<ClusterFacts> | null = {}, plain: Partial<Placed> = {}): Placed {
  const a = facts === null ? {} : { a: { ...MEMBER, ...facts } };
  const field = plainField({
    byPlacement: { all: { clusters: ['b'], complete: true } },
    clusters: { ...a, ...members('b', 'c'), hub: { ...MEMBER, isHub: true } },
    works: { a: { leaving: false } },
  });
  return { ...field, present: 'a', ...plain };
}

/** By annotation, unless said otherwise. */
function aRequest(to: string | null, source: Request['source'] = 'migrate'): Request {
  return { source, id: 'request-1', to, by: 'you', why: '', force: false };
}

/** The result of the review as text: `stays Manual`, or `Tainted b`. */
function said(inputs: Placed, history: Partial<PlacementHistory> = {}, rules: Partial<Rules> = {}): string {
  const reviewed = review(inputs, { ...NOT_ASKED, ...history }, { ...RULES, ...rules }, NOW);
  return reviewed.goes ? `${reviewed.reason} ${reviewed.to}` : `stays ${reviewed.reason}`;
}

const TAINTED = { tainted: true };
const LOST = { reachable: false };
const DELETING = { deleting: true };

test.each<[Rules['policy'], string, Partial<ClusterFacts> | null, string]>([
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
    expect(said(aField(facts), {}, { policy })).toBe(expected);
  },
);

test.each(['Evacuate', 'Follow', 'Manual'] as const)(
  'with policy %s, a Capp stays on a site in the decisions, tainted or not',
  (policy) => {
    const byPlacement = { all: { clusters: ['a', 'b'], complete: true } };
    expect(said(aField({}, { byPlacement }), {}, { policy })).toBe('stays NotMoving');
    expect(said(aField(TAINTED, { byPlacement }), {}, { policy })).toBe('stays NotMoving');
  },
);

describe('a site that spec.site names', () => {
  test.each<[string, Partial<ClusterFacts>, string]>([
    ['available', {}, 'stays NotMoving'],
    ['tainted', TAINTED, 'stays Pinned'],
    ['unreachable', LOST, 'stays Pinned'],
  ])('is kept while it is %s', (_name, facts, expected) => {
    expect(said(aField(facts, { site: 'a' }), { placedFor: 'a' })).toBe(expected);
  });

  test.each(['Evacuate', 'Follow', 'Manual'] as const)(
    'is moved to under policy %s when the Capp is on another site',
    (policy) => {
      expect(said(aField({}, { site: 'c' }), { placedFor: '' }, { policy })).toBe('SiteEdited c');
      expect(said(aField({}, { site: 'c' }), { placedFor: 'c' }, { policy })).toBe('SiteEdited c');
      expect(said(aField({}, { site: 'c' }), { placedFor: null }, { policy })).toBe('SiteEdited c');
    },
  );

  test('and may no longer be named is kept by a Capp that is there, and not moved to by one that is not', () => {
    const closed = { ...MEMBER, mayPin: false };
    expect(said(aField({ mayPin: false }, { site: 'a' }), { placedFor: 'a' })).toBe('stays NotMoving');
    expect(said(aField({ ...TAINTED, mayPin: false }, { site: 'a' }), { placedFor: 'a' })).toBe(
      'stays Pinned',
    );
    expect(
      said(aField({}, { site: 'c', clusters: { a: MEMBER, b: MEMBER, c: closed } }), { placedFor: '' }),
    ).toBe('SiteEdited null');
  });

  test('and does not exist gives reason SiteEdited without a target, so that the Capp stays', () => {
    expect(said(aField({}, { site: 'nowhere' }), { placedFor: '' })).toBe('SiteEdited null');
  });
});

describe('unusable placement decisions', () => {
  test.each<[string, PlacementInputs['byPlacement']]>([
    ['empty', { all: { clusters: [], complete: true } }],
    ['missing', { all: null }],
    ['incomplete', { all: { clusters: ['b'], complete: false } }],
  ])('do not make a Capp with policy Follow move when they are %s', (_name, byPlacement) => {
    expect(said(aField({}, { byPlacement }), {}, { policy: 'Follow' })).toBe('stays NotSelected');
  });

  test('keep a Capp on its tainted site until they contain another one', () => {
    expect(said(aField(TAINTED, { byPlacement: { all: { clusters: [], complete: true } } }))).toBe(
      'Tainted null',
    );
  });
});

describe('a Capp that stays on a site that no placement selects any more', () => {
  const messageOf = (works: PlacementInputs['works'], doubtful: readonly string[] = []): string =>
    review(aField({}, { works, doubtful }), NOT_ASKED, RULES, NOW).message;

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

describe('a move request', () => {
  test.each<[string, string | null, Partial<Placed>, string]>([
    ['for a site', 'c', {}, 'Asked c'],
    ['for any other site', null, {}, 'Asked b'],
    ['for the site that the Capp is on', 'a', {}, 'stays NotSelected AlreadyThere'],
    ['for a site that does not exist', 'nowhere', {}, 'stays NotSelected UnknownSite'],
    [
      'for a site that may not be named',
      'c',
      { clusters: { a: MEMBER, b: MEMBER, c: { ...MEMBER, mayPin: false } } },
      'stays NotSelected PinRefused',
    ],
    ['for the hub', 'hub', {}, 'stays NotSelected SelfManaged'],
    ['against spec.site', 'c', { site: 'a' }, 'stays NotMoving Pinned'],
    [
      'for a site where a work of the Capp is being deleted',
      'c',
      { works: { a: { leaving: false }, c: { leaving: true } } },
      'stays NotSelected StillLeaving',
    ],
    [
      'for any other site while the only one still removes an earlier copy',
      null,
      { works: { a: { leaving: false }, b: { leaving: true } } },
      'stays NotSelected StillLeaving',
    ],
    ['for a site that failed the Capp a while ago', 'c', { avoid: { c: NOW + 1 } }, 'Asked c'],
    [
      'for any other site while all others are avoided',
      null,
      { avoid: { b: NOW + 1 } },
      'stays NotSelected NoCandidate',
    ],
  ])('%s gets its answer', (_name, to, plain, expected) => {
    const inputs = aField({}, plain);
    const reviewed = review(
      inputs,
      { ...NOT_ASKED, placedFor: inputs.site, request: aRequest(to) },
      RULES,
      NOW,
    );
    const refusal = reviewed.handled?.outcome === 'Refused' ? ` ${reviewed.handled.reason}` : '';
    expect(reviewed.goes ? `${reviewed.reason} ${reviewed.to}` : `stays ${reviewed.reason}${refusal}`).toBe(
      expected,
    );
  });

  test.each<[string, string | null, Partial<Placed>, string]>([
    ['for a site that a placement has decided for', 'b', {}, 'Asked b'],
    ['for any other site', null, {}, 'Asked b'],
    ['for a site that no placement has decided for', 'c', {}, 'stays NotSelected NoDecision'],
    ['for a site that does not exist', 'nowhere', {}, 'stays NotSelected UnknownSite'],
    [
      'for a site that another placement than the one in spec.site has decided for',
      'c',
      {
        site: 'all',
        placements: ['all', 'others'],
        byPlacement: {
          all: { clusters: ['a', 'b'], complete: true },
          others: { clusters: ['c'], complete: true },
        },
      },
      'stays NotMoving NoDecision',
    ],
  ])('by a message to Temporal %s gets its answer', (_name, to, plain, expected) => {
    const inputs = aField({}, plain);
    for (const source of ['signal', 'update'] as const) {
      const history = { ...NOT_ASKED, placedFor: inputs.site, request: aRequest(to, source) };
      const reviewed = review(inputs, history, RULES, NOW);
      const refusal = reviewed.handled?.outcome === 'Refused' ? ` ${reviewed.handled.reason}` : '';
      expect(reviewed.goes ? `${reviewed.reason} ${reviewed.to}` : `stays ${reviewed.reason}${refusal}`).toBe(
        expected,
      );
    }
  });

  test('by a message that no placement supports is told how to ask with the rights of a user of Kubernetes', () => {
    const history = { ...NOT_ASKED, request: aRequest('c', 'signal') };
    expect(review(aField(), history, RULES, NOW).handled?.message).toContain(
      'kubectl capp move <name> c, or annotation rcs.dana.io/migrate=c#<new word>',
    );
  });

  test('is granted under policy Manual, at once and without a turn', () => {
    const reviewed = review(
      aField(),
      { ...NOT_ASKED, request: aRequest('c') },
      { ...RULES, policy: 'Manual' },
      NOW,
    );
    expect(reviewed).toMatchObject({
      goes: true,
      to: 'c',
      terms: { holdMs: 0, cooldownMs: 0, inBulk: false },
    });
  });

  test('keeps the Capp on the requested site, even if the decisions no longer contain it', () => {
    expect(said(aField(), { pin: 'a' }, { policy: 'Follow' })).toBe('stays NotSelected');
    expect(said(aField(LOST), { pin: 'a' }, { policy: 'Follow' })).toBe('SiteLost b');
  });
});

describe('failback', () => {
  const byPlacement = { all: { clusters: ['a', 'b'], complete: true } };
  const home = { home: 'b' };

  test.each<[Rules['failback'], Rules['policy'], string]>([
    ['Never', 'Evacuate', 'stays NotMoving'],
    ['Manual', 'Evacuate', 'stays NotMoving'],
    ['Automatic', 'Evacuate', 'Failback b'],
    ['Automatic', 'Manual', 'stays NotMoving'],
  ])('follows setting %s and policy %s', (failback, policy, expected) => {
    expect(said(aField({}, { byPlacement }), home, { failback, policy })).toBe(expected);
  });

  test('does not happen while the home site is avoided, or for a Capp that a person has moved', () => {
    expect(said(aField({}, { byPlacement, avoid: { b: NOW + 1 } }), home, { failback: 'Automatic' })).toBe(
      'stays NotMoving',
    );
    expect(said(aField({}, { byPlacement }), { ...home, pin: 'a' }, { failback: 'Automatic' })).toBe(
      'stays NotMoving',
    );
  });
});

test.each<[string, Placed, Partial<PlacementHistory>, Partial<Rules>, object]>([
  ['Tainted', aField(TAINTED), {}, {}, { holdMs: 0, cooldownMs: 600_000, inBulk: true }],
  ['SiteLost', aField(LOST), {}, {}, { holdMs: 0, cooldownMs: 0, inBulk: true }],
  ['NotSelected', aField(), {}, { policy: 'Follow' }, { holdMs: 300_000, cooldownMs: 600_000, inBulk: true }],
  ['SiteEdited', aField({}, { site: 'c' }), {}, {}, { holdMs: 0, cooldownMs: 0, inBulk: false }],
])('the terms of a move with reason %s', (reason, inputs, history, rules, terms) => {
  expect(review(inputs, { ...NOT_ASKED, ...history }, { ...RULES, ...rules }, NOW)).toMatchObject({
    goes: true,
    reason,
    terms,
  });
});

test('a Capp does not leave a tainted site while the decisions are incomplete', () => {
  const partly = (facts: Partial<ClusterFacts> | null): Placed =>
    aField(facts, { byPlacement: { all: { clusters: ['b'], complete: false } } });
  expect(said(partly(TAINTED))).toBe('stays NotSelected');
  expect([said(partly(LOST)), said(partly(null))]).toEqual(['SiteLost b', 'SiteGone b']);
  expect(said(aField(TAINTED, { byPlacement: { all: { clusters: [], complete: true } } }))).toBe(
    'Tainted null',
  );
});
