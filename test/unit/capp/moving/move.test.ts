// What the workflow does next during a move, and how the state changes when the move ends.
import { nextStep, type NextStep } from '../../../../workflows/capp/next/next-step.ts';
import { abandoned } from '../../../../workflows/capp/after/moving/abandoned.ts';
import {
  arrived,
  confirmed,
  confirming,
  extended,
  switched,
} from '../../../../workflows/capp/after/moving/moved.ts';
import type { Move } from '../../../../workflows/types/moves.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { aCopy, aLeave, aMove, aPlacedState, MINUTE, NOW } from '../../../support/builders/states.ts';
import { after, BAD, LATE, moving, READY } from '../../../support/builders/moving.ts';

const CONFIRMED = { confirmation: 'Given' as const };
const BOTH_LOST = { unreachable: ['site-1', 'site-2'] };
const REFUSED = {
  refused: { reason: 'Refused' as const, message: 'site-2 has no namespace on the hub' },
  backoff: { until: NOW + MINUTE, tries: 1, ringsHeard: 1 },
};
const FORCED = { source: 'force' as const, id: '1', to: 'site-2', by: 'you', why: '', force: true };

test.each<[string, NextStep['do'], State]>([
  ['the new copy is watched', 'watch', moving()],
  ['users are sent to a new copy that is Ready', 'switch', moving({}, READY, READY)],
  ['users are not sent to a new copy of an older generation', 'watch', moving({}, READY, { generation: 0 })],
  ['the move is given up when the new copy is not Ready by the deadline', 'abandon', moving(LATE)],
  [
    'the move is given up when the new site is unreachable',
    'abandon',
    moving({}, READY, {}, { unreachable: ['site-2'] }),
  ],
  ['the deadline is extended when the old copy does not serve', 'extend', moving(LATE, BAD)],
  [
    'the deadline is extended when the old site is unreachable',
    'extend',
    moving(LATE, READY, {}, { unreachable: ['site-1'] }),
  ],
  [
    'the move is given up at the deadline when the new copy failed, even if the old one is not Ready',
    'abandon',
    moving(LATE, {}, BAD),
  ],
  [
    'users are sent to a new copy that is applied but not Ready when the old copy failed',
    'switch',
    moving({}, BAD, { work: { uid: 'w', applied: 'True', reason: '' } }),
  ],
  [
    'users are not sent to an unreachable site even if the old copy failed',
    'watch',
    moving({}, BAD, { work: { uid: 'w', applied: 'True', reason: '' } }, { unreachable: ['site-2'] }),
  ],
  [
    'the move is given up when both sites are unreachable and a third site can take the Capp',
    'abandon',
    moving({}, READY, READY, { ...BOTH_LOST, leave: aLeave({ from: 'site-1', to: 'site-3' }) }),
  ],
  [
    'the move waits when both sites are unreachable and no other site can take the Capp',
    'rest',
    moving({}, READY, READY, { ...BOTH_LOST, leave: aLeave({ from: 'site-1', to: null }) }),
  ],
  ['nothing happens while the Capp is paused', 'rest', moving(LATE, READY, READY, { paused: true })],
])('before the switch, %s', (_name, step, state) => {
  expect(nextStep(state, NOW).do).toBe(step);
});

test.each<[string, NextStep, State]>([
  [
    'the agent is asked about the new copy once more',
    { do: 'report', cluster: 'site-2' },
    after(moving({}, READY, READY)),
  ],
  [
    'the old copy stays until the agent has answered',
    { do: 'rest', until: NOW + 10 * MINUTE },
    after(moving({ confirmation: 'Asked' }, READY, READY)),
  ],
  [
    'the old copy is removed when the new one is confirmed',
    { do: 'remove', clusters: ['site-1'] },
    after(moving({ confirmation: 'Given' }, { ...READY, wanted: false }, READY)),
  ],
  [
    'users are sent back when the new site is unreachable',
    { do: 'abandon' },
    after(moving({}, READY, READY, { unreachable: ['site-2'] })),
  ],
  [
    'users stay with the new copy when both sites are unreachable',
    { do: 'report', cluster: 'site-2' },
    after(moving({}, READY, READY, { unreachable: ['site-1', 'site-2'] })),
  ],
  [
    'the move ends when both sites are unreachable and a third site can take the Capp, so that the next move can begin',
    { do: 'arrive' },
    after(moving(CONFIRMED, READY, READY, { ...BOTH_LOST, leave: aLeave({ from: 'site-2', to: 'site-3' }) })),
  ],
  [
    'the move ends in the same way while applies to the new site are refused',
    { do: 'arrive' },
    after(
      moving(CONFIRMED, READY, READY, {
        ...BOTH_LOST,
        ...REFUSED,
        leave: aLeave({ from: 'site-2', to: 'site-3' }),
      }),
    ),
  ],
  [
    'the move goes on when only the old site is unreachable',
    { do: 'remove', clusters: ['site-1'] },
    after(
      moving(CONFIRMED, { ...READY, wanted: false }, READY, {
        unreachable: ['site-1'],
        leave: aLeave({ from: 'site-2', to: 'site-3' }),
      }),
    ),
  ],
])('after the switch, %s', (_name, step, state) => {
  expect(nextStep(state, NOW)).toEqual(step);
});

