// What a Capp does that a drain tells to leave its site, and what the drain hears of it.
import { toldToLeave } from '../../../../workflows/capp/after/drains.ts';
import { arrived, switched } from '../../../../workflows/capp/after/moving/moved.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { aMove, aPlacedState, NOW } from '../../../support/builders/states.ts';
import { ASKED, aGrantedLeave, said, settledOf } from '../../../support/builders/drain/leaves.ts';

describe('a Capp that is told to leave', () => {
  test('makes a move request for any other site, and its drain hears when that is refused', () => {
    const state = toldToLeave(aPlacedState(), { cluster: 'site-1' }, NOW);
    expect(state).toMatchObject({
      request: { source: 'drain', to: null, by: 'drain/site-1' },
      due: ['request'],
      ringsHeard: 2,
    });
    expect(said(state)).toEqual([]);
    const handled = {
      source: 'drain',
      id: state.request?.id ?? '',
      outcome: 'Refused',
      reason: 'Pinned',
      message: '',
    } as const;
    expect(said({ ...state, request: null, handled })).toEqual([['site-1', 'Stayed', 'Pinned']]);
    expect(said({ ...state, request: null, handled: { ...handled, id: 'drain-1' } })).toEqual([
      ['site-1', 'Stayed', 'NotMoving'],
    ]);
  });

  test('keeps the site that the drain has planned for it', () => {
    const state = toldToLeave(aPlacedState(), { cluster: 'site-1', to: 'site-3' }, NOW);
    expect(state.request).toMatchObject({ source: 'drain', to: null, planned: 'site-3' });
    expect(toldToLeave(aPlacedState(), { cluster: 'site-1' }, NOW).request).not.toHaveProperty('planned');
  });

  test('twice makes one move request', () => {
    const once = toldToLeave(aPlacedState(), { cluster: 'site-1' }, NOW);
    const twice = toldToLeave(once, { cluster: 'site-1' }, NOW + 1);
    expect({ ...twice }).toEqual({ ...once });
  });

  test.each<[string, State]>([
    ['moves from that site already', aPlacedState({ move: aMove({ request: ASKED, to: 'site-3' }) })],
    ['serves from another site and still has a copy on that one', switched(aPlacedState({ move: aMove() }))],
  ])('and %s goes on with its move, and tells the drain how it ended', (_name, before) => {
    const state = toldToLeave(before, { cluster: 'site-1' }, NOW);
    expect({ ...state, awaitedBy: undefined }).toEqual({ ...before, awaitedBy: undefined });
    expect(said(state)).toEqual([]);
    expect(said(arrived(state, NOW))).toEqual([['site-1', 'Moved', 'Tainted']]);
  });

  test.each<[string, State]>([
    ['is still being decided', aPlacedState({ request: ASKED })],
    ['was accepted', aPlacedState({ leave: aGrantedLeave({ request: ASKED, permit: null }) })],
  ])('keeps a person’s move request that %s, and tells the drain how it ended', (_name, before) => {
    const state = toldToLeave(before, { cluster: 'site-1' }, NOW);
    expect(state).toMatchObject({ request: before.request, leave: before.leave });
    expect(said(state)).toEqual([]);
    const handled = {
      source: 'signal',
      id: ASKED.id,
      outcome: 'Refused',
      reason: 'UnknownSite',
      message: '',
    } as const;
    expect(said({ ...state, request: null, leave: null, handled })).toEqual([
      ['site-1', 'Stayed', 'UnknownSite'],
    ]);
  });

  test('while it waits for a turn makes the drain’s request too', () => {
    const state = toldToLeave(
      aPlacedState({ leave: aGrantedLeave({ permit: { askedAt: NOW, answer: 'Wait' } }) }),
      { cluster: 'site-1' },
      NOW,
    );
    expect(state.request).toMatchObject({ source: 'drain' });
  });

  test.each<[string, State]>([
    ['is on another site', aPlacedState()],
    ['has no site', aPlacedState({ serving: null })],
  ])('and %s tells the drain so', (_name, before) => {
    expect(said(toldToLeave(before, { cluster: 'site-9' }, NOW))).toEqual([
      ['site-9', 'Stayed', 'Elsewhere'],
    ]);
  });

  test('and is paused tells the drain that it stays, and does not leave when the pause ends', () => {
    const state = toldToLeave(aPlacedState({ paused: true }), { cluster: 'site-1' }, NOW);
    expect(said(state)).toEqual([['site-1', 'Stayed', 'Paused']]);
    expect(settledOf(state)).toMatchObject({ request: null, awaitedBy: {} });
  });
});
