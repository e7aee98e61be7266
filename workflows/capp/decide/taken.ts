// What a state becomes when a step has its answer: pure. `asked` is the state with which the step began; rings may have come since.
import type { DecisionRecord } from '../../../crds/capp/status.ts';
import type { News } from '../listener.ts';
import type { Applied, Choice, Publication, Retired } from '../../ports.ts';
import { unread, type Ring } from '../../types/ring.ts';
import type { State } from '../state.ts';
import { conditionsOf } from '../conditions/conditions.ts';
import { servingCopy } from './copies.ts';
import { fingerprint } from './fingerprint.ts';
import { afterAnswer, afterSilence } from './answers.ts';
import { afterApply, afterChoice, answered, afterRing, isAppliedEverywhere } from './learn.ts';
import { abandoned, arrived, begun, confirming, extended, switched } from '../moving/moved.ts';
import { gateOf } from '../moving/leave.ts';
import { asksForApply, asksForLook } from './next-step.ts';
import { afterGone } from '../moving/reviewed.ts';
import { afterRetire } from './went.ts';

export function chose(state: State, asked: State, choice: Choice, now: number): State {
  const isLook = choice.outcome === 'Stays' || choice.outcome === 'Leaves';
  const looked = isLook ? asked.due.filter((cause) => asksForLook(cause) && !asksForApply(cause)) : asked.due;
  const since = { now, ringsHeard: asked.ringsHeard };
  if (choice.outcome === 'Behind') return afterChoice(state, choice, since);
  const next = afterChoice(
    { ...answered(state, looked, asked.ringsHeard), minimumVersions: unread(state.minimumVersions, asked.minimumVersions) },
    choice,
    since,
  );
  return isLook && asked.due.includes('gone') ? afterGone(next, choice) : next;
}

/** The decision record of a choice that users should read, or null. */
export function recordIn(choice: Choice): DecisionRecord | null {
  const isMade = choice.outcome === 'None' || choice.outcome === 'Chosen' || (choice.outcome === 'Leaves' && choice.to !== null);
  return isMade ? choice.record : null;
}

/**
 * Whether users should read of a choice at once: one that is followed by an apply is published by it. A workflow that has just found its
 * works knows less than what stands there, until it has looked at them.
 */
export function isTold({ outcome }: Choice, state: State, now: number): boolean {
  if (outcome === 'None') return true;
  if (state.published === null || outcome === 'Chosen') return false;
  if (outcome !== 'Leaves') return outcome === 'Stays';
  const gate = gateOf(state, now);
  return gate !== null && gate.reason !== 'PermitAsked';
}

export function applied(state: State, asked: State, cluster: string, answer: Exclude<Applied, { outcome: 'Replaced' }>): State {
  const after = afterApply(state, cluster, answer, asked.ringsHeard);
  if (answer.outcome === 'Deleted') return after;
  const known = isAppliedEverywhere(after, asked.ringsHeard) ? answered(after, asked.due.filter(asksForApply), asked.ringsHeard) : after;
  return { ...known, published: markOf(afterApply(asked, cluster, answer), answer.at) };
}

/** A watch answers the news of the copy that it asks about anew, if users are sent there. */
export function watching(state: State, cluster: string): State {
  return cluster === state.serving ? answered(state, ['site'], state.ringsHeard) : state;
}

/** Until its agent has answered, a copy's last word is an old one. What another than the serving copy is asked answers no ring. */
export function reporting(state: State, cluster: string): State {
  const copy = state.copies[cluster];
  const copies = copy === undefined ? state.copies : { ...state.copies, [cluster]: { ...copy, heard: false } };
  const asked = { ...state, copies };
  return cluster === state.serving ? answered(confirming(asked), ['site'], state.ringsHeard) : asked;
}

export function retired(state: State, asked: State, answer: Exclude<Retired, { outcome: 'Replaced' }>, now: number): State {
  return afterRetire(answered(state, asked.due, asked.ringsHeard), answer, { now, ringsHeard: asked.ringsHeard });
}

export type Turn = 'begin' | 'switch' | 'extend' | 'abandon' | 'arrive';

/** The steps of a move that change nothing but the state, and what users read of it. */
export function turned(state: State, what: Turn, now: number): State {
  switch (what) {
    case 'begin':
      return begun(state, now);
    case 'switch':
      return switched(state);
    case 'extend':
      return extended(state, now);
    case 'abandon':
      return abandoned(state, now, 'Failed');
    case 'arrive':
      return relieved(arrived(state, now));
  }
}

/** Rings that only the copy left behind had not answered need no answer any more. */
function relieved(state: State): State {
  const { due, ringsHeard } = state;
  return isAppliedEverywhere(state, ringsHeard) ? answered(state, due.filter(asksForApply), ringsHeard) : state;
}

export function learned(state: State, { cluster, stamp, answer, silent }: News, now: number): State {
  return silent ? afterSilence(state, cluster, stamp, now) : afterAnswer(state, cluster, { stamp, answer }, now);
}

/** The fingerprint of nothing that we publish. */
const OTHER = '';

/** Who has told users nothing yet knows less than what stands there, and tells nothing because somebody rings. */
export function rang(state: State, ring: Ring): State {
  const next = afterRing(state, ring);
  return ring.tellAgain === true && next.published !== null ? { ...next, published: OTHER } : next;
}

/** Stands for all that users read and a wiped Temporal remembers. */
function markOf(state: State, at: number): string {
  const { serving, placedFor, pin, annotated, lastMove } = state;
  return fingerprint([conditionsOf(state, at), serving, placedFor, pin, annotated, lastMove]);
}

/** Before anything that may tell users of this state. */
export function telling(state: State, now: number): State {
  return { ...state, statusDecidedAt: Math.max(state.statusDecidedAt + 1, now) };
}

/** What is to be published now, with its fingerprint; null if that stands there already. */
export function publicationOf(
  state: State,
  { record, news, at }: { record: DecisionRecord | null; news: News | null; at: number },
): { readonly mark: string; readonly publication: Publication } | null {
  const mark = markOf(state, at);
  const mirror = news !== null && news.stamp === servingCopy(state)?.stamp ? (news.answer?.mirror ?? null) : null;
  // The choice of a site is told with what is shipped there.
  const isChoice = record !== null && record.cluster !== null;
  if (mark === state.published && mirror === null && (record === null || isChoice)) return null;
  return { mark, publication: { record, mirror, at } };
}

/** It has been written; a mirror that went with it is known by its hash. */
export function published(state: State, { mark, mirror }: { mark: string; mirror: unknown }, news: News | null): State {
  const mirrored = mirror === null ? state.mirrored : (news?.answer?.finding.statusHash ?? null);
  return { ...state, published: mark, mirrored };
}
