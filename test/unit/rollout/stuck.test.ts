// Copies that the hub may not delete, such as where a webhook refuses that: they keep no other copy on its
// site, however many they are, and nothing is tried without end.
import type { FleetObject, FleetStatus, Kind, Rolling } from '../../../activities/hub/rollout/kind.ts';
import type { RolloutMember, Sight } from '../../../activities/hub/rollout/look.ts';
import { rememberedIn } from '../../../activities/hub/rollout/memory.ts';
import { inTurn, stuckAfter } from '../../../activities/hub/rollout/removing/stuck.ts';
import { turnOf } from '../../../activities/hub/rollout/turn.ts';
import { CAPP } from '../../../crds/capp/capp.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import type { Kube } from '../../../kube/client.ts';
import { readMemory } from '../../../workflows/parse/memory.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { clusters } from '../../support/builders/fleet/removals.ts';
import { aStrategy, aTarget } from '../../support/builders/fleet/rollouts.ts';
import { NONE_LOST } from '../../support/builders/fleet/sights.ts';

interface World {
  /** Sites that people have taken out of the list, and on which copies are. */
  readonly left: Set<string>;
  readonly isRefused: (cluster: string) => boolean;
  readonly pending?: (cluster: string) => boolean;
  /** They have still to answer, as a live read shows. */
  readonly silent?: (cluster: string) => boolean;
  /** Each try, in order. */
  readonly tried: string[];
}

function kindOf(world: World): Kind<FleetObject, string, RolloutMember, never> {
  let status: FleetStatus = {};
  const object = () => ({
    metadata: { namespace: 'apps', name: 'one', uid: 'u', resourceVersion: '1', finalizers: ['f'] },
    status,
  });
  const sight = (): Sight<string, RolloutMember, never> => ({
    object: object(),
    strategy: aStrategy(),
    decision: { clusters: ['a'], undecided: null, number: null, placement: null, isNamed: true },
    copies: ['a', ...world.left],
    keepsUnselected: false,
    siteOf: (copy) => copy,
    isGoing: () => false,
    isReady: (copy) => copy === 'a',
    isReachable: () => true,
    removableAt: () => 0,
    ...NONE_LOST,
    besides: () => [...world.left],
    select: () => ({
      barred: [],
      members: () => [
        { site: { cluster: 'a' }, target: aTarget('a', { revision: 'new', since: 0 }), settlesAt: null },
      ],
    }),
  });
  const rolling = (): Rolling<FleetObject, string, RolloutMember, never> => ({
    object: { ...object(), spec: { paused: false } },
    revision: 'new',
    sight: sight(),
    wholeNames: async () => [],
    keep: async () => undefined,
    standing: async () => ({}),
    generationOf: () => null,
    ship: async () => new Map(),
    remove: async (_object, { released }) => {
      world.tried.push(...released.clusters);
      const unremoved = released.clusters.filter(world.isRefused);
      const young = released.clusters.filter((one) => world.pending?.(one) === true);
      const silent = released.clusters.filter((one) => world.silent?.(one) === true);
      for (const one of released.clusters)
        if (![...unremoved, ...young, ...silent].includes(one)) world.left.delete(one);
      return {
        pending: young.length,
        unremoved: unremoved.map((cluster) => ({ cluster, reason: 'Forbidden' })),
        changed: [],
        unanswered: silent,
      };
    },
    tell: (_object, { after }) => {
      status = rememberedIn(after.memory);
      return { status, happening: null, says: '' };
    },
    wakes: () => [],
  });
  return {
    resource: CAPP_SET,
    copies: CAPP,
    finalizer: 'f',
    fieldManager: 'test',
    isCaughtUp: async () => true,
    read: async () => ({ found: object(), copies: ['a', ...world.left] }),
    prepare: async () => rolling(),
    tellRefused: () => ({ status: {}, happening: null, says: '' }),
    end: async () => ({ outcome: 'Gone' }),
  };
}

