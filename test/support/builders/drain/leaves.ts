// A Capp that is to leave site-1, and what drains hear of it.
import { newsDue, told } from '../../../../workflows/capp/after/drains.ts';
import type { Leave, Request } from '../../../../workflows/types/moves.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { aLeave, aMove, NOW } from '../states.ts';

/** The terms on which it leaves. */
export const TERMS = aLeave().terms;

/** A person’s move request. */
export const ASKED: Request = {
  source: 'signal',
  id: 'signal-2',
  to: 'site-3',
  by: 'you',
  why: '',
  force: false,
};

/** It may go to site-2 at once. */
export function aGrantedLeave(plain: Partial<Leave> = {}): Leave {
  const { reason, message } = aMove();
  return aLeave({ reason, message, permit: { askedAt: NOW, answer: 'Go' }, ...plain });
}

/** What news its drains are due: the site, the outcome and the reason. */
export const said = (state: State, now = NOW) =>
  newsDue(state, now).map(({ cluster, news }) => [cluster, news.outcome, news.reason]);

/** The state after all news that was due has reached the drains. */
export const settledOf = (state: State): State => newsDue(state, NOW).reduce(told, state);
