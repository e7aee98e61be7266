// What a state becomes when the Capp is found frozen by annotation rcs.dana.io/paused: pure.
import type { Applied } from '../../ports.ts';
import type { State } from '../state.ts';

/**
 * A site was chosen and nothing has been shipped there: for all that may be decided until somebody lifts the freeze, that choice says nothing, and
 * another is made then. An earlier try may have made a work all the same, so it is looked for first.
 */
export function frozen(before: State, cluster: string, { generation, isThere }: Extract<Applied, { outcome: 'Paused' }>): State {
  const state = { ...unfollowed(before), generation, paused: true, backoff: null };
  const { [cluster]: copy, ...copies } = state.copies;
  if (isThere || copy === undefined || copy.stamp !== null || cluster !== state.serving || state.move !== null) return state;
  const message = 'The Capp is frozen, and no site has got it yet. One is chosen when annotation rcs.dana.io/paused is taken away.';
  // What was accepted and has not begun is looked at when there is a site to leave.
  const request = state.request ?? state.leave?.request ?? null;
  const placing = { reason: 'Paused', message };
  return { ...state, copies, serving: null, pinned: false, placing, stays: null, leave: null, request, mayHaveWorks: true };
}

/** What becomes of a frozen Capp's copies is not followed. */
function unfollowed(state: State): State {
  const copies = Object.entries(state.copies).map(([cluster, copy]) => [cluster, { ...copy, heard: false }] as const);
  return { ...state, copies: Object.fromEntries(copies) };
}
