// The state after an agent has answered about a copy, or is silent. Pure.
import type { Answer } from '../../ports/agent.ts';
import type { State } from '../state.ts';
import type { Copy } from '../../types/copy.ts';
import { withHealth } from './health.ts';
import { withHealthUnknown } from './moving/healing.ts';
import { confirmed, confirming, unconfirmed, withCause } from './moving/moved.ts';
import { rungFor } from '../../types/ring.ts';
import { isHealthy, isWhole, servingCopy } from '../facts/copies.ts';
import { isAgentToBeAsked, otherHubOf } from '../facts/other-hub.ts';
import { answered, withRing } from './rings.ts';
import type { VerdictNews } from '../listener.ts';

/** How long a site that does not have what was sent gets to restore it, in milliseconds. */
const RETURN_MS = 600_000;

/** `answer` is null if the site has no such stamp. `gone`: it has nothing else of the Capp either. */
type Answered = { readonly stamp: string } & (
  | { readonly answer: Answer; readonly gone?: never }
  | { readonly answer: null; readonly gone?: boolean }
);

/** An answer counts only for the stamp it was asked about. */
export function afterAnswer(state: State, cluster: string, { gone, ...said }: Answered, now: number): State {
  const after = withAnswer(state, cluster, said, now);
  if (after === state) return state;
  return reviewing(state, gone === true ? nothingThere(after, cluster) : after);
}

/** Forgets that a copy with an earlier stamp may still serve there. */
function nothingThere(state: State, cluster: string): State {
  const copy = state.copies[cluster];
  if (copy === undefined) return state;
  const { mayBeThere: _mayBe, ...known } = copy;
  return { ...state, copies: { ...state.copies, [cluster]: { ...known, wasHealthy: false } } };
}

/**
 * A Capp that its site refuses as another hub's may go once nothing of it is there, and does not while it may
 * serve there: its site has let it in meanwhile.
 */
function reviewing(before: State, state: State): State {
  if (servingCopy(state)?.work?.asksThere !== true) return state;
  if (otherHubOf(state) === null)
    return asking(before, state.leave?.reason === 'OtherHub' ? { ...state, leave: null } : state);
  return otherHubOf(before) === null ? withRing(state, rungFor('decision')) : state;
}

/** The answer may be to a question from before the refusal was known, so the agent is asked once more. */
function asking(before: State, state: State): State {
  const isDue = isAgentToBeAsked(servingCopy(before) ?? undefined, servingCopy(state) ?? undefined);
  return isDue ? { ...state, due: withCause(state.due, 'site') } : state;
}

function withAnswer(
  state: State,
  cluster: string,
  { stamp, answer }: Pick<Answered, 'stamp' | 'answer'>,
  now: number,
): State {
  const copy = state.copies[cluster];
  if (copy === undefined || copy.stamp !== stamp) return state;
  const { seenAt: _seenAt, ...known } = copy;
  const { mayBeThere: _mayBe, ...seen } = known;
  // What served may serve on, where somebody on the site has given it to another hub. The new copy of a move
  // keeps the move from nothing then: another site can have the Capp.
  const mayBeThere = cluster === state.serving && isHealthy(known);
  const told =
    answer === null
      ? absent(mayBeThere ? { ...known, mayBeThere } : known, now)
      : { ...seen, finding: answer.finding, heard: true, heardAt: now, absentSince: null };
  const heard = { ...state, copies: { ...state.copies, [cluster]: { ...told, silentSince: null } } };
  const heardOf = answer === null ? withHealthUnknown(heard, cluster) : withHealth(heard, cluster, now);
  if (cluster !== state.move?.to) return heardOf;
  if (answer === null) return unconfirmed(heardOf, cluster);
  return isUnknown(heardOf, cluster) ? withRing(heardOf, rungFor('work')) : confirmed(heardOf);
}

/** Looks once at what OCM applied besides the Capp, after the new copy of a move is Ready. */
function isUnknown({ copies, serving }: State, cluster: string): boolean {
  const copy = copies[cluster];
  if (copy === undefined || serving === cluster) return false;
  return copy.finding?.verdict === 'Ready' && !isWhole(copy) && copy.work?.applied === 'Unknown';
}

/**
 * Earlier reports no longer count. The site may have the copy again soon: an agent that has just started sees
 * it in a moment.
 */
function absent({ askedAt: _askedAt, ...copy }: Copy, now: number): Copy {
  const deadline = copy.absentSince === null ? Math.max(copy.deadline, now + RETURN_MS) : copy.deadline;
  return { ...copy, heard: false, heardAt: 0, absentSince: copy.absentSince ?? now, deadline };
}

export function afterSilence(state: State, cluster: string, stamp: string, now: number): State {
  const copy = state.copies[cluster];
  if (copy === undefined || copy.stamp !== stamp) return state;
  const { askedAt, ...known } = copy;
  // Asked although it was silent: once more is enough (`isAskedInVain`).
  const isSilentAgain = askedAt !== undefined && copy.silentSince !== null;
  const silent = isSilentAgain
    ? { ...copy, silentSince: now }
    : { ...known, silentSince: copy.silentSince ?? now };
  return withHealthUnknown({ ...state, copies: { ...state.copies, [cluster]: silent } }, cluster);
}

/** A watch also answers the rings about its own copy, if that copy serves. */
export function watching(state: State, cluster: string): State {
  return cluster === state.serving ? answered(state, ['site'], state.ringsHeard) : state;
}

/**
 * Until its agent has answered, the last report on a copy is old. An answer about a copy that does not serve
 * answers no ring.
 */
export function reporting(state: State, cluster: string): State {
  const copy = state.copies[cluster];
  const copies =
    copy === undefined ? state.copies : { ...state.copies, [cluster]: { ...copy, heard: false } };
  const asked = { ...state, copies };
  return cluster === state.serving ? answered(confirming(asked), ['site'], state.ringsHeard) : asked;
}

/** Its agent is asked once more before the copy is removed, which waits for the answer. */
export function askedFirst(state: State, cluster: string, now: number): State {
  const asked = reporting(state, cluster);
  const copy = asked.copies[cluster];
  return copy === undefined
    ? asked
    : { ...asked, copies: { ...asked.copies, [cluster]: { ...copy, askedAt: now } } };
}

export function afterNews(state: State, news: VerdictNews, now: number): State {
  const { cluster, stamp } = news;
  switch (news.outcome) {
    case 'Answered':
      return afterAnswer(state, cluster, { stamp, answer: news.answer }, now);
    case 'Absent':
      return afterAnswer(state, cluster, { stamp, answer: null, gone: news.gone }, now);
    case 'Silent':
      return afterSilence(state, cluster, stamp, now);
  }
}