describe('in a Recreate move', () => {
  const recreate = { strategy: 'Recreate' as const };
  const alone = (move: Partial<Move>, plain: Partial<State> = {}): State =>
    aPlacedState({ copies: {}, move: aMove({ ...recreate, ...move }), ...plain });
  const leaving = { 'site-1': { since: NOW, lookedAtRing: 1 } };

  test.each<[string, NextStep, State]>([
    [
      'the old copy is removed first',
      { do: 'remove', clusters: ['site-1'] },
      alone({}, { copies: { 'site-1': aCopy({ ...READY, wanted: false }) } }),
    ],
    [
      'the workflow waits until the old site has removed its copy',
      { do: 'rest', until: NOW + 10 * MINUTE },
      alone({}, { leaving }),
    ],
    [
      'a ring makes the workflow look whether the old copy is gone',
      { do: 'find', clusters: ['site-1'] },
      alone({}, { leaving, ringsHeard: 2, ringsAnswered: 2 }),
    ],
    ['users are sent to the new site when the old copy is gone', { do: 'switch' }, alone({})],
    [
      'an old site that has become unreachable may still run the app, so the move waits for a person to force it',
      { do: 'rest', until: NOW + 10 * MINUTE },
      alone({}, { leaving, unreachable: ['site-1'] }),
    ],
    [
      'a forced move does not wait for an unreachable old site',
      { do: 'switch' },
      alone({ request: FORCED }, { leaving, unreachable: ['site-1'] }),
    ],
    [
      'a forced move still removes the old copy first when the old site is reachable',
      { do: 'remove', clusters: ['site-1'] },
      alone({ request: FORCED }, { copies: { 'site-1': aCopy({ ...READY, wanted: false }) } }),
    ],
  ])('%s', (_name, step, state) => {
    expect(nextStep(state, NOW)).toEqual(step);
  });

  test('the old copy on a lost site is not deleted until a person forces the move', () => {
    const old = { 'site-1': aCopy({ ...READY, wanted: false }) };
    const lost = alone({ reason: 'SiteLost' }, { copies: old, unreachable: ['site-1'] });
    expect(nextStep(lost, NOW).do).toBe('rest');
    expect(
      nextStep({ ...lost, move: aMove({ ...recreate, reason: 'SiteLost', request: FORCED }) }, NOW),
    ).toEqual({
      do: 'remove',
      clusters: ['site-1'],
    });
  });
});

test('a verdict about the old copy does not confirm the move', () => {
  expect(confirming(moving()).move?.confirmation).toBe('Due');
  expect(confirmed(moving({ confirmation: 'Asked' }, READY, READY)).move?.confirmation).toBe('Asked');
});

test('the old copy may be removed once the new one is confirmed', () => {
  const state = confirmed(after(moving({ confirmation: 'Asked' }, READY, READY)));
  expect(state.copies['site-1']?.wanted).toBe(false);
});

test('sending users to the new copy clears the reason to leave the old site', () => {
  const state = switched(moving({}, READY, READY));
  expect(state).toMatchObject({ serving: 'site-2', leave: null });
});

test('an extension moves the deadlines of the move and of the new copy alike', () => {
  const state = extended(moving(LATE, BAD), NOW);
  expect([state.move?.deadline, state.copies['site-2']?.deadline]).toEqual([
    NOW + 10 * MINUTE,
    NOW + 10 * MINUTE,
  ]);
});

test('a move that is given up returns users to the old copy, avoids the new site for ten minutes, and asks both the hub and the old site again', () => {
  const state = abandoned(after(moving({}, READY, BAD)), NOW, 'Failed');
  expect(state).toMatchObject({
    serving: 'site-1',
    move: null,
    avoid: { 'site-2': NOW + 10 * MINUTE },
    movedAt: null,
  });
  expect(state.copies).toMatchObject({
    'site-1': { wanted: true, heard: false },
    'site-2': { wanted: false },
  });
  expect(state.due).toEqual(expect.arrayContaining(['spec', 'decision', 'site']));
});

test('a move that is given up while the old copy fails too avoids the new site only if that is unreachable', () => {
  expect(abandoned(moving({}, BAD, BAD), NOW, 'Failed').avoid).toEqual({});
  const away = moving({}, BAD, BAD, { unreachable: ['site-2'] });
  expect(abandoned(away, NOW, 'Failed').avoid).toEqual({ 'site-2': NOW + 10 * MINUTE });
});

test('the cool-down counts from the end of a successful move, and a failed move does not change it', () => {
  const state = arrived(moving({}, READY, READY), NOW);
  expect(state).toMatchObject({ move: null, movedAt: NOW, lastMove: { result: 'Moved' } });
  expect(abandoned({ ...state, move: aMove() }, NOW + MINUTE, 'Failed')).toMatchObject({
    movedAt: NOW,
    lastMove: { result: 'Failed' },
  });
});

test('the old copy of a move that ended early becomes an extra copy', () => {
  const state = arrived(after(moving({}, READY, READY, BOTH_LOST)), NOW);
  expect(state.copies['site-1']?.wanted).toBe(false);
});
