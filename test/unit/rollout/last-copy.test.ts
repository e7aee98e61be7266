// The last Ready copy of an object on many sites goes when another is Ready on a site that can be reached.
import { lookAt, type Membered, type Sight } from '../../../activities/hub/rollout/look.ts';
import { memoryOf } from '../../../activities/hub/rollout/memory.ts';
import type { Target } from '../../../workflows/stages/types.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';
import { aRollout, aStrategy, aTarget } from '../../support/builders/fleet/rollouts.ts';
import { NOW } from '../../support/builders/states.ts';

/** An object that was on `left`, and whose sites people have replaced by that of `target`. */
function removedBeside(target: Target): readonly string[] {
  const sight: Sight<string, Membered, never> = {
    object: { metadata: { uid: 'uid-1' } },
    strategy: aStrategy(),
    decision: { clusters: [target.cluster], undecided: null, number: null, placement: null, isNamed: true },
    copies: ['left', target.cluster],
    keepsUnselected: false,
    siteOf: (copy) => copy,
    isGoing: () => false,
    isReady: (copy) => copy === 'left',
    removableAt: () => 0,
    besides: (clusters) => ['left'].filter((copy) => !clusters.includes(copy)),
    select: () => ({
      barred: [],
      members: () => [{ site: { cluster: target.cluster }, target, settlesAt: null }],
    }),
  };
  const memory = { ...memoryOf(aSet('shop', {}), null), rollout: aRollout() };
  return lookAt(sight, memory, 100, NOW).released.clusters;
}

test.each<readonly [string, Partial<Target>, readonly string[]]>([
  ['stays beside one that is not Ready', { verdict: 'Progressing' }, []],
  ['stays beside one that has failed', { verdict: 'Failed' }, []],
  ['stays beside one on a site that cannot be reached', { reachable: false }, []],
  ['stays beside one that is Ready, and that gets another revision just now', { revision: 'old' }, []],
  ['goes beside one that is Ready', {}, ['left']],
])('the last Ready copy %s', (_what, changes, removed) => {
  expect(removedBeside(aTarget('next', { revision: 'new', ...changes }))).toEqual(removed);
});