/** Turns as the workflow takes them, until none is due at once; each reads what the one before remembered. */
async function until(
  world: World,
  before: RolloutMemory | null = null,
): Promise<{ readonly turns: number; readonly memory: RolloutMemory | null }> {
  const kube = {
    apply: async (_kind: unknown, object: FleetObject) => ({ ...object, metadata: { resourceVersion: '1' } }),
    getMetadata: async () => ({ metadata: { resourceVersion: '1' } }),
  } as unknown as Kube;
  const turn = turnOf(kindOf(world), { note: () => undefined } as never);
  const ref = { kind: 'CappSet', namespace: 'apps', name: 'one' } as const;
  let memory = before;
  let most = 20;
  for (let turns = 1; turns <= 50; turns += 1) {
    const turned = await turn(kube, ref, { memory, minimumVersions: {}, most, isAgain: false });
    if (turned.outcome !== 'Turned') throw new Error(turned.outcome);
    memory = readMemory(JSON.parse(JSON.stringify(turned.memory)));
    if (!turned.isMore) return { turns, memory };
    most = 100;
  }
  throw new Error('turns follow each other without end');
}

const worldOf = (count: number, isRefused: World['isRefused'], pending?: World['pending']): World => ({
  left: new Set(clusters(count)),
  isRefused,
  tried: [],
  ...(pending === undefined ? {} : { pending }),
});

test.each([20, 100, 250])('%i copies that may not be deleted keep no later one', async (count) => {
  const stuck = new Set(clusters(count));
  const world = worldOf(count + 130, (one) => stuck.has(one));
  await until(world);
  expect([...world.left].toSorted()).toEqual([...stuck].toSorted());
});

test('each that is refused is tried in some turns, and then a turn is waited for', async () => {
  const world = worldOf(250, () => true);
  const { turns, memory } = await until(world);
  expect([...new Set(world.tried)].toSorted()).toEqual(clusters(250));
  // 20, and then 100 at a time: the last page is filled with those that were tried first.
  expect(turns).toBe(4);
  expect(world.tried).toHaveLength(320);
  // The next time it begins with those that were tried longest ago.
  const next = { ...world, tried: [] };
  await until(next, memory);
  expect(next.tried).toEqual(clusters(20, 70));
});

test('copies that may be deleted go again when what refused them is gone', async () => {
  const world = worldOf(150, () => true);
  const { memory } = await until(world);
  const mended = { ...world, isRefused: () => false, tried: [] };
  const after = await until(mended, memory);
  expect(mended.left.size).toBe(0);
  expect(after.memory).not.toHaveProperty('stuck');
});

test('copies that are too young are waited for, and no turn follows at once', async () => {
  const world = worldOf(
    150,
    () => false,
    () => true,
  );
  const { turns } = await until(world);
  expect(turns).toBe(1);
});

test('sites that have not answered after all have not been left, and keep no later one', async () => {
  const silent = new Set(clusters(120));
  const world = { ...worldOf(150, () => false), silent: (one: string) => silent.has(one) };
  const { memory } = await until(world);
  expect([...world.left].toSorted()).toEqual([...silent].toSorted());
  expect(memory?.stuck?.toSorted()).toEqual([...silent].toSorted());
});

test('those that did not go come last, longest ago first', () => {
  expect(inTurn(['a', 'b', 'c', 'd'], ['c', 'a', 'gone'])).toEqual(['b', 'd', 'c', 'a']);
  const released = { clusters: ['c', 'd'], later: ['a'], leaving: { digest: 'x', since: 0 } };
  expect(stuckAfter(['c', 'a', 'gone'], released, ['c'])).toEqual(['a', 'c']);
  expect(stuckAfter(['c', 'a'], { ...released, clusters: [] }, [])).toEqual(['c', 'a']);
  expect(stuckAfter(['c', 'a'], { ...released, leaving: null }, [])).toEqual([]);
});

test('a list of such sites that cannot be read makes the whole memory unreadable', async () => {
  const { memory } = await until(worldOf(30, () => true));
  expect(memory?.stuck).toHaveLength(30);
  expect(readMemory({ ...memory, stuck: ['Not a name!'] })).toBeNull();
  expect(readMemory({ ...memory, stuck: Array.from({ length: 5_001 }, () => 'a') })).toBeNull();
});
