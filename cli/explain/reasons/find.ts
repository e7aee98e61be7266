// Finds the advice for a reason, by whichever list has it.
import type { Advice } from './advice.ts';
import { LOOK } from './advice.ts';
import { BUNDLES } from './bundle.ts';
import { EXCLUSIONS, LEAVING } from './choice.ts';
import { HUB } from './hub.ts';
import { SET, SET_SITES } from './set.ts';
import { SITE } from './site.ts';

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

/** Of a condition of a CappSet. */
export function setAdvice(reason: string): Advice {
  return of(SET, reason) ?? { ...UNKNOWN, command: 'kubectl -n {namespace} describe cappset {name}' };
}

/** Of a site of a CappSet; null for what the Capp there says itself. */
export function setSiteAdvice(reason: string): Advice | null {
  return of(SET_SITES, reason) ?? null;
}

/** Of a condition of a Bundle, or of what fails on one of its sites. */
export function bundleAdvice(reason: string): Advice {
  return of(BUNDLES, reason) ?? { ...UNKNOWN, command: 'kubectl -n {namespace} describe bundle {name}' };
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
