// What the turn of every fleet kind keeps: the finalizer before a copy, nothing written twice, what an
// earlier try has written, and words for what cannot be read.
import { jest } from '@jest/globals';
import { turnOf } from '../../../../activities/hub/rollout/turn.ts';
import { SET_FINALIZER } from '../../../../crds/labels.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { RolloutMemory } from '../../../../workflows/stages/memory.ts';
import { aTemplate } from '../../../support/builders/fleet/sets.ts';
import { setWorld } from '../../../support/testbeds/fleet/set-world.ts';
import { turningSets } from '../../../support/testbeds/fleet/turning.ts';

const REF = { kind: 'CappSet', namespace: 'apps', name: 'many' } as const;

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

/**
 * `conflicts`: how many writes of the status are refused, as if somebody had edited the set meanwhile. `act`:
 * what somebody does right after a turn has read the set.
 */
function began(conflicts = 0, meanwhile: { act?: () => void } = {}) {
  const spec = { strategy: { maxConcurrent: '100%' } };
  const world = setWorld({ clusters: ['a', 'b'], spec, readyAfterMs: 1, ring: () => undefined });
  const calls: string[] = [];
  let left = conflicts;
  const around = (kube: Kube): Kube => ({
    ...kube,
    within: () => around(kube),
    get: async (resource, key, options) => {
      const found = await kube.get<never>(resource, key, options);
      const { act } = meanwhile;
      delete meanwhile.act;
      if (resource.kind === 'CappSet') act?.();
      return found;
    },
    list: async (resource, options) => {
      calls.push(`list ${resource.kind}`);
      return kube.list(resource, options);
    },
    patch: async (resource, key, patch, options) => {
      calls.push(`patch ${resource.kind}`);
      return kube.patch(resource, key, patch, options);
    },
    remove: async (resource, key, options) => {
      calls.push(`remove ${resource.kind} ${key.name}`);
      return kube.remove(resource, key, options);
    },
    apply: async (resource, object, options) => {
      calls.push(`apply ${resource.kind}`);
      if (options.subresource !== undefined && (left -= 1) >= 0)
        throw new ApiError({ method: 'PATCH', path: '/status', code: 409, reason: 'Conflict' });
      return kube.apply(resource, object, options);
    },
  });
  const { turnFleet } = turningSets({ ...world.options, kube: around(world.options.kube) });
  let memory: RolloutMemory | null = null;
  const turn = async (): Promise<void> => {
    calls.length = 0;
    const turned = await turnFleet(REF, { memory, minimumVersions: {}, most: 100, isAgain: false });
    if (turned.outcome !== 'Turned') throw new Error(turned.outcome);
    memory = turned.memory;
    await jest.advanceTimersByTimeAsync(20_000);
  };
  return { world, calls, turn };
}

test('a set has our finalizer before it has a Capp', async () => {
  const { world, calls, turn } = began();
  await turn();
  expect(world.set.metadata.finalizers).toContain(SET_FINALIZER);
  const firsts = [calls.indexOf('patch CappSet'), calls.indexOf('apply Capp')];
  expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
  expect(firsts[0]).toBeGreaterThanOrEqual(0);
});

test('a finalizer that somebody has taken off is put back while there are Capps', async () => {
  const { world, turn } = began();
  await turn();
  world.set = { ...world.set, metadata: { ...world.set.metadata, finalizers: [] } };
  await turn();
  expect(world.set.metadata.finalizers).toEqual([SET_FINALIZER]);
});

test('a turn that finds all as it should be writes nothing', async () => {
  const { calls, turn } = began();
  await turn();
  await turn();
  await turn();
  expect(calls).toEqual([]);
});

test('a turn whose status meets a Conflict is taken again at once, with the Capps as they are, and writes none twice', async () => {
  const { world, calls, turn } = began(1);
  await turn();
  expect(calls.filter((one) => one === 'list Capp')).toHaveLength(1);
  expect(world.writes.capps).toBe(2);
  expect(world.set.status?.sites).toBe(2);
});

test('a revision that the rollout names is kept, be it half-way or the one before the settled one', async () => {
  const { world, calls, turn } = began();
  await turn();
  await turn();
  world.edit({ template: aTemplate('app:settled') });
  await turn();
  await turn();
  const removed: string[] = [];
  world.edit({ paused: true });
  for (let edit = 0; edit < 15; edit += 1) {
    world.edit({ template: aTemplate(`app:${edit}`) });
    await turn();
    removed.push(...calls.filter((call) => call.startsWith('remove SetRevision')));
  }
  const { rollout } = world.set.status ?? {};
  expect(rollout).toMatchObject({ settled: expect.any(String), before: expect.any(String) });
  expect(removed.length).toBeGreaterThan(0);
  const named = [rollout?.settled, rollout?.before, ...(rollout?.halfway ?? [])];
  for (const revision of named) expect(removed.join()).not.toContain(revision);
});

test.each([
  ['names its site again', { sites: { clusters: ['a', 'b'] } }],
  ['pauses the set', { paused: true }],
])(
  'a Capp stays when somebody %s after the turn that is to delete it has read the set',
  async (_what, edit) => {
    const meanwhile: { act?: () => void } = {};
    const { world, turn } = began(0, meanwhile);
    await turn();
    world.edit({ sites: { clusters: ['a'] } });
    meanwhile.act = () => world.edit(edit);
    await turn();
    expect([...world.capps.keys()]).toEqual(['many-a', 'many-b']);
  },
);

test('a set that cannot be read says which field is wrong, and keeps its Capps and what it said of them', async () => {
  const { world, turn } = began();
  await turn();
  await turn();
  world.edit({ strategy: { maxConcurrent: -1 } });
  await turn();
  expect(world.set.status).toMatchObject({ readySites: '2/2', observedGeneration: 2 });
  expect(world.set.status?.conditions?.find(({ type }) => type === 'Stalled')).toMatchObject({
    status: 'True',
    reason: 'Invalid',
    message: expect.stringContaining('spec.strategy.maxConcurrent') as string,
  });
  expect([...world.capps.keys()]).toEqual(['many-a', 'many-b']);
});

test.each([
  ['lives after all is followed by another', 'Alive', 'Behind'],
  ['is gone with all of its copies is the last', 'Gone', 'Gone'],
])('a turn that finds that the object %s', async (_what, ending, outcome) => {
  const kind = {
    isCaughtUp: async () => true,
    read: async () => ({ found: null, copies: [] }),
    end: async () => ({ outcome: ending }),
  };
  const take = turnOf(kind as never, { note: () => undefined } as never);
  const ask = { memory: null, minimumVersions: {}, most: 100, isAgain: false };
  expect(await take({} as Kube, REF, ask)).toEqual({ outcome });
});
