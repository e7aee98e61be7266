// The state after a move that ends without its new copy. Pure.
import type { Move, MoveRecord } from '../../../types/moves.ts';
import type { State } from '../../state.ts';
import type { Copy } from '../../../types/copy.ts';
import { withoutStop } from '../../../types/sentences.ts';
import { isOthers, refusalOf } from '../../facts/copies.ts';
import { lackOfHostname } from '../../facts/hostname.ts';
import { lackOfChecks } from '../../facts/verification.ts';
import { givenUp } from './healing.ts';
import { lookingAgain, OTHER_HUB_MS, moveRecord, remembered, unwanted, withCause } from './moved.ts';

/** How long a site that failed a Capp is avoided, in milliseconds. */
const AVOID_MS = 600_000;

/**
 * Ends the move without its new copy: users stay on the old site, or return there. A site that failed is
 * avoided for a while.
 */
export function abandoned(before: State, now: number, result: 'Failed' | 'Cancelled'): State {
  return ended(before, now, { result });
}

/**
 * Ends the move whose new copy could not be shipped. That says nothing of what an earlier try has done, so
 * the site counts as tried.
 */
export function shipFailed(before: State, now: number, why: string): State {
  return ended(before, now, { result: 'Failed', failed: why });
}

interface End {
  readonly result: 'Failed' | 'Cancelled';
  /** Why the ship failed, for people; absent if none did. */
  readonly failed?: string;
}

function ended(before: State, now: number, { result, failed }: End): State {
  const { move } = before;
  if (move === null) return before;
  const why = failed ?? whyGivenUp(before, move);
  const state = givenUp(before, move, { why, mayBeShipped: failed !== undefined });
  const isOther = isOthers(state.copies[move.to]);
  const avoid =
    result === 'Failed' && (isOther || !isAppsFault(state, move))
      ? { ...state.avoid, [move.to]: now + (isOther ? OTHER_HUB_MS : AVOID_MS) }
      : state.avoid;
  const again = lookingAgain(state);
  return {
    ...again,
    due: withCause(withCause(again.due, 'site'), 'spec'),
    ...whereItWas(state, move),
    move: null,
    avoid,
    lastMove: {
      ...moveRecord(withReason(move, failed ?? whyGivenUp(state, move)), result, now),
      ...checksOf(state, move),
    },
    copies: wantedAgain(unwanted(state.copies, move.to), move.from),
  };
}

/** With `Recreate` the old copy may be gone already: then the Capp has no site until one is chosen. */
function whereItWas({ copies, leave, request }: State, { from }: Move): Partial<State> {
  const pending = leave?.from === from ? leave : null;
  if (copies[from] !== undefined) return { serving: from, leave: pending };
  const message = `${from} is still removing an earlier copy of this Capp.`;
  return {
    serving: null,
    placing: { reason: 'StillLeaving', message },
    stays: null,
    leave: null,
    request: request ?? pending?.request ?? null,
  };
}

/** Adds to the move's message what the new site refused, or lacked, or why it could not be shipped there. */
function withReason(move: Move, why: string | undefined): Move {
  return why === undefined ? move : { ...move, message: `${withoutStop(move.message)}. Given up: ${why}` };
}

function whyGivenUp(state: State, move: Move): string | undefined {
  const refused = state.serving === move.to ? null : refusalOf(state.copies[move.to]);
  const checks = state.serving === move.to ? null : lackOfChecks(state);
  const unchecked = checks === null || checks === 'Unknown' ? undefined : checks.says;
  return refused?.message ?? lackOfHostname(state)?.message ?? unchecked;
}

/** The copy goes, and its verdict would go with it. */
function checksOf(state: State, move: Move): Pick<MoveRecord, 'verification'> {
  const checks = state.serving === move.to ? null : lackOfChecks(state);
  return checks === null || checks === 'Unknown' ? {} : { verification: checks };
}

/** Its agent must report that it serves before any other copy is removed for it. */
function wantedAgain(copies: State['copies'], cluster: string): State['copies'] {
  const copy = copies[cluster];
  return copy === undefined ? copies : { ...copies, [cluster]: remembered(copy) };
}

/**
 * The same generation also fails on the old site: then the new site is not to blame, unless it is
 * unreachable.
 */
function isAppsFault(state: State, { from, to }: Move): boolean {
  if (state.unreachable.includes(to)) return false;
  const old: Copy | undefined = state.copies[from];
  return (
    state.refused !== null || (old?.finding?.verdict === 'Failed' && old.generation === state.generation)
  );
}
