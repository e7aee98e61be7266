// What may become of a request to the API server while there is trouble.
import type { KubeRequest } from '../../../../kube/http/transport.ts';
import type { Fate } from './line.ts';
import type { World } from '../world/world.ts';

export const SURE: Fate = { there: 2, back: 2, refusal: null, wait: 0, isLate: false };

/** What passes by itself, and what another try will not change. */
const PASSING = [0, 0, 500] as const;
const FINAL = [401, 403] as const;
const FINAL_FOR_WRITES = [401, 403, 422] as const;

export function fateOf(world: World, { method }: KubeRequest): Fate {
  if (world.calm) return { ...SURE, there: world.between(1, 10), back: world.between(1, 10) };
  const isWrite = method !== 'GET';
  const isSlow = (probability: number): boolean => world.knows('slow requests') && world.slips(probability);
  const there = world.between(1, isSlow(0.02) ? 9_000 : 60);
  const back = world.between(1, isSlow(0.02) ? 9_000 : 60);
  const wait = isSlow(0.01) ? world.between(500, 12_000) : 0;
  return {
    there,
    back,
    wait,
    refusal: refusalOf(world, isWrite),
    isLate: isWrite && world.random.chance(0.5),
  };
}

function refusalOf(world: World, isWrite: boolean): Fate['refusal'] {
  if (!world.slips(0.02)) return null;
  const { random } = world;
  const final = isWrite ? FINAL_FOR_WRITES : FINAL;
  const code =
    isWrite && random.chance(0.2)
      ? 409
      : random.pick(random.chance(0.6) || !world.knows('final refusals') ? PASSING : final);
  world.tally.note(`a request gets ${code}`);
  // What is refused for good has not been done.
  const isDone = isWrite && random.chance(0.5);
  return { code, isDone: isDone && !FINAL_FOR_WRITES.some((one) => one === code) };
}
