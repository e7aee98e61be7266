// Whether a Capp should stay where it is: every policy against every trouble, and what a person may change of
// that.
import { review } from '../../../workflows/placement/review.ts';
import { type PlacementHistory } from '../../../workflows/placement/outcome.ts';
import { type Rules } from '../../../workflows/placement/outcome.ts';
import type { ClusterFacts, PlacedInputs, PlacementInputs } from '../../../workflows/placement/inputs.ts';
import type { Request } from '../../../workflows/types/moves.ts';
import { NOW } from '../../support/builders/states.ts';

type Placed = PlacedInputs;

const MEMBER: ClusterFacts = {
  isHub: false,
  accepted: true,
  deleting: false,
  reachable: true,
  tainted: false,
  mayPin: true,
};
const RULES: Rules = {
  policy: 'Evacuate',
  strategy: 'MakeBeforeBreak',
  failback: 'Never',
  stabilisationMs: 300_000,
  cooldownMs: 600_000,
  deadlineMs: 600_000,
};
const STANDING: PlacementHistory = { placedFor: '', pin: null, home: null, request: null };

/** On a, while placement `all` decides for b. */
function aField(facts: Partial<ClusterFacts> | null = {}, plain: Partial<Placed> = {}): Placed {
  const a = facts === null ? {} : { a: { ...MEMBER, ...facts } };
  return {
    site: '',
    placements: ['all'],
    config: { namespace: 'rcs-deployer-system', name: 'rcs-config' },
    placementsNamespace: 'placements',
    byPlacement: { all: { clusters: ['b'], complete: true } },
    clusters: { ...a, b: MEMBER, c: MEMBER, hub: { ...MEMBER, isHub: true } },
    load: {},
    scores: {},
    works: { a: { leaving: false } },
    present: 'a',
    avoid: {},
    ...plain,
  };
}

function aRequest(to: string | null): Request {
  return { source: 'signal', id: 'signal-1', to, by: 'you', why: '', force: false };
}

/** `stays Manual`, or `Tainted b`. */
function said(inputs: Placed, history: Partial<PlacementHistory> = {}, rules: Partial<Rules> = {}): string {
  const reviewed = review(inputs, { ...STANDING, ...history }, { ...RULES, ...rules }, NOW);
  return reviewed.goes ? `${reviewed.reason} ${reviewed.to}` : `stays ${reviewed.reason}`;
}

const TAINTED = { tainted: true };
const LOST = { reachable: false };
const DELETING = { deleting: true };

test.each<[Rules['policy'], string, Partial<ClusterFacts> | null, string]>([
  ['Evacuate', 'well', {}, 'stays NotSelected'],
  ['Evacuate', 'tainted', TAINTED, 'Tainted b'],
  ['Evacuate', 'lost', LOST, 'SiteLost b'],
  ['Evacuate', 'going', DELETING, 'SiteGone b'],
  ['Evacuate', 'gone', null, 'SiteGone b'],
  ['Follow', 'well', {}, 'NotSelected b'],
  ['Follow', 'tainted', TAINTED, 'Tainted b'],
  ['Follow', 'lost', LOST, 'SiteLost b'],
  ['Follow', 'gone', null, 'SiteGone b'],
  ['Manual', 'well', {}, 'stays Manual'],
  ['Manual', 'tainted', TAINTED, 'stays Manual'],
  ['Manual', 'lost', LOST, 'stays Manual'],
  ['Manual', 'gone', null, 'stays Manual'],
])('with %s, a site that is %s and no longer decided for', (policy, _name, facts, expected) => {
  expect(said(aField(facts), {}, { policy })).toBe(expected);
});

test.each(['Evacuate', 'Follow', 'Manual'] as const)(
  'with %s, a site that is decided for is kept, tainted or not',
  (policy) => {
    const byPlacement = { all: { clusters: ['a', 'b'], complete: true } };
    expect(said(aField({}, { byPlacement }), {}, { policy })).toBe('stays NotMoving');
    expect(said(aField(TAINTED, { byPlacement }), {}, { policy })).toBe('stays NotMoving');
  },
);

describe('a site that spec.site names', () => {
  test.each<[string, Partial<ClusterFacts>, string]>([
    ['well', {}, 'stays NotMoving'],
    ['tainted', TAINTED, 'stays Pinned'],
    ['lost', LOST, 'stays Pinned'],
  ])('is kept when it is %s', (_name, facts, expected) => {
    expect(said(aField(facts, { site: 'a' }), { placedFor: 'a' })).toBe(expected);
  });

  test.each(['Evacuate', 'Follow', 'Manual'] as const)(
    'with %s, another one is gone to, whatever is known of the present one',
    (policy) => {
      expect(said(aField({}, { site: 'c' }), { placedFor: '' }, { policy })).toBe('SiteEdited c');
      expect(said(aField({}, { site: 'c' }), { placedFor: 'c' }, { policy })).toBe('SiteEdited c');
      expect(said(aField({}, { site: 'c' }), { placedFor: null }, { policy })).toBe('SiteEdited c');
    },
  );

  test('and to which nobody is sent by name is kept by who is there, and not gone to by who is not', () => {
    const closed = { ...MEMBER, mayPin: false };
    expect(said(aField({ mayPin: false }, { site: 'a' }), { placedFor: 'a' })).toBe('stays NotMoving');
    expect(said(aField({ ...TAINTED, mayPin: false }, { site: 'a' }), { placedFor: 'a' })).toBe(
      'stays Pinned',
    );
    expect(
      said(aField({}, { site: 'c', clusters: { a: MEMBER, b: MEMBER, c: closed } }), { placedFor: '' }),
    ).toBe('SiteEdited null');
  });

  test('that is unknown is said, and the Capp stays', () => {
    expect(said(aField({}, { site: 'nowhere' }), { placedFor: '' })).toBe('SiteEdited null');
  });
});

