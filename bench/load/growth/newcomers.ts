// How long one new Capp takes to its work, and the floor in the same minute: an object and the smallest
// workflow, turn by turn.
import { setTimeout as pause } from 'node:timers/promises';
import { quantiles, tenth, type Quantiles } from '../../../testbed/quantiles.ts';
import type { Load } from './load.ts';

export interface Newcomers {
  readonly cappMs: Quantiles;
  /** An object that is written and seen, and the smallest workflow after it. */
  readonly floorMs: Quantiles;
  /** p50 to p50. */
  readonly ratio: number;
}

const BETWEEN_MS = 50;
/**
 * After so many of them the pause is longer, so that a long storm has hardly more newcomers than a short one.
 */
const MANY = 100;
const BETWEEN_MANY_MS = 2_000;

/** One at a time, at least one, as long as `goesOn` says of the number taken so far. */
export async function newcomers(
  { population, smallest, object }: Load,
  prefix: string,
  goesOn: (taken: number) => boolean,
): Promise<Newcomers> {
  const cappMs: number[] = [];
  const floorMs: number[] = [];
  do {
    const name = `${prefix}-${cappMs.length}`;
    floorMs.push((await object(name)) + (await smallest.run(name)));
    const [seconds = Number.NaN] = await population.add([name]);
    cappMs.push(seconds * 1000);
    await pause(cappMs.length < MANY ? BETWEEN_MS : BETWEEN_MANY_MS);
  } while (goesOn(cappMs.length));
  const [capp, floor] = [quantiles(cappMs), quantiles(floorMs)];
  return {
    cappMs: capp,
    floorMs: floor,
    ratio: tenth(capp.p50 / floor.p50),
  };
}
