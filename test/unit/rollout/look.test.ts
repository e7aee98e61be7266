// What a look at an object on many sites does while nobody knows its sites, and with copies that cannot be
// deleted yet.
import type { Decision } from '../../../activities/hub/rollout/decision.ts';
import { lookAt, withRefused, type RolloutMember, type Sight } from '../../../activities/hub/rollout/look.ts';
import { memoryOf } from '../../../activities/hub/rollout/memory.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';
import { aRollout, aStrategy, aTarget, NO_REMOVAL } from '../../support/builders/fleet/rollouts.ts';
import { NOW } from '../../support/builders/states.ts';
import { NONE_LOST } from '../../support/builders/fleet/sights.ts';

interface Given extends Partial<Decision> {
  /** Sites with a copy. */
  readonly copies?: readonly string[];
  readonly going?: readonly string[];
  /** Where the object may not go. */
  readonly barred?: readonly string[];
  /** From when on the copy on `young` can be deleted. */
  readonly removableAt?: number;
  /** Of all copies. */
  readonly revision?: string;
  /** Sites whose copy no longer fits their labels. */
  readonly stale?: readonly string[];
}

/** All copies are Ready. */
function sightOf(given: Given) {
  const {
    copies = [],
    going = [],
    barred = [],
    removableAt = 0,
    revision = 'old',
    stale = [],
    ...decision
  } = given;
  const sight: Sight<string, RolloutMember, string> = {
    object: { metadata: { uid: 'uid-1' } },
    strategy: aStrategy({ maxConcurrent: '100%' }),
    decision: {
      clusters: [],
      undecided: null,
      number: null,
      placement: 'p',
      isNamed: false,
      ...decision,
    },
    copies,
    keepsUnselected: false,
    siteOf: (copy) => copy,
    isGoing: (copy) => going.includes(copy),
    isReady: () => true,
    isReachable: () => true,
    removableAt: (copy) => (copy === 'young' ? removableAt : 0),
    ...NONE_LOST,
    besides: (clusters) => copies.filter((copy) => !clusters.includes(copy)),
    select: (clusters) => ({
      barred: barred.filter((one) => clusters.includes(one)),
      members: ({ refused }) =>
        clusters
          .filter((one) => !barred.includes(one))
          .map((cluster) => ({
            site: { cluster },
            target: aTarget(
              cluster,
              cluster in refused
                ? { revision: 'new', verdict: 'Failed' }
                : { revision, isStale: stale.includes(cluster) },
            ),
            settlesAt: null,
          })),
    }),
  };
  return sight;
}

const remembering = (plain: Partial<RolloutMemory> = {}) => ({
  ...memoryOf(aSet('shop', {}), null),
  ...plain,
  rollout: aRollout(),
});
const lookedAt = (given: Given, plain: Partial<RolloutMemory> = {}, now = NOW) =>
  lookAt(sightOf(given), remembering(plain), 100, now);

describe('while nobody knows which sites are selected', () => {
  const undecided = { reason: 'NoDecision', message: '' } as const;

  test('no site is changed, no stage passes and none is left, and what is remembered stays', () => {
    const given = { copies: ['a', 'b'], undecided };
    const { plan, left, released, members } = lookedAt(given, { removal: { ...NO_REMOVAL, lowered: 1 } });
    expect([plan.advance, plan.rollout, left]).toEqual([[], aRollout(), []]);
    expect(released).toMatchObject({ clusters: [], removal: { lowered: 1 } });
    expect(members.map(({ site }) => site.cluster)).toEqual(['a', 'b']);
  });

  test('no revision is settled, though it is Ready on every site that is known', () => {
    const { plan } = lookedAt({ copies: ['a', 'b'], undecided, revision: 'new' });
    expect([plan.rollout, plan.done]).toEqual([aRollout(), false]);
  });

  test('a copy that is being deleted is on no site of the object', () => {
    const { members, left } = lookedAt({ copies: ['a', 'b'], going: ['b'], undecided });
    expect([members.map(({ site }) => site.cluster), left]).toEqual([['a'], []]);
  });
});

describe('an abort of what every site has', () => {
  const SITES = { clusters: ['a', 'b'], copies: ['a', 'b'], revision: 'new' };
  const unknown = { undecided: { reason: 'NoDecision', message: '' } } as const;
  const aborted = { ...remembering(), rollout: aRollout({ settled: 'new', aborted: true }) };
  const first = (given: Partial<Given>, isStandingStill = false) =>
    lookAt({ ...sightOf({ ...SITES, ...given }), isStandingStill }, aborted, 100, NOW);
  const next = ({ memory }: ReturnType<typeof first>) =>
    lookAt(sightOf({ ...SITES, stale: ['a'] }), memory, 100, NOW).plan;

  test('that finds all at rest keeps no label from them that changes later', () => {
    const look = first({});
    expect([look.plan.done, look.memory.rollout.aborted]).toEqual([true, false]);
    expect(next(look).advance).toMatchObject([{ cluster: 'a', revision: 'new' }]);
  });

  test.each([
    ['comes with the label', () => first({ stale: ['a'] })],
    ['comes while nobody knows the sites', () => first({ stale: ['a'], ...unknown })],
    ['comes while nobody knows the sites, and before the label', () => first(unknown)],
    ['comes while nothing can be shipped', () => first({}, true)],
  ])('that %s keeps a changed label from them', (_when, look) => {
    expect(next(look())).toMatchObject({ advance: [], hold: { reason: 'Aborted' } });
  });

  test('leaves it done while nobody knows the sites', () => {
    expect(first(unknown).plan.done).toBe(true);
  });
});

