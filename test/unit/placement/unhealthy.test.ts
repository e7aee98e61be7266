// Whether an unhealthy Capp leaves its site: each bound, and who tries to walk round it.
import type { FleetHealth, PlacementHistory, CappMoveRules } from '../../../workflows/placement/outcome.ts';
import { review } from '../../../workflows/placement/review.ts';
import { select } from '../../../workflows/placement/select.ts';
import type { PlacedInputs } from '../../../workflows/placement/inputs.ts';
import type { Healing } from '../../../workflows/types/health.ts';
import type { Request } from '../../../workflows/types/moves.ts';
import { aField, MEMBER, members, NOT_ASKED, reviewedAs, RULES } from '../../support/builders/placement.ts';
import { MINUTE, NOW } from '../../support/builders/states.ts';

const BEARS: Partial<CappMoveRules> = { unhealthyMs: 5 * MINUTE };
const ALONE: FleetHealth = { ill: 1, of: 40, percent: 25 };
const SAYS = 'RolloutFailed: Its container exits.';

function ill(plain: { healing?: Healing; fleet?: FleetHealth } = {}): Partial<PlacementHistory> {
  const { fleet = ALONE, ...rest } = plain;
  return { illness: { since: NOW - 6 * MINUTE, generation: 1, says: SAYS, fleet, ...rest } };
}

function onA(plain: Partial<PlacedInputs> = {}): PlacedInputs {
  return { ...aField({ works: { a: { leaving: false } } }), present: 'a', ...plain };
}

function went(plain: Partial<Healing> = {}): { healing: Healing } {
  return { healing: { generation: 1, from: 'a', to: 'b', moves: 1, said: { a: SAYS }, ...plain } };
}

function message(inputs: PlacedInputs, history: Partial<PlacementHistory>, rules = BEARS): string {
  return review(inputs, { ...NOT_ASKED, ...history }, { ...RULES, ...rules }, NOW).message;
}

test('an unhealthy Capp leaves for another site, and says since when and what its site says', () => {
  expect(reviewedAs(onA(), ill(), BEARS)).toBe('Unhealthy b');
  expect(message(onA(), ill())).toBe(
    'The Capp is unhealthy on a since 2026-03-01T11:54:00Z (RolloutFailed: Its container exits)',
  );
});

test('it stays if it does not ask for that, or is not unhealthy', () => {
  expect(reviewedAs(onA(), ill())).toBe('stays NotMoving');
  expect(reviewedAs(onA(), {}, BEARS)).toBe('stays NotMoving');
});

test('without a healthy candidate it goes nowhere, and says why not', () => {
  const clusters = {
    ...members('a', 'b', 'c'),
    b: { ...MEMBER, tainted: true },
    c: { ...MEMBER, reachable: false },
  };
  const alone = onA({ clusters, byPlacement: { all: { clusters: ['a'], complete: true } } });
  expect(reviewedAs(alone, ill(), BEARS)).toBe('Unhealthy null');
  expect(message(alone, ill())).toMatch(/^The Capp is unhealthy on a since .*\. No /);
  const avoided = onA({ avoid: { b: NOW + MINUTE, c: NOW + MINUTE } });
  expect(reviewedAs(avoided, ill(), BEARS)).toBe('Unhealthy null');
  const drained = { ...members('a'), b: { ...MEMBER, draining: true }, c: { ...MEMBER, deleting: true } };
  expect(reviewedAs(onA({ clusters: drained }), ill(), BEARS)).toBe('Unhealthy null');
});

const SAME = { name: 'other', site: 'c' };

test.each<[string, Partial<FleetHealth>, string]>([
  ['less than a quarter of the fleet', { ill: 9, of: 40 }, 'Unhealthy b'],
  ['a quarter of the fleet', { ill: 10, of: 40 }, 'stays FleetUnhealthy'],
  ['all of a large fleet', { ill: 1000, of: 1000 }, 'stays FleetUnhealthy'],
  ['one of three', { ill: 1, of: 3 }, 'Unhealthy b'],
  ['one of one', { ill: 1, of: 1 }, 'Unhealthy b'],
  ['both of two', { ill: 2, of: 2 }, 'stays FleetUnhealthy'],
  ['two of eight', { ill: 2, of: 8 }, 'stays FleetUnhealthy'],
  ['two of nine', { ill: 2, of: 9 }, 'Unhealthy b'],
  ['three of twelve', { ill: 3, of: 12 }, 'stays FleetUnhealthy'],
  ['three of thirteen', { ill: 3, of: 13 }, 'Unhealthy b'],
  ['one, and its image elsewhere', { sameElsewhere: SAME }, 'stays FleetUnhealthy'],
  ['all, where the hub allows a hundred percent', { ill: 40, of: 40, percent: 100 }, 'Unhealthy b'],
  [
    'its image elsewhere, where the hub allows a hundred percent',
    { sameElsewhere: SAME, percent: 100 },
    'Unhealthy b',
  ],
  ['itself alone, where the hub allows none', { percent: 0 }, 'stays FleetUnhealthy'],
])('when %s turned unhealthy together', (_what, fleet, expected) => {
  expect(reviewedAs(onA(), ill({ fleet: { ...ALONE, ...fleet } }), BEARS)).toBe(expected);
});

