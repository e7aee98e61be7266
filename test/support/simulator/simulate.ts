// One seed: a random storm, and then calm, in which the Capp must come to rest where it may be, with one work, and nothing may happen any more.
import { storm } from './storm.ts';
import { calm } from './calm.ts';
import { fail } from './rules.ts';
import { settled } from './settled.ts';
import { World } from './world.ts';

/** In calm, all waits, back-offs, cool-downs and deadlines are over after this long. */
const SETTLE_MS = 4 * 3_600_000;
const QUIET_MS = 30 * 3_600_000;
/** Steps that settling may take. */
const STEPS = 400;

export interface Outcome {
  /** Null: every rule held. */
  readonly breach: string | null;
  readonly steps: number;
}

/** Lives through one seed. `story` is told each step. */
export function simulate(seed: number, story: ((line: string) => void) | null = null): Outcome {
  const world = new World(seed, story);
  try {
    storm(world, (until) => run(world, until));
    calm(world);
    const { steps } = world.rules;
    run(world, world.clock.now + SETTLE_MS);
    if (world.rules.steps - steps > STEPS) fail(`3: it took ${world.rules.steps - steps} steps to settle`, world.body?.state);
    if (!settled(world)) return { breach: null, steps: world.rules.steps };
    const { writes } = world;
    const quiet = world.rules.steps;
    run(world, world.clock.now + QUIET_MS);
    if (world.writes !== writes || world.rules.steps !== quiet)
      fail(`6: at rest there were ${world.writes - writes} writes and ${world.rules.steps - quiet} steps`, world.body?.state);
    return { breach: null, steps: world.rules.steps };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    world.tell(`BREACH ${error.message}`);
    return { breach: error.message === '' ? String(error) : (error.stack ?? error.message), steps: world.rules.steps };
  }
}

function run(world: World, until: number): void {
  while (world.clock.step(until)) {
    for (const site of world.sites) if (site.isServing()) site.healthyAt = world.clock.now;
    if (world.body !== null) world.rules.afterEvent(world.body.state);
  }
}
