// How walks are taken: from one valid spec to another, and each must end where one who begins there is.
import { random, type Random } from '../builders/random.ts';

const ASKED = process.env['WALKS'];
/** WALKS=500 takes more, SEED others. */
export const WALKS = Number(ASKED ?? 40);
const FIRST = Number(process.env['SEED'] ?? 29);

/** In a test of every commit, where none are asked for: then it has taken so many as it could, in order. */
const PATIENCE_MS = 20_000;

/** Takes one walk after the other, from 0. */
export async function takeWalks(take: (walk: number) => Promise<void>): Promise<void> {
  const began = performance.now();
  for (let walk = 0; walk < WALKS; walk += 1) {
    if (ASKED === undefined && performance.now() - began > PATIENCE_MS) return;
    await take(walk);
  }
}

/** Of one walk. */
export function diceOf(walk: number): Random {
  return random(FIRST * 1_000_003 + walk);
}

/** Six letters and digits that stand in every name of the one who walks, or of another. */
export function tagOf(walk: number | null): string {
  return walk === null ? 'zzwalk' : `zz${String(walk).padStart(4, '0')}`;
}

/** A value in which the tag says nothing any more. */
export function untagged<T>(value: T, tag: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll(tag, 'TAG')) as T;
}

/** A part of an object, now and then. */
export function maybe<T extends object>(dice: Random, probability: number, make: () => T): Partial<T> {
  return dice.chance(probability) ? make() : {};
}

/** Some of the values, in their order. */
export function some<T>(dice: Random, probability: number, values: readonly T[]): T[] {
  return values.filter(() => dice.chance(probability));
}

/** The first that is valid. Throws when none of a hundred is: then the maker is at fault. */
export function valid<T>(make: () => T, problemsOf: (made: T) => readonly string[]): T {
  let problems: readonly string[] = [];
  for (let tries = 0; tries < 100; tries += 1) {
    const made = make();
    problems = problemsOf(made);
    if (problems.length === 0) return made;
  }
  throw new Error(`Nothing valid was made: ${problems.join('; ')}`);
}