test('a copy that cannot be deleted yet holds up the others that a Placement has left, since each is counted', () => {
  const given = { clusters: ['a'], copies: ['a', 'young'], removableAt: NOW + 9_000, revision: 'new' };
  expect(lookedAt(given).released).toMatchObject({ clusters: [], wakeAt: NOW + 9_000 });
  const named = lookedAt({ ...given, copies: ['a', 'young', 'old'], isNamed: true }).released;
  expect(named.clusters).toEqual(['old', 'young']);
});

describe('while the object cannot be shipped', () => {
  const standing = (given: Given) =>
    lookAt({ ...sightOf({ revision: 'new', ...given }), isStandingStill: true }, remembering(), 100, NOW)
      .released.clusters;
  const swapped = { clusters: ['b', 'c', 'd'], copies: ['a', 'b', 'c'] };

  test('a Placement that takes one site for another leaves none, since the other gets no copy', () => {
    const sight = sightOf({ ...swapped, revision: 'new' });
    const without = {
      ...sight,
      isStandingStill: true,
      select: (clusters: readonly string[]) => ({
        ...sight.select(clusters),
        members: () =>
          clusters.map((cluster) => ({
            site: { cluster },
            target: aTarget(cluster, { revision: cluster === 'd' ? null : 'new' }),
            settlesAt: null,
          })),
      }),
    };
    const left = (of: typeof sight, isNamed = false) => {
      const asked = { ...of, decision: { ...of.decision, isNamed } };
      const { memory } = lookAt(asked, remembering(), 100, NOW);
      return lookAt(asked, memory, 100, NOW + 3_600_000);
    };
    expect(left(without).left).toEqual(['a']);
    expect(left(without).released.clusters).toEqual([]);
    expect(left(without, true).released.clusters).toEqual(['a']);
    // As it is where the other has come.
    expect(left({ ...sight, isStandingStill: true }).released.clusters).toEqual(['a']);
  });

  test('a site that nobody takes the place of is left', () => {
    expect(standing({ clusters: ['b', 'c'], copies: ['a', 'b', 'c'], isNamed: true })).toEqual(['a']);
  });
});

test('a number counts as lowered once so many sites are selected, also those where the object may not go', () => {
  const before = { removal: { ...NO_REMOVAL, number: 3, placement: 'p' } };
  const given = { clusters: ['a', 'barred'], barred: ['barred'], copies: ['a', 'b'], number: 2 };
  expect(lookedAt(given, before).released.removal).toMatchObject({ number: 2, lowered: 1 });
});

test('a look after copies could not be written knows that they have failed, and stops for it', () => {
  const sight = sightOf({ clusters: ['a', 'b'], copies: ['a', 'b'] });
  const look = lookAt(sight, remembering(), 100, NOW);
  expect(look.plan.advance).toHaveLength(2);
  const refused = { a: { revision: 'new', reason: 'Rejected', message: '', at: NOW, generation: 1 } };
  const after = withRefused(sight, look, refused, NOW);
  expect([after.plan.hold?.reason, after.memory.refused]).toEqual(['SitesFailed', refused]);
  const strategy = aStrategy({ maxConcurrent: '100%', onFailure: 'RollBack' });
  expect(withRefused({ ...sight, strategy }, look, refused, NOW).memory.rollout.direction).toBe('Back');
});

describe('of 19 copies on sites that a Placement selects', () => {
  const clusters = Array.from({ length: 17 }, (_, index) => `s${index + 1}`);
  const copies = [...clusters, 'x', 'y'];
  /** When exactly these have been unselected for as long as that must last. */
  const later = (given: Given) => {
    const { leaving } = lookedAt({ revision: 'new', ...given }).memory;
    return lookedAt({ revision: 'new', ...given }, { leaving }, NOW + 3_600_000).released;
  };

  test('two are more than a tenth, whatever counts as staying', () => {
    expect(later({ clusters, copies })).toMatchObject({ clusters: [], held: 2 });
  });

  test('one that is being deleted already is not left once more', () => {
    expect(later({ clusters, copies, going: ['x'] })).toMatchObject({ clusters: ['y'], held: 0 });
  });
});
