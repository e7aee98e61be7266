// Faults of processes: killed, stopped for a moment, and with a clock that jumps.
import { setTimeout as pause } from 'node:timers/promises';
import type { Layout } from '../../../../deploy/local/layout.ts';
import { desiredProcesses } from '../../../../deploy/local/supervise/desired.ts';
import { Wave, type ProcessSpec } from '../../../../deploy/local/supervise/process-spec.ts';
import { away, between, type Action, type Processes, type Storm } from '../world.ts';

/** The ingress of a site is in this process, so users ask it: it is only cut off, which excuses failures. */
const INGRESS = /-(stand-ins|data-plane)$/;

export async function processesOf(layout: Layout): Promise<Processes> {
  const all = await desiredProcesses(layout);
  const of = (wave: ProcessSpec['wave']): string[] =>
    all.filter((spec) => spec.wave === wave && !INGRESS.test(spec.name)).map(({ name }) => name);
  return {
    ours: of(Wave.ours),
    controllers: of(Wave.controller),
    servers: of(Wave.server),
    stores: of(Wave.store),
  };
}

/** Half of the time one of ours, and otherwise one of what they rest on. */
function pickProcess({ dice, processes: { ours, controllers, servers, stores } }: Storm): string {
  return dice.chance(0.5) ? dice.pick(ours) : dice.pick([...controllers, ...servers, ...servers, ...stores]);
}

export const kill: Action = async (storm) => {
  const name = pickProcess(storm);
  if (storm.away.has(name)) return `${name} is away already`;
  const back = await storm.stack.killNow(name);
  away(storm, [name], back());
  return `killed ${name}`;
};

export const freeze: Action = async (storm) => {
  const name = pickProcess(storm);
  if (storm.away.has(name)) return `${name} is away already`;
  const milliseconds = between(storm, 1_000, 8_000);
  away(storm, [name], stopFor(storm, name, milliseconds));
  return `stopped ${name} for ${milliseconds} ms`;
};

/** With SIGSTOP. One that has ended, by its supervisor or by itself, is not stopped, or not continued. */
export async function stopFor({ stack }: Storm, name: string, milliseconds: number): Promise<void> {
  try {
    await stack.freeze(name, () => pause(milliseconds));
  } catch (error) {
    if (!hasEnded(error)) throw error;
  }
}

/** Of a signal to a process that has ended by itself, and is not back yet. */
export function hasEnded(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return (error as NodeJS.ErrnoException).code === 'ESRCH' || /^\S+ does not run\.$/.test(error.message);
}

const LONGEST_JUMP_MS = 600_000;

export const jump: Action = async (storm) => {
  const name = storm.dice.pick(storm.processes.ours);
  const clock = `clock of ${name}`;
  if (storm.away.has(clock)) return `the ${clock} is wrong already`;
  const shift = between(storm, -LONGEST_JUMP_MS, LONGEST_JUMP_MS);
  const milliseconds = between(storm, 2_000, 20_000);
  storm.rewired.shiftClock(name, shift);
  away(
    storm,
    [clock],
    pause(milliseconds).then(() => storm.rewired.shiftClock(name, 0)),
  );
  return `the ${clock} is ${shift} ms off for ${milliseconds} ms`;
};
