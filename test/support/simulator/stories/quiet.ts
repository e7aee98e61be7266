// A world in which nothing goes wrong and nothing is left to chance, so that what a story costs is counted
// exactly.
import { setImmediate as whenIdle } from 'node:timers/promises';
import { NOW } from '../../builders/states.ts';
import type { Random } from '../../builders/random.ts';
import { Clockwork } from '../engine/clockwork.ts';
import { enter } from '../engine/virtual-time.ts';
import { NAMESPACE } from '../../../../crds/kubernetes/core.ts';
import { NAMESPACE as TEAM } from '../world/names.ts';
import { World } from '../world/world.ts';
import { Counter, type Counts } from './meter.ts';

/** Everything is prompt, and takes as long whenever the dice are thrown. */
export const EVEN: Random = {
  next: () => 0.1,
  chance: () => false,
  pick: (values) => {
    const [found] = values;
    if (found === undefined) throw new Error('nothing to pick from');
    return found;
  },
};

/** By then the caches of all processes are filled. */
const FILLED_MS = 10_000;

export interface Cost {
  readonly requests: Counts;
  readonly tasks: number;
}

export interface QuietTestbed {
  readonly world: World;
  /**
   * Lets so much time pass, and says what was asked since the last time, and how many workflow tasks it took.
   */
  cost(milliseconds: number): Promise<Cost>;
}

/** Lives through a story. Throws if a rule was broken. */
export async function inQuiet<T>(story: (testbed: QuietTestbed) => Promise<T>): Promise<T> {
  const clock = new Clockwork(NOW);
  const leave = enter(clock, EVEN);
  const meter = new Counter();
  let tasks = 0;
  const counted = (): void => void (tasks += 1);
  try {
    const world = new World({ clock, dice: EVEN, story: null, faults: [], isQuiet: true, meter, counted });
    world.server.put(NAMESPACE, { namespace: null, name: TEAM }, () => ({ metadata: { name: TEAM } }));
    await pass(world, FILLED_MS);
    return await story({
      world,
      cost: async (milliseconds) => {
        await pass(world, milliseconds);
        const taken = tasks;
        tasks = 0;
        return { requests: meter.take(), tasks: taken };
      },
    });
  } finally {
    leave();
  }
}

async function pass(world: World, milliseconds: number): Promise<void> {
  const until = world.clock.now + milliseconds;
  while (world.clock.step(until)) {
    await world.temporal.follow(whenIdle);
    world.rules.afterEvent();
    if (world.breach !== null) throw world.breach;
  }
}
