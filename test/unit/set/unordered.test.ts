// Checks of Capps that the hub's API server does not take now: sites behind the first ones are asked all the
// same, and no turn follows another at once in vain.
import { jest } from '@jest/globals';
import { VERIFY } from '../../../crds/labels.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Key, KubeObject } from '../../../kube/resource.ts';
import type { RolloutMemory } from '../../../workflows/stages/memory.ts';
import { setWorld } from '../../support/testbeds/fleet/set-world.ts';
import { turningSets } from '../../support/testbeds/fleet/turning.ts';

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') }));
afterEach(() => void jest.useRealTimers());

/** A set whose Capps are all Ready; none has been asked to check, and these cannot be. */
async function ready(clusters: readonly string[], broken: ReadonlySet<string>) {
  const verify = [{ name: 'up', http: { path: '/' } }];
  const stages = [{ name: 'all', sites: { count: clusters.length }, verify }];
  const spec = { strategy: { maxConcurrent: '100%', stages } };
  const world = setWorld({ clusters, spec, readyAfterMs: 1, ring: () => undefined });
  const around = (kube: Kube): Kube =>
    ({
      ...kube,
      within: () => around(kube),
      patch: async (resource: Parameters<Kube['patch']>[0], key: Key, patch: KubeObject) => {
        if (resource.kind !== 'Capp') return kube.patch(resource, key, patch);
        const { name } = key;
        if (broken.has(name.replace('many-', '')))
          throw new ApiError({ method: 'PATCH', path: `/capps/${name}`, code: 503, reason: 'Why' });
        const annotations = { ...world.capps.get(name)?.metadata.annotations, ...patch.metadata.annotations };
        world.mark(name, { annotations });
        return world.capps.get(name);
      },
    }) as Kube;
  const sets = turningSets({ ...world.options, kube: around(world.options.kube) });
  let memory: RolloutMemory | null = null;
  const turn = async (most: number): Promise<boolean> => {
    const ref = { kind: 'CappSet', namespace: 'apps', name: 'many' } as const;
    const turned = await sets.turnFleet(ref, { memory, minimumVersions: {}, most, isAgain: false });
    if (turned.outcome !== 'Turned') throw new Error(turned.outcome);
    memory = turned.memory;
    return turned.isMore;
  };
  while (await turn(100));
  await jest.advanceTimersByTimeAsync(60_000);
  const orders = () =>
    [...world.capps.values()].filter(({ metadata }) => metadata.annotations?.[VERIFY] !== undefined).length;
  return { turn, orders };
}

const named = (number: number) => Array.from({ length: number }, (_, at) => `s${at + 100}`);

test('a full turn follows one of the first few sites that can all not be asked, so that the others are', async () => {
  const clusters = named(50);
  const { turn, orders } = await ready(clusters, new Set(clusters.slice(0, 20)));
  expect([await turn(20), orders()]).toEqual([true, 0]);
  expect([await turn(100), orders()]).toEqual([false, 30]);
});

test('where a full turn could ask none, no other follows at once', async () => {
  const clusters = named(130);
  const { turn, orders } = await ready(clusters, new Set(clusters));
  expect(await turn(20)).toBe(true);
  expect([await turn(100), orders()]).toEqual([false, 0]);
});

test('sites behind a full turn of such as can never be asked are asked a moment later', async () => {
  const clusters = named(150);
  const { turn, orders } = await ready(clusters, new Set(clusters.slice(0, 100)));
  for (let turns = 0; turns < 4; turns += 1) {
    await turn(100);
    await jest.advanceTimersByTimeAsync(10_000);
  }
  expect(orders()).toBe(50);
});
