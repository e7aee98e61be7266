// Finds the advice for a reason, by whichever list has it.
import type { Advice } from './advice.ts';
import { LOOK } from './advice.ts';
import { EXCLUSIONS, LEAVING } from './choice-reasons.ts';
import { HUB } from './hub-reasons.ts';
import { SITE } from './site-reasons.ts';

/** For a reason of a hub or site of another version. */
const UNKNOWN: Advice = {
  words: 'This version of the program does not know this reason.',
  remedy: 'The message says what there is to know.',
  command: LOOK,
};

/** Of a condition. */
export function adviceFor(reason: string): Advice {
  return of(HUB, reason) ?? of(SITE, reason) ?? UNKNOWN;
}

/** Of a site that a decision record left out. */
export function exclusionAdvice(reason: string): Advice {
  return of(EXCLUSIONS, reason) ?? { ...UNKNOWN, words: 'was left out' };
}

/** Of a move. */
export function leaveAdvice(reason: string): Advice {
  return of(LEAVING, reason) ?? { ...UNKNOWN, words: 'for a reason that this version does not know' };
}

function of(list: Readonly<Record<string, Advice>>, reason: string): Advice | undefined {
  return Object.hasOwn(list, reason) ? list[reason] : undefined;
}
