// The last Ready copy of an object on many sites goes when another is Ready on a site that can be reached.
import { sightOf as bundleSight } from '../../../activities/hub/bundle/sight.ts';
import type { SelectRules } from '../../../activities/hub/bundle/sites.ts';
import type { BundleWork } from '../../../activities/hub/bundle/status/seen.ts';
import { lookAt, type RolloutMember, type Sight } from '../../../activities/hub/rollout/look.ts';
import { memoryOf } from '../../../activities/hub/rollout/memory.ts';
import type { SelectOptions } from '../../../activities/hub/set/selected.ts';
import { sightOf as setSight } from '../../../activities/hub/set/sight.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { Target } from '../../../workflows/stages/types.ts';
import { aBundle } from '../../support/builders/fleet/bundles.ts';
import { aSet } from '../../support/builders/fleet/sets.ts';
import { aRollout, aStrategy, aTarget } from '../../support/builders/fleet/rollouts.ts';
import { NOW } from '../../support/builders/states.ts';
import { NONE_LOST } from '../../support/builders/fleet/sights.ts';

interface Left {
  readonly left?: readonly string[];
  readonly lost?: readonly string[];
  /** Those of them that run nothing. */
  readonly off?: readonly string[];
  /** Further selected sites. */
  readonly others?: readonly Target[];
}

/** An object that was on `left`, and whose sites people have replaced by that of `target`. */
function removedBeside(
  target: Target,
  { left = ['left'], lost = [], off = [], others = [] }: Left = {},
): readonly string[] {
  const sight: Sight<string, RolloutMember, never> = {
    object: { metadata: { uid: 'uid-1' } },
    strategy: aStrategy(),
    decision: { clusters: [target.cluster], undecided: null, number: null, placement: null, isNamed: true },
    copies: [...left, target.cluster],
    keepsUnselected: false,
    siteOf: (copy) => copy,
    isGoing: () => false,
    isReady: (copy) => left.includes(copy),
    isReachable: (copy) => !lost.includes(copy),
    isDisabled: (copy) => off.includes(copy),
    removableAt: () => 0,
    ...NONE_LOST,
    besides: (clusters) => left.filter((copy) => !clusters.includes(copy)),
    select: () => ({
      barred: [],
      members: () =>
        [target, ...others].map((one) => ({
          site: { cluster: one.cluster },
          target: one,
          settlesAt: null,
        })),
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

test.each<readonly [string, Left, readonly string[]]>([
  ['one that can be reached, of those that say so', { left: ['here', 'lost'], lost: ['lost'] }, ['lost']],
  ['one that cannot be reached where none can', { left: ['far', 'lost'], lost: ['far', 'lost'] }, ['far']],
])('the Ready copy that stays is %s', (_what, given, removed) => {
  expect(removedBeside(aTarget('next', { revision: 'new', verdict: 'Progressing' }), given)).toEqual(removed);
});

test.each<readonly [string, Left, readonly string[]]>([
  ['stays while another site is to run the app', { others: [aTarget('run', { verdict: 'Failed' })] }, []],
  ['goes where no site is to run it', {}, ['left']],
  [
    'goes where it runs nothing itself',
    { off: ['left'], others: [aTarget('run', { verdict: 'Failed' })] },
    ['left'],
  ],
])('beside one that is disabled, the last Ready copy %s', (_what, given, removed) => {
  const isOff = { revision: 'new', isDisabled: true, isToBeDisabled: true } as const;
  expect(removedBeside(aTarget('next', isOff), given)).toEqual(removed);
});

test('copies of sets and Bundles on a site that is lost or gone are out of reach, and of a set it is known which are disabled', async () => {
  const available = (status: string) => ({
    metadata: { name: '' },
    status: { conditions: [{ type: 'ManagedClusterConditionAvailable', status }] },
  });
  const known = new Map([
    ['here', available('True')],
    ['lost', available('Unknown')],
  ]);
  const none = { get: () => undefined, list: () => [] };
  const caches = { configs: none, setBindings: none, clusterSets: none, clusters: { get } };
  function get({ name }: { readonly name: string }) {
    return known.get(name);
  }
  const rules = { caches, config: { namespace: '', name: '' }, hubUid: '' };
  const rendered = { revision: 'new', content: 'c' };
  const bundle = aBundle({ sites: { clusters: [] } });
  const works = bundleSight(rules as unknown as SelectRules, {
    bundle,
    strategy: aStrategy(),
    rendered,
    works: [],
  });
  const set = aSet('shop', { sites: { clusters: [] } });
  const capps = await setSight(rules as unknown as SelectOptions, set, []);
  const reached = ['here', 'lost', 'gone'].map((namespace) => [
    works.isReachable({ metadata: { namespace, name: 'w' } } as BundleWork),
    capps.isReachable({ metadata: { name: 'c' }, spec: { site: namespace } } as Capp),
  ]);
  expect(reached).toEqual([
    [true, true],
    [false, false],
    [false, false],
  ]);
  const isOff = (state: string) => capps.isDisabled?.({ spec: { state } } as unknown as Capp);
  expect([isOff('enabled'), isOff('disabled')]).toEqual([false, true]);
});
