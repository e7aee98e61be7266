// The changes of the order of a Capp's commands, and what may lead to each (`engine/noted.ts`).
import type { StatusTelling } from './conditions/publication.ts';
import { isHealthy, isPartly, servingCopy } from './facts/copies.ts';
import { isLed } from './facts/dns.ts';
import { isNeedless, verdictOf } from './facts/verification.ts';
import type { CappLife } from './life.ts';
import { isWorse } from './next/going-back.ts';
import type { State } from './state.ts';
import type { Copy } from '../types/copy.ts';
import { note } from '../engine/noted.ts';

/** A deletion is tried by a local activity first, and says nothing for ten seconds. */
export const QUICK_DELETION = 'a deletion is quick and quiet';

/**
 * The agent of a move's old copy is asked before its users return, and before it goes while users may be led
 * to it.
 */
export const ASKED_FIRST = 'an old copy to which users may return or be led is asked first';

/** So is one whose agent was silent long ago. */
export const ASKED_AFTER_SILENCE = 'an agent that was silent long ago is asked before an old copy goes';

/** A failure that comes in the middle of a move is published, though nothing else of the status changes. */
export const FAILURE_TOLD = 'what has failed is published beside the checks of a move';

/**
 * That a site has a Capp, and not all that travels with it, is published, and again at the deadline, for
 * which a timer waits.
 */
export const PART_TOLD = 'what a site has not applied beside the Capp is published';

/** The checks of a copy that is disabled are dropped, and nothing waits for them. */
export const NEEDLESS_DROPPED = 'the checks of a disabled copy are dropped';

/** The same before the news that it is disabled is published: what nobody will check is not said to be. */
export const NEEDLESS_UNSAID = 'the checks of a disabled copy are dropped before its news are published';

/** How the status is compared with what was published. */
export function tellingOf({ noted }: Pick<CappLife, 'noted'>): StatusTelling {
  return { tellsFailure: noted.has(FAILURE_TOLD), tellsPart: noted.has(PART_TOLD) };
}

/** Called only where `note` may be, with the state that follows from what was heard. */
export function noteChanges(life: Pick<CappLife, 'runtime' | 'noted'>, state: State): void {
  if (state.retiring || state.due.includes('meta')) note(life, QUICK_DELETION);
  if (mayAskFirst(state, life.runtime.now())) note(life, ASKED_FIRST);
  if (mayAskSilent(state, life.runtime.now())) note(life, ASKED_AFTER_SILENCE);
  if (mayFailBeside(state)) note(life, FAILURE_TOLD);
  if (mayBePart(state)) note(life, PART_TOLD);
  if (!Object.values(state.copies).some(isNeedless)) return;
  note(life, NEEDLESS_DROPPED);
  note(life, NEEDLESS_UNSAID);
}

/** It is so, or its work is about to be read again although it is Ready. Most Capps never come to it. */
function mayBePart(state: State): boolean {
  const copy = servingCopy(state);
  if (copy === null || copy.work?.withMore !== true) return false;
  return isPartly(copy) || (copy.finding?.verdict === 'Ready' && state.due.includes('work'));
}

/** Nothing is known of the checks of a copy that its users may leave, or they have failed. */
function mayFailBeside(state: State): boolean {
  const copy = servingCopy(state);
  if (state.move === null || state.serving === state.move.to || copy?.order === undefined) return false;
  return verdictOf(copy)?.verdict !== 'Passed';
}

/** Most moves never come to it, and cost no marker. */
function mayAskFirst(state: State, now: number): boolean {
  const { move, serving } = state;
  if (move !== null && serving === move.to && isWorse(state, move)) return true;
  return !isLed(state, now) && othersIn(state).some((copy) => !isHealthy(copy));
}

/** So few moves come to it that each has a marker of its own. */
function mayAskSilent(state: State, now: number): boolean {
  return !isLed(state, now) && othersIn(state).some((copy) => !isHealthy(copy) && copy.silentSince !== null);
}

function othersIn({ copies, serving }: State): Copy[] {
  return Object.entries(copies).flatMap(([cluster, copy]) => (cluster === serving ? [] : [copy]));
}
