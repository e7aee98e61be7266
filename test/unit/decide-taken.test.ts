// Which site's word users read: that of the copy they are sent to, and nobody else's.
import { learned, publicationOf } from '../../workflows/decide/taken.ts';
import type { News } from '../../workflows/listener.ts';
import type { State } from '../../workflows/state.ts';
import { aCopy, aFinding, aMove, anAnswer, aPlacedState, NOW } from '../support/states.ts';

const STAMP = 'uid-1/1/hash/one';
const OTHER = 'uid-1/1/hash/two';
const serving = aPlacedState({}, {});
const moving = aPlacedState({ move: aMove(), copies: { 'site-1': aCopy({ finding: aFinding() }), 'site-2': aCopy({ stamp: OTHER }) } });
const news = (plain: Partial<News>): News => ({ cluster: 'site-1', stamp: STAMP, answer: anAnswer('Ready'), silent: false, ...plain });

test.each<[string, boolean, State, News]>([
  ['the serving copy', true, serving, news({})],
  ['a namesake on the same site, which another hub has shipped', false, serving, news({ stamp: 'uid-7/1/hash/one' })],
  ['a namesake on another site', false, serving, news({ cluster: 'site-2', stamp: 'uid-7/1/hash/one' })],
  ['an earlier work of the same Capp', false, serving, news({ stamp: 'uid-1/1/hash/zero' })],
  ['the new copy of a move, to which users are not sent yet', false, moving, news({ cluster: 'site-2', stamp: OTHER })],
  ['nobody', false, serving, news({ answer: null })],
])('what is heard of %s shows through: %s', (_name, shows, state, one) => {
  const publication = publicationOf(learned(state, one, NOW), { record: null, news: one, at: NOW })?.publication;
  expect(publication?.mirror ?? null).toEqual(shows ? anAnswer('Ready').mirror : null);
});

test.each([news({ stamp: 'uid-7/1/hash/one' }), news({ cluster: 'site-2' }), news({ cluster: 'site-2', silent: true, answer: null })])(
  'what a namesake says changes nothing of what is known: %j',
  (one) => {
    expect(learned(serving, one, NOW)).toEqual(serving);
  },
);