test('what holds it back is said, and no number that changes with each Capp', () => {
  expect(message(onA(), ill({ fleet: { ill: 11, of: 40, percent: 25 } }))).toMatch(
    /it stays: 25 % of all Capps or more \(unhealthyPercent of the RCSConfig\) have turned unhealthy with it, so what they share is to blame/,
  );
  expect(message(onA(), ill({ fleet: { ...ALONE, sameElsewhere: SAME } }))).toMatch(
    /it stays: Capp other with the same images is unhealthy on c, too, .* kubectl capp move\.$/,
  );
  expect(message(onA(), ill({ fleet: { ...ALONE, percent: 0 } }))).toContain(
    'unhealthyPercent of the RCSConfig is 0',
  );
});

describe('there is no third site', () => {
  const onB = onA({ present: 'b', works: { b: { leaving: false } } });

  test('from where it went it goes back at most, whatever is better', () => {
    const better = { ...onB, scores: { c: 1000 } };
    expect(reviewedAs(better, ill(went()), BEARS)).toBe('Unhealthy a');
  });

  test('it goes nowhere if the site that it left takes nothing', () => {
    const clusters = { ...members('a', 'b', 'c'), a: { ...MEMBER, tainted: true } };
    expect(reviewedAs({ ...onB, clusters }, ill(went()), BEARS)).toBe('Unhealthy null');
    const undecided = { all: { clusters: ['b', 'c'], complete: true } };
    expect(reviewedAs({ ...onB, byPlacement: undecided }, ill(went()), BEARS)).toBe('Unhealthy null');
    const { record, message: why } = select(
      { ...onB, byPlacement: undecided, present: null, left: 'b', only: 'a' },
      0,
    );
    expect(why).toBe(
      'No placement selects a, which the Capp has left, and it goes to no third site by itself. Let a Placement select a, or move it by hand: kubectl capp move.',
    );
    expect(record.cluster).toBeNull();
  });

  test.each<[string, PlacedInputs, Partial<Healing>]>([
    ['its move did not succeed', onA(), {}],
    ['it has been there and back', onA(), { moves: 2 }],
    ['its move back did not succeed', onB, { moves: 2 }],
    ['a drain has brought it to a third', onA({ present: 'c', works: { c: { leaving: false } } }), {}],
  ])('it stays when %s', (_what, inputs, healing) => {
    expect(reviewedAs(inputs, ill(went(healing)), BEARS)).toBe('stays Unhealed');
  });

  test('then both sites have their say, each once', () => {
    const said = { a: 'RolloutFailed: It was so.', b: 'Deploying: It starts.' };
    expect(message(onA(), ill(went({ said })))).toBe(
      'The Capp is unhealthy on a, and a move did not heal it. a: RolloutFailed: Its container exits. b: Deploying: It starts. It stays on a until somebody asks for a move or changes its spec.',
    );
  });

  test('nor does a fleet that is unhealthy make it one', () => {
    const fleet = { ill: 40, of: 40, percent: 25 };
    expect(reviewedAs(onB, ill({ ...went({ moves: 2 }), fleet }), BEARS)).toBe('stays Unhealed');
    expect(reviewedAs(onB, ill({ ...went(), fleet }), BEARS)).toBe('stays FleetUnhealthy');
  });
});

test('a Capp that spec.site pins stays and says so, and so does one that moves by hand alone', () => {
  const pinned = onA({ site: 'a' });
  expect(reviewedAs(pinned, { ...ill(), placedFor: 'a' }, BEARS)).toBe('stays Pinned');
  expect(message(pinned, { ...ill(), placedFor: 'a' })).toMatch(
    /unhealthy on a since .* it stays: spec\.site names its site\. Change spec\.site to move it\.$/,
  );
  expect(reviewedAs(onA(), ill(), { ...BEARS, policy: 'Manual' })).toBe('stays Manual');
  expect(message(onA(), ill(), { ...BEARS, policy: 'Manual' })).toContain('unhealthy on a since');
});

test('a site that people asked for is left all the same, as one that is lost', () => {
  expect(reviewedAs(onA(), { ...ill(), pin: 'a' }, BEARS)).toBe('Unhealthy b');
});

test('what else makes a Capp leave comes first', () => {
  const request: Request = { source: 'signal', id: '1', to: 'c', by: 'you', why: '', force: false };
  expect(reviewedAs(onA(), { ...ill(), request }, BEARS)).toBe('Asked c');
  expect(reviewedAs(onA(), { ...ill(went({ moves: 2 })), request }, BEARS)).toBe('Asked c');
  expect(reviewedAs(onA({ site: 'c' }), { ...ill(), placedFor: '' }, BEARS)).toBe('SiteEdited c');
});

test.each([
  ['is lost', { reachable: false }],
  ['is tainted', { tainted: true }],
  ['is being removed', { deleting: true }],
])('a site that %s is left for that, or not at all', (_what, facts) => {
  const clusters = { ...members('b', 'c'), a: { ...MEMBER, ...facts } };
  expect(reviewedAs(onA({ clusters }), ill(), BEARS)).toBe('stays NotMoving');
});
