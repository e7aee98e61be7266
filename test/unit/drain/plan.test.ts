// Where the Capps of a cluster would go if it were drained: the same review and choice that would move them,
// one Capp after another.
import { fatesOf, planOf, type Ground, type ReviewedCapp } from '../../../workflows/drain/decide/plan.ts';
import type { CappMoveRules } from '../../../workflows/placement/outcome.ts';
import { MEMBER, members, RULES as PLAIN_RULES } from '../../support/builders/placement.ts';
import { NOW } from '../../support/builders/states.ts';

const RULES: CappMoveRules = { ...PLAIN_RULES, stabilisationMs: 0 };

/** The decisions of placement `all` contain a, b and c. */
function aGround(plain: Partial<Ground> = {}): Ground {
  return {
    placements: ['all', 'only-a'],
    config: { namespace: 'rcs-deployer-system', name: 'rcs-config' },
    placementsNamespace: 'placements',
    byPlacement: {
      all: { clusters: ['a', 'b', 'c'], complete: true },
      'only-a': { clusters: ['a'], complete: true },
    },
    clusters: members('a', 'b', 'c'),
    load: { a: 5, b: 0, c: 0 },
    ...plain,
  };
}

function aSubject(name: string, plain: Partial<ReviewedCapp> = {}): ReviewedCapp {
  return {
    namespace: 'apps',
    name,
    priority: 0,
    site: '',
    works: { a: { leaving: false } },
    scores: {},
    history: { placedFor: '', pin: null, home: null },
    rules: RULES,
    movedAt: null,
    fixed: null,
    ...plain,
  };
}

const PAUSED = { reason: 'Paused', message: 'It is paused.' };
const ALL_OFF = { after: null, bound: [], now: NOW };

function fateOf(subject: Partial<ReviewedCapp>, ground: Partial<Ground> = {}, everything = true) {
  const [fate] = fatesOf('a', aGround(ground), [aSubject('app', subject)], {
    ...ALL_OFF,
    bound: everything ? [] : null,
  });
  return fate;
}

describe('in a drain of site a, a Capp', () => {
  test.each<[string, string | null, string, Partial<ReviewedCapp>, Partial<Ground>]>([
    ['goes to the best other site', 'b', 'Asked', {}, {}],
    ['goes to the other site with fewer Capps', 'c', 'Asked', {}, { load: { b: 1 } }],
    [
      'goes to the other site with the better score',
      'c',
      'Asked',
      { scores: { b: 1, c: 2 } },
      { load: { c: 9 } },
    ],
    [
      'goes even if a person once moved it to a',
      'b',
      'Asked',
      { history: { placedFor: '', pin: 'a', home: null } },
      {},
    ],
    ['goes even if its policy is Manual', 'b', 'Asked', { rules: { ...RULES, policy: 'Manual' } }, {}],
    [
      'does not go to a cluster that is being deleted',
      'c',
      'Asked',
      {},
      { clusters: { a: MEMBER, b: { ...MEMBER, deleting: true }, c: MEMBER } },
    ],
    [
      'goes on to the site where a move of it has begun',
      'b',
      'Asked',
      { works: { a: { leaving: false }, b: { leaving: false } } },
      { load: { b: 9 } },
    ],
    [
      'does not go to a site that is still removing a copy of it',
      'c',
      'Asked',
      { works: { a: { leaving: false }, b: { leaving: true } } },
      {},
    ],
    [
      'stays when spec.site names a',
      null,
      'Pinned',
      { site: 'a', history: { placedFor: 'a', pin: null, home: null } },
      {},
    ],
    [
      'stays when the decisions of its placement contain only a',
      null,
      'NoCandidate',
      { site: 'only-a', history: { placedFor: 'only-a', pin: null, home: null } },
      {},
    ],
    [
      'stays when its placement has no decisions',
      null,
      'NoDecision',
      {},
      { byPlacement: { all: { clusters: [], complete: true } } },
    ],
    ['stays when it is paused', null, 'Paused', { fixed: PAUSED }, {}],
  ])('%s', (_name, to, reason, subject, ground) => {
    expect(fateOf(subject, ground)).toMatchObject({ to, reason });
  });
});

test('a Capp is not told to leave while the only site that could take it removes an earlier copy', () => {
  const moved = { works: { a: { leaving: false }, b: { leaving: true } } };
  const onlyB = { byPlacement: { all: { clusters: ['a', 'b'], complete: true } } };
  expect(fateOf(moved, onlyB)).toMatchObject({ to: null, why: 'StillLeaving' });
  expect(fateOf(moved)).toMatchObject({ to: 'c', why: null });
});

