// The state after an agent has answered about a copy, or is silent. Pure.
import type { Answer } from '../../ports.ts';
import type { Copy, State } from '../state.ts';
import { confirmed, confirming, unconfirmed } from '../moving/moved.ts';
import { rungFor } from '../../types/ring.ts';
import { isWhole } from './copies.ts';
import { answered, withRing } from './rings.ts';
import type { News } from '../listener.ts';

/** A site that says that it does not have what was sent gets this long to have it again, in milliseconds. */
const RETURN_MS = 600_000;

/** An answer counts only for the stamp it was asked about. Null: the site has no such stamp. */
export function afterAnswer(
  state: State,
  cluster: string,
  { stamp, answer }: { stamp: string; answer: Answer | null },
  now: number,
): State {
  const copy = state.copies[cluster];
  if (copy === undefined || copy.stamp !== stamp) return state;
  const { seenAt: _seenAt, ...known } = copy;
  const told =
    answer === null
      ? absent(known, now)
      : { ...known, finding: answer.finding, heard: true, heardAt: now, absentSince: null };
  const heardOf = { ...state, copies: { ...state.copies, [cluster]: { ...told, silentSince: null } } };
  if (cluster !== state.move?.to) return heardOf;
  if (answer === null) return unconfirmed(heardOf, cluster);
  return isUnknown(heardOf, cluster) ? withRing(heardOf, rungFor('work')) : confirmed(heardOf);
}

/**
 * The new copy of a move is Ready, and what its site took beside the Capp has not been looked at since OCM
 * has said so: it is, once.
 */
function isUnknown({ copies, serving }: State, cluster: string): boolean {
  const copy = copies[cluster];
  if (copy === undefined || serving === cluster) return false;
  return copy.finding?.verdict === 'Ready' && !isWhole(copy) && copy.work?.applied === 'Unknown';
}

/**
 * What was heard of it before counts no more. Its site may have it again soon: an agent that has just begun
 * sees it in a moment.
 */
function absent(copy: Copy, now: number): Copy {
  const deadline = copy.absentSince === null ? Math.max(copy.deadline, now + RETURN_MS) : copy.deadline;
  return { ...copy, heard: false, heardAt: 0, absentSince: copy.absentSince ?? now, deadline };
}

export function afterSilence(state: State, cluster: string, stamp: string, now: number): State {
  const copy = state.copies[cluster];
  if (copy === undefined || copy.stamp !== stamp) return state;
  return {
    ...state,
    copies: { ...state.copies, [cluster]: { ...copy, silentSince: copy.silentSince ?? now } },
  };
}

/** A watch answers the news of the copy that it asks about anew, if users are sent there. */
export function watching(state: State, cluster: string): State {
  return cluster === state.serving ? answered(state, ['site'], state.ringsHeard) : state;
}

/**
 * Until its agent has answered, a copy's last word is an old one. What another than the serving copy is asked
 * answers no ring.
 */
export function reporting(state: State, cluster: string): State {
  const copy = state.copies[cluster];
  const copies =
    copy === undefined ? state.copies : { ...state.copies, [cluster]: { ...copy, heard: false } };
  const asked = { ...state, copies };
  return cluster === state.serving ? answered(confirming(asked), ['site'], state.ringsHeard) : asked;
}

export function afterNews(state: State, { cluster, stamp, answer, silent }: News, now: number): State {
  return silent
    ? afterSilence(state, cluster, stamp, now)
    : afterAnswer(state, cluster, { stamp, answer }, now);
}
