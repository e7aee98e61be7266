// A site that was chosen and to which nothing was shipped: later decisions disregard that choice. Pure.
import type { Applied } from '../../ports/applied.ts';
import type { Request } from '../../types/moves.ts';
import type { State } from '../state.ts';
import { withHealthUnknown } from './moving/healing.ts';
import { NEW_COPY } from './copies.ts';
import { pausedText } from '../facts/paused.ts';

/** Nothing was shipped to its site, no work was found there, and no move has brought the Capp there. */
function isUnsent({ serving, copies, move, lastMove }: State): boolean {
  const copy = serving === null ? undefined : copies[serving];
  if (copy === undefined || copy.stamp !== null || copy.found === true) return false;
  return move === null && lastMove?.to !== serving;
}

/** A work that was found there and is gone is no reason to stay, where nothing was shipped. */
export function withoutFound(copies: State['copies'], cluster: string): State['copies'] {
  const { found: _found, ...copy } = copies[cluster] ?? NEW_COPY;
  return { ...copies, [cluster]: copy };
}

/** A choice disregards a site to which nothing was shipped. A person's move request is answered first. */
export function chosenFor(state: State): State {
  return isUnsent(state) && requestIn(state) === null ? withdrawn(state) : state;
}

function requestIn({ request, leave }: State): Request | null {
  return request ?? leave?.request ?? null;
}

/**
 * The site is chosen again. A try without an answer may have created a work all the same, so works are looked
 * for first.
 */
function withdrawn(state: State): State {
  const request = requestIn(state);
  const copies = Object.fromEntries(
    Object.entries(state.copies).filter(([cluster]) => cluster !== state.serving),
  );
  return {
    ...state,
    copies,
    serving: null,
    pinned: false,
    stays: null,
    leave: null,
    request,
    mayHaveWorks: true,
  };
}

/**
 * While a Capp is paused, its copies are not watched. A Capp to which nothing was shipped, or whose work is
 * gone from its site, loses its site and gets one when the pause ends, because decisions may change until
 * then.
 */
export function frozen(
  { pausedBy: _former, ...before }: State,
  cluster: string,
  { generation, isGone, by }: Extract<Applied, { outcome: 'Paused' }>,
): State {
  // Whoever pauses a Capp may be working on it: how it is, is counted anew afterwards.
  const seen = Object.keys(before.copies).reduce<State>((one, name) => withHealthUnknown(one, name), before);
  const copies = Object.entries(seen.copies).map(
    ([name, copy]) => [name, { ...copy, heard: false }] as const,
  );
  const state: State = {
    ...seen,
    copies: Object.fromEntries(copies),
    generation,
    paused: true,
    ...(by === undefined ? {} : { pausedBy: by }),
    backoff: null,
  };
  const message = `${pausedText(state)} and has no site yet. Remove annotation rcs.dana.io/paused, and a site is chosen.`;
  const isLost = isGone === true && state.serving === cluster && state.move === null;
  return isUnsent(state) || isLost ? { ...withdrawn(state), placing: { reason: 'Paused', message } } : state;
}