describe('decisions that say nothing', () => {
  test.each<[string, PlacementInputs['byPlacement']]>([
    ['emptied', { all: { clusters: [], complete: true } }],
    ['missing', { all: null }],
    ['half-written', { all: { clusters: ['b'], complete: false } }],
  ])('are no reason to follow: %s', (_name, byPlacement) => {
    expect(said(aField({}, { byPlacement }), {}, { policy: 'Follow' })).toBe('stays NotSelected');
  });

  test('keep a tainted site until there is another', () => {
    expect(said(aField(TAINTED, { byPlacement: { all: { clusters: [], complete: true } } }))).toBe(
      'Tainted null',
    );
  });
});

describe('a request', () => {
  test.each<[string, string | null, Partial<Placed>, string]>([
    ['for a site', 'c', {}, 'Asked c'],
    ['for anywhere', null, {}, 'Asked b'],
    ['for where it is', 'a', {}, 'stays NotSelected AlreadyThere'],
    ['for no site', 'nowhere', {}, 'stays NotSelected UnknownSite'],
    [
      'for a site to which nobody is sent by name',
      'c',
      { clusters: { a: MEMBER, b: MEMBER, c: { ...MEMBER, mayPin: false } } },
      'stays NotSelected PinRefused',
    ],
    ['for the hub', 'hub', {}, 'stays NotSelected SelfManaged'],
    ['against spec.site', 'c', { site: 'a' }, 'stays NotMoving Pinned'],
    [
      'for a site whose work is leaving',
      'c',
      { works: { a: { leaving: false }, c: { leaving: true } } },
      'stays NotSelected NoCandidate',
    ],
    ['for a site that failed a while ago', 'c', { avoid: { c: NOW + 1 } }, 'Asked c'],
    ['for anywhere, when all failed', null, { avoid: { b: NOW + 1 } }, 'stays NotSelected NoCandidate'],
  ])('%s', (_name, to, plain, expected) => {
    const inputs = aField({}, plain);
    const reviewed = review(
      inputs,
      { ...STANDING, placedFor: inputs.site, request: aRequest(to) },
      RULES,
      NOW,
    );
    const refusal = reviewed.handled?.outcome === 'Refused' ? ` ${reviewed.handled.reason}` : '';
    expect(reviewed.goes ? `${reviewed.reason} ${reviewed.to}` : `stays ${reviewed.reason}${refusal}`).toBe(
      expected,
    );
  });

  test('is granted under Manual, at once and without its turn', () => {
    const reviewed = review(
      aField(),
      { ...STANDING, request: aRequest('c') },
      { ...RULES, policy: 'Manual' },
      NOW,
    );
    expect(reviewed).toMatchObject({
      goes: true,
      to: 'c',
      terms: { holdMs: 0, cooldownMs: 0, inBulk: false },
    });
  });

  test('keeps the Capp where it was sent, though a decision has left it', () => {
    expect(said(aField(), { pin: 'a' }, { policy: 'Follow' })).toBe('stays NotSelected');
    expect(said(aField(LOST), { pin: 'a' }, { policy: 'Follow' })).toBe('SiteLost b');
  });
});

describe('going back', () => {
  const byPlacement = { all: { clusters: ['a', 'b'], complete: true } };
  const home = { home: 'b' };

  test.each<[Rules['failback'], Rules['policy'], string]>([
    ['Never', 'Evacuate', 'stays NotMoving'],
    ['Manual', 'Evacuate', 'stays NotMoving'],
    ['Automatic', 'Evacuate', 'Failback b'],
    ['Automatic', 'Manual', 'stays NotMoving'],
  ])('with failback %s and policy %s', (failback, policy, expected) => {
    expect(said(aField({}, { byPlacement }), home, { failback, policy })).toBe(expected);
  });

  test('waits while home is avoided, and is nothing for a Capp that a person has placed', () => {
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
])('the terms of %s', (reason, inputs, history, rules, terms) => {
  expect(review(inputs, { ...STANDING, ...history }, { ...RULES, ...rules }, NOW)).toMatchObject({
    goes: true,
    reason,
    terms,
  });
});

test('a tainted site is not left while the decision is written page by page: it may be tolerated', () => {
  const partly = (facts: Partial<ClusterFacts> | null): Placed =>
    aField(facts, { byPlacement: { all: { clusters: ['b'], complete: false } } });
  expect(said(partly(TAINTED))).toBe('stays NotSelected');
  expect([said(partly(LOST)), said(partly(null))]).toEqual(['SiteLost b', 'SiteGone b']);
  expect(said(aField(TAINTED, { byPlacement: { all: { clusters: [], complete: true } } }))).toBe(
    'Tainted null',
  );
});