test('a Capp in its cool-down goes when a person ordered the drain', () => {
  expect(fateOf({ movedAt: NOW - 1_000 })).toMatchObject({ to: 'b', reason: 'Asked', why: null });
});

describe('in a drain that nobody ordered, a Capp is reported with the reason', () => {
  const tainted = {
    byPlacement: { all: { clusters: ['b', 'c'], complete: true } },
    clusters: { a: { ...MEMBER, tainted: true }, b: MEMBER, c: MEMBER },
  };
  const left = { byPlacement: { all: { clusters: ['b', 'c'], complete: true } } };
  test.each<[string, string, Partial<ReviewedCapp>, Partial<Ground>]>([
    ['that it does not have to leave', 'NotMoving', {}, {}],
    [
      'that its cool-down lasts until a time',
      'CoolDown until 2026-03-01T12:09:00Z',
      { movedAt: NOW - 60_000 },
      tainted,
    ],
    ['that it has not left yet', 'NotGoneYet', { movedAt: NOW - 600_000 }, tainted],
    ['that its policy keeps it', 'Manual', { rules: { ...RULES, policy: 'Manual' } }, tainted],
    [
      'that spec.site names the site',
      'Pinned',
      { site: 'a', history: { placedFor: 'a', pin: null, home: null } },
      tainted,
    ],
    ['that its policy keeps it although the decisions no longer contain a', 'NotSelected', {}, left],
    [
      'that its reason to leave must hold for a while',
      'Stabilising',
      { rules: { ...RULES, policy: 'Follow', stabilisationMs: 60_000 } },
      left,
    ],
    ['that it is paused', 'Paused', { fixed: PAUSED }, tainted],
    [
      'that no site can take it',
      'NoCandidate',
      {},
      { ...tainted, byPlacement: { all: { clusters: [], complete: true } } },
    ],
  ])('%s', (_name, why, subject, ground) => {
    expect(fateOf(subject, ground, false)).toMatchObject({ to: null, why });
  });
});

test('each planned move counts as load on its target for the next Capp', () => {
  const subjects = Array.from({ length: 100 }, (_, index) => aSubject(`app-${index}`));
  const ground = aGround({ load: { a: 100, b: 30, c: 0 } });
  const plan = planOf('a', [...fatesOf('a', ground, subjects, ALL_OFF)], NOW);
  expect(plan).toMatchObject({ cluster: 'a', capps: 100, moves: { b: 35, c: 65 }, stays: [] });
  expect(ground.load).toEqual({ a: 100, b: 30, c: 0 });
});

test('a plan names fifty of those that would go, in their order, with their targets', () => {
  const subjects = Array.from({ length: 60 }, (_, index) => aSubject(`app-${index}`));
  const { first, moves } = planOf('a', [...fatesOf('a', aGround(), subjects, ALL_OFF)], NOW);
  expect(moves).toEqual({ b: 30, c: 30 });
  expect(first).toHaveLength(50);
  expect(first.slice(0, 2)).toEqual([
    { capp: 'apps/app-0', to: 'b' },
    { capp: 'apps/app-1', to: 'c' },
  ]);
});

describe('a plan', () => {
  const pinned = Array.from({ length: 300 }, (_, index) =>
    aSubject(`pinned-${index}`, { site: 'a', history: { placedFor: 'a', pin: null, home: null } }),
  );
  const odd = [
    aSubject('paused', { fixed: PAUSED }),
    aSubject('narrow', { site: 'only-a', history: { placedFor: 'only-a', pin: null, home: null } }),
  ];
  const plan = planOf('a', [...fatesOf('a', aGround(), [...pinned, ...odd, aSubject('free')], ALL_OFF)], NOW);

  test('counts the Capps that stay by reason, and names at most a hundred, rare reasons first', () => {
    expect(plan).toMatchObject({ capps: 303, moves: { b: 1 } });
    expect(plan.stays.map(({ reason, count }) => [reason, count])).toEqual([
      ['Pinned', 300],
      ['Paused', 1],
      ['NoCandidate', 1],
    ]);
    expect(plan.stays.flatMap(({ names }) => names)).toHaveLength(100);
    expect(plan.stays.find(({ reason }) => reason === 'NoCandidate')?.names).toEqual(['apps/narrow']);
    expect(JSON.stringify(plan).length).toBeLessThan(5_000);
  });
});
