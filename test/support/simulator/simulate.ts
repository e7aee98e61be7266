// One seed: a random storm, and then calm, in which each Capp must come to rest where it may be, with one
// work, and nothing may happen any more.
import { idle } from './engine/settled.ts';
import { calm } from './world/calm.ts';
import { random } from '../builders/random.ts';
import { NOW } from '../builders/states.ts';
import { Clockwork } from './engine/clockwork.ts';
import { FAULTS, type Fault } from './world/faults.ts';
import { breachOf } from './rules/breach.ts';
import { Neighbours } from './world/neighbours.ts';
import { settled } from './rules/settled.ts';
import type { Counts } from './rules/tally.ts';
import { storm } from './world/storm.ts';
import { enter } from './engine/virtual-time.ts';
import { World, type Beginning } from './world/world.ts';

/** In calm, all waits, back-offs, cool-downs and deadlines are over after this long. */
const SETTLE_MS = 4 * 3_600_000;
/** A site that lies goes on at most so long when the storm is over. */
const SIEGE_MS = 600_000;
/** In calm, a revision that fails has been undone within this. */
const UNDO_MS = 2 * 3_600_000;
/** Less than a day, after which everything is looked at. */
const QUIET_MS = 12 * 3_600_000;

export interface Outcome {
  /** Null: every rule held. */
  readonly breach: string | null;
  readonly steps: number;
  /** What has happened, and how often. */
  readonly counts: Counts;
}

interface Ways {
  /** Is told each turn of a workflow. */
  readonly counted?: Beginning['counted'];
  /** One site lies. */
  readonly lies?: boolean;
  /** There is a CappSet or a Bundle, too. */
  readonly fleets?: boolean;
}

/** A site that lies has dice of its own. */
const LIES = 0x11e5;
/** So has a fleet. */
const FLEETS = 0xf1ee7;
/** And so have other hubs, which are in every other life of Capps alone. */
const OTHER_HUBS = 0x07e8;

/** Lives through one seed. `story` is told each step. */
export async function simulate(
  seed: number,
  story: Beginning['story'] = null,
  faults: readonly Fault[] = FAULTS,
  { counted, lies = false, fleets = false }: Ways = {},
): Promise<Outcome> {
  const clock = new Clockwork(NOW);
  const dice = random(seed);
  const leave = enter(clock, dice);
  const { stackTraceLimit } = Error;
  // Failures are made by the thousand, and only who reads the story asks where.
  if (story === null) Error.stackTraceLimit = 0;
  const world = new World({
    clock,
    dice,
    story,
    faults: faults.filter((fault) => fault !== 'other hubs'),
    lies: lies ? random(seed ^ LIES) : null,
    fleet: fleets ? random(seed ^ FLEETS) : null,
    counted,
  });
  try {
    await live(world, lies || fleets || !faults.includes('other hubs') ? null : neighbours(world, seed));
  } catch (error) {
    world.fail(breachOf(error));
  } finally {
    leave();
    Error.stackTraceLimit = stackTraceLimit;
  }
  if (world.breach !== null) world.tell(`BREACH ${world.breach.message}`);
  return { breach: world.breach?.message ?? null, steps: world.rules.steps, counts: world.tally.counts() };
}

/** In every other life. */
function neighbours(world: World, seed: number): Neighbours | null {
  const dice = random(seed ^ OTHER_HUBS);
  return dice.chance(0.5) ? new Neighbours(world, dice) : null;
}

async function live(world: World, others: Neighbours | null): Promise<void> {
  if (!(await trouble(world))) return;
  const clean = calm(world);
  others?.calm(clean);
  world.fleet?.calm();
  if (!(await run(world, world.clock.now + SETTLE_MS))) return;
  const resting = world.capps.filter((name) => settled(world, name));
  if (resting.length < world.capps.length || world.fleet?.settled() === false) return;
  if (world.fleet !== null) {
    world.fleet.breakAndUndo();
    if (!(await run(world, world.clock.now + UNDO_MS)) || !world.fleet.undone()) return;
  }
  const { writes } = world.rules;
  if (!(await run(world, world.clock.now + QUIET_MS))) return;
  world.rules.quiet(writes);
}

/** The storm, and what is played after it. False: a rule was broken. */
async function trouble(world: World): Promise<boolean> {
  if (!(await storm(world, (until) => run(world, until)))) return false;
  if (world.lies !== null && !(await run(world, world.clock.now + world.between(60_000, SIEGE_MS))))
    return false;
  const plotted = world.fleet?.plot() ?? null;
  return plotted === null || run(world, plotted);
}

/** False: a rule was broken. */
async function run(world: World, until: number): Promise<boolean> {
  while (world.clock.step(until)) {
    await world.temporal.follow(idle);
    world.rules.afterEvent();
    if (world.breach !== null) return false;
  }
  return true;
}
