// What a drain hears of a Capp that it let go or told to leave.
import { elsewhere, settledBetween } from '../../workflows/decide/settled.ts';
import { abandoned, arrived } from '../../workflows/decide/moved.ts';
import type { Handled, Leave, MoveRecord } from '../../workflows/moves.ts';
import type { State } from '../../workflows/state.ts';
import { aMove, aPlacedState, NOW } from '../support/states.ts';

const moving = aPlacedState({ move: aMove({ inBulk: true }) });
const leave = { from: 'site-1', permit: { askedAt: NOW, answer: 'Go' } } as Leave;
const waiting = aPlacedState({ leave });
const handled: Handled = { source: 'drain', id: 'drain-1', outcome: 'Refused', reason: 'NoCandidate', message: '' };
const another: MoveRecord = { ...aMove(), since: NOW - 1, result: 'Moved', at: NOW, request: null };

test.each<[string, State, State, string | null]>([
  ['a move that ended', moving, arrived(moving, NOW), 'Moved'],
  ['a move that failed', moving, abandoned(moving, NOW, 'Failed'), 'Failed'],
  ['a move that was called off', moving, abandoned(moving, NOW, 'Cancelled'), 'Cancelled'],
  ['a move that ended without a record', moving, { ...moving, move: null, lastMove: another }, 'Cancelled'],
  ['a move that goes on', moving, { ...moving, rung: 9 }, null],
  ['a move that no drain knows of', aPlacedState({ move: aMove() }), aPlacedState(), null],
  ['a Capp that need not leave any more', waiting, aPlacedState(), 'Stayed'],
  ['a Capp that begins to move', waiting, moving, null],
  ['a Capp that never asked', aPlacedState({ leave: { ...leave, permit: null } }), aPlacedState(), null],
  ['a refusal', aPlacedState(), aPlacedState({ handled }), 'Stayed'],
  ['a refusal that was told', aPlacedState({ handled }), aPlacedState({ handled }), null],
  ['a refusal to somebody else', aPlacedState(), aPlacedState({ handled: { ...handled, source: 'signal' } }), null],
])('%s', (_name, before, after, outcome) => {
  const settled = settledBetween(before, after);
  expect(settled?.news.outcome ?? null).toBe(outcome);
  expect(settled?.cluster ?? 'site-1').toBe('site-1');
});

test('told to leave a cluster that it has left, it says that it stays where it is', () => {
  expect(elsewhere(aPlacedState(), 'site-9')).toMatchObject({
    cluster: 'site-9',
    news: { outcome: 'Stayed', reason: 'Elsewhere', to: null },
  });
});
