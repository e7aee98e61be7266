// A Capp that was to go and stays after all is counted when it goes, and not before.
import { jest } from '@jest/globals';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { setWorld } from '../../support/testbeds/fleet/set-world.ts';
import { turningSets } from '../../support/testbeds/fleet/turning.ts';

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

const SITES = ['a', 'b', 'c', 'd', 'e'];

test.each([
  { removal: 'that met a change of the Capp', code: 409, again: 1_000 },
  { removal: 'that the hub refuses', code: 403, again: 60_000 },
])('a removal $removal is given back, looked at again in time, and counts once', async ({ code, again }) => {
  const spec = { placement: 'all', strategy: { maxConcurrent: '100%' } };
  const world = setWorld({ clusters: SITES, spec, readyAfterMs: 1, ring: () => undefined });
  let isMet = false;
  const around = (kube: Kube): Kube => ({
    ...kube,
    within: () => around(kube),
    get: async (resource, key, options) =>
      resource.kind === 'Capp'
        ? ((world.capps.get(key.name) ?? null) as never)
        : kube.get(resource, key, options),
    remove: async (resource, key, options) => {
      if (isMet) return kube.remove(resource, key, options);
      isMet = true;
      if (code === 409) world.mark(key.name, { resourceVersion: 'another', generation: 99 });
      throw new ApiError({ method: 'DELETE', path: `/capps/${key.name}`, code, reason: 'Why' });
    },
  });
  const sets = turningSets({ ...world.options, kube: around(world.options.kube) });
  let memory: RolloutMemory | null = null;
  const look = async (): Promise<number> => {
    const ref = { kind: 'CappSet', namespace: 'apps', name: 'many' } as const;
    const turned = await sets.turnFleet(ref, { memory, minimumVersions: {}, most: 100, isAgain: false });
    if (turned.outcome !== 'Turned') throw new Error(turned.outcome);
    memory = turned.memory;
    const wait = (turned.wakeAt ?? Infinity) - Date.now();
    await jest.advanceTimersByTimeAsync(20_000);
    return wait;
  };
  const counted = () => world.set.status?.removal?.count ?? 0;

  world.select('all', SITES);
  await look();
  await look();
  world.select('all', SITES.slice(0, 4));
  expect(await look()).toBe(5_000);
  expect(await look()).toBe(again);
  expect([world.capps.has('many-e'), counted()]).toEqual([true, 0]);
  await look();
  expect([world.capps.has('many-e'), counted()]).toEqual([false, 1]);
});
