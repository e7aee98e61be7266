// A paused rollout removes no copy, and what was allowed before it was paused lets no others go afterwards.
import type { Decision } from '../../../activities/hub/rollout/decision.ts';
import { lookAt, type RolloutMember, type Sight } from '../../../activities/hub/rollout/look.ts';
import { memoryOf } from '../../../activities/hub/rollout/memory.ts';
import { digestOf } from '../../../crds/digest.ts';
import type { RemovalMemory, RolloutMemory } from '../../../workflows/stages/memory.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';
import { NO_REMOVAL, aRollout, aStrategy, aTarget } from '../../support/builders/fleet/rollouts.ts';
import { NOW } from '../../support/builders/states.ts';
import { NONE_LOST } from '../../support/builders/fleet/sights.ts';

const SELECTED = ['a', 'b', 'c'];
const LOWERED: RemovalMemory = { ...NO_REMOVAL, number: 3, placement: 'p', lowered: 1 };
const APPROVED: RemovalMemory = { ...NO_REMOVAL, allowed: 2, approved: '0123456789' };

interface Given {
  readonly left?: readonly string[];
  readonly isNamed?: boolean;
  readonly removal: RemovalMemory;
  readonly undecided?: Decision['undecided'];
  readonly leaving?: RolloutMemory['leaving'];
}

/** What a look at a paused rollout releases and remembers. */
function released({ left = [], isNamed = false, removal, undecided = null, leaving = null }: Given) {
  const named = isNamed ? { number: null, placement: null } : { number: SELECTED.length, placement: 'p' };
  const sight: Sight<string, RolloutMember, never> = {
    object: { metadata: { uid: 'uid-1' } },
    strategy: aStrategy(),
    decision: { clusters: SELECTED, undecided, isNamed, ...named },
    copies: [...SELECTED, ...left],
    keepsUnselected: false,
    siteOf: (copy) => copy,
    isGoing: () => false,
    isReady: () => true,
    isReachable: () => true,
    removableAt: () => 0,
    ...NONE_LOST,
    besides: (clusters) => left.filter((copy) => !clusters.includes(copy)),
    select: () => ({
      barred: [],
      members: () =>
        SELECTED.map((cluster) => ({ site: { cluster }, target: aTarget(cluster), settlesAt: null })),
    }),
  };
  const memory = {
    ...memoryOf(aSet('shop', {}), null),
    removal,
    leaving,
    rollout: aRollout({ paused: true }),
  };
  return lookAt(sight, memory, 100, NOW).released;
}

test('none goes while it is paused, and what was lowered still lets go of what it explains', () => {
  expect(released({ left: ['d'], removal: LOWERED })).toMatchObject({ clusters: [], removal: LOWERED });
});

test.each([
  ['when all have gone that it explains', { removal: LOWERED }],
  ['when sites are named instead', { removal: LOWERED, left: ['d'], isNamed: true }],
])('what a number was lowered by is used up in a pause %s', (_when, given) => {
  expect(released(given)).toMatchObject({ clusters: [], removal: { lowered: 0 } });
});

test('what a person has allowed is used up in a pause when all have gone', () => {
  expect(released({ removal: APPROVED }).removal).toMatchObject({ allowed: 0, approved: null });
  expect(released({ removal: APPROVED, left: ['d'] }).removal).toMatchObject({
    allowed: 2,
    approved: '0123456789',
  });
});

test('since when sites are to be left is counted anew when others are, or none', () => {
  const same = { digest: digestOf('d', 10), since: NOW - 60_000 };
  expect(released({ left: ['d'], removal: NO_REMOVAL, leaving: same }).leaving).toEqual(same);
  expect(released({ left: ['e'], removal: NO_REMOVAL, leaving: same }).leaving).toBeNull();
  expect(released({ removal: NO_REMOVAL, leaving: same }).leaving).toBeNull();
});

test('nothing is used up while nobody knows which sites are selected', () => {
  expect(released({ removal: LOWERED, undecided: { reason: 'NoDecision', message: '' } }).removal).toEqual(
    LOWERED,
  );
});
