// A site that was chosen and to which nothing was shipped: later decisions disregard that choice. Pure.
import type { Applied } from '../../ports.ts';
import type { Request } from '../../types/moves.ts';
import type { State } from '../state.ts';

/** Nothing was shipped to its site, nor was anything found there, and no move has brought it there. */
function isUnsent({ serving, copies, move, lastMove }: State): boolean {
  const copy = serving === null ? undefined : copies[serving];
  if (copy === undefined || copy.stamp !== null || copy.found === true) return false;
  return move === null && lastMove?.to !== serving;
}

/**
 * What a choice is made for: there is no reason to stay where nothing is. A person who asks to leave is
 * answered first.
 */
export function chosenFor(state: State): State {
  return isUnsent(state) && requestIn(state) === null ? withdrawn(state) : state;
}

function requestIn({ request, leave }: State): Request | null {
  return request ?? leave?.request ?? null;
}

/**
 * The site is chosen anew. A try that nobody heard of may have made a work all the same, so works are looked
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
 * What runs is not followed. What does not run yet gets its site when somebody lifts the freeze: until then
 * anything may be decided.
 */
export function frozen(before: State, { generation }: Extract<Applied, { outcome: 'Paused' }>): State {
  const copies = Object.entries(before.copies).map(
    ([cluster, copy]) => [cluster, { ...copy, heard: false }] as const,
  );
  const state = { ...before, copies: Object.fromEntries(copies), generation, paused: true, backoff: null };
  const message =
    'The Capp is paused and has no site yet. Remove annotation rcs.dana.io/paused, and a site is chosen.';
  return isUnsent(state) ? { ...withdrawn(state), placing: { reason: 'Paused', message } } : state;
}
