// Lives through a tale, with all of its writes as they should be or with some that go wrong.
import { NOW } from '../../builders/states.ts';
import { Clockwork } from '../engine/clockwork.ts';
import { idle } from '../engine/settled.ts';
import { enter } from '../engine/virtual-time.ts';
import { breachOf } from '../rules/breach.ts';
import { settled } from '../rules/settled.ts';
import { EVEN } from '../stories/quiet.ts';
import { World } from '../world/world.ts';
import { Course } from './course.ts';
import { endOf } from './end.ts';
import { EveryWrite, type NumberedWrite, type Plan } from './every-write.ts';
import type { Tale } from './tales.ts';

const MINUTE_MS = 60_000;
/** By then the caches of all processes are filled. */
const FILLED_MS = 10_000;
const BEFORE_MS = 30 * MINUTE_MS;
/** All waits, back-offs, cool-downs and deadlines are over after this long. */
const SETTLE_MS = 180 * MINUTE_MS;
const QUIET_MS = 120 * MINUTE_MS;

export interface Life {
  /** Null: every rule held. */
  readonly breach: string | null;
  readonly writes: readonly NumberedWrite[];
  /** What there is in the end, without times and what the machine has drawn. */
  readonly end: string;
}

export async function live(
  tale: Tale,
  plan: Plan | null,
  story: ((line: string) => void) | null = null,
): Promise<Life> {
  const clock = new Clockwork(NOW);
  const leave = enter(clock, EVEN);
  const { stackTraceLimit } = Error;
  if (story === null) Error.stackTraceLimit = 0;
  const trial = new EveryWrite(plan);
  const world = new World({
    clock,
    dice: EVEN,
    story,
    faults: ['records'],
    isQuiet: true,
    capps: tale.capps ?? [],
    fleetOf: tale.fleetOf,
    trial,
  });
  const course = new Course(world);
  try {
    await tell(world, tale, trial);
  } catch (error) {
    world.fail(breachOf(error));
  } finally {
    leave();
    Error.stackTraceLimit = stackTraceLimit;
  }
  const end = `${endOf(world)}\n${course.text()}`;
  world.endBridge();
  return { breach: world.breach?.message ?? null, writes: trial.writes, end };
}

async function tell(world: World, { before = [], deed }: Tale, trial: EveryWrite): Promise<void> {
  await pass(world, FILLED_MS);
  for (const one of before) {
    one(world);
    await pass(world, BEFORE_MS);
  }
  trial.count();
  deed(world);
  await pass(world, SETTLE_MS);
  for (const name of world.capps) settled(world, name);
  const { length } = trial.writes;
  await pass(world, QUIET_MS);
  const more = trial.writes.slice(length).find(({ where }) => where !== 'turn');
  if (more !== undefined) world.fail({ message: `at rest something is written: ${more.text}` });
}

async function pass(world: World, milliseconds: number): Promise<void> {
  const until = world.clock.now + milliseconds;
  while (world.breach === null && world.clock.step(until)) {
    await world.temporal.follow(idle);
    world.rules.afterEvent();
  }
}
