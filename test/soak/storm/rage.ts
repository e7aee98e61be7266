// The course of a storm: an action every few seconds, and what happens in every storm at its time.
import { setTimeout as pause } from 'node:timers/promises';
import { random } from '../../support/builders/random.ts';
import { nextAction } from './actions.ts';
import { loseSite } from './faults/loss.ts';
import { hasEnded } from './faults/processes.ts';
import { upgrade } from './faults/upgrade.ts';
import { fallIll } from './loads/sickness.ts';
import { inBackground, type Storm } from './world.ts';

/** So long after one was lost, another site is. */
const LOST_EVERY_MS = 900_000;

/**
 * For so many minutes. A site is lost soon, and again and again; half-way all processes of ours are upgraded,
 * one after the other; later an app turns ill.
 */
export async function rage(storm: Storm, minutes: number, build: string): Promise<void> {
  const begun = Date.now();
  const lasts = minutes * 60_000;
  const say = (line: string): void =>
    console.log(`${String(Math.round((Date.now() - begun) / 1_000)).padStart(4)} s ${line}`);
  const course = planned(storm, build, lasts, say);
  while (Date.now() < begun + lasts) {
    const due = course.filter(({ at }) => Date.now() >= begun + at);
    for (const { begin } of course.splice(0, due.length)) inBackground(storm, begin());
    // What an action draws depends on what is away, and must not change which one comes next.
    const dice = random(Math.floor(storm.dice.next() * 2 ** 32));
    const action = nextAction(storm);
    say(await action({ ...storm, dice }).catch(unlessAway));
    await pause(storm.dice.next() * 3_000);
  }
}

interface Planned {
  /** Milliseconds after the storm has begun. */
  readonly at: number;
  begin(): Promise<void>;
}

function planned(storm: Storm, build: string, lasts: number, say: (line: string) => void): Planned[] {
  const upgraded = async (): Promise<void> => {
    say('a rolling upgrade begins');
    await upgrade(storm, build);
    say('the rolling upgrade is over');
  };
  const losses = Math.ceil((lasts * 0.9) / LOST_EVERY_MS);
  return [
    ...Array.from({ length: losses }, (_, index) => ({
      at: lasts * 0.05 + index * LOST_EVERY_MS,
      begin: async () => say(await loseSite({ ...storm, dice: random(index) })),
    })),
    { at: lasts * 0.5, begin: upgraded },
    { at: lasts * 0.6, begin: async () => say(`an app turns ill on ${await fallIll(storm)}`) },
  ].toSorted((a, b) => a.at - b.at);
}

/** A process that has ended by itself, and is not back yet, cannot be killed. */
function unlessAway(error: unknown): string {
  if (hasEnded(error)) return error.message;
  throw error;
}
