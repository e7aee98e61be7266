// How a move under way goes on, and what its end makes of the state.
import { nextStep, type Step } from '../../../../workflows/capp/decide/next-step.ts';
import {
  abandoned,
  arrived,
  confirmed,
  confirming,
  extended,
  switched,
} from '../../../../workflows/capp/moving/moved.ts';
import type { Move } from '../../../../workflows/types/moves.ts';
import type { Copy, State } from '../../../../workflows/capp/state.ts';
import {
  aCopy,
  aFinding,
  aLeave,
  aMove,
  aPlacedState,
  MINUTE,
  NOW,
} from '../../../support/builders/states.ts';

const READY = { finding: aFinding() };
const BAD = { finding: aFinding('Failed') };
const LATE = { deadline: NOW };
const CONFIRMED = { confirmation: 'Given' as const };
const BOTH_LOST = { unreachable: ['site-1', 'site-2'] };
const REFUSED = {
  refused: { reason: 'Refused' as const, message: 'site-2 has no namespace on the hub' },
  backoff: { until: NOW + MINUTE, tries: 1, ringsHeard: 1 },
};
const FORCED = { source: 'force' as const, id: '1', to: 'site-2', by: 'you', why: '', force: true };

/** On its way from site-1 to site-2; both copies were shipped. */
function moving(
  move: Partial<Move> = {},
  old: Partial<Copy> = READY,
  copy: Partial<Copy> = {},
  plain: Partial<State> = {},
): State {
  const copies = { 'site-1': aCopy(old), 'site-2': aCopy(copy) };
  return aPlacedState({ copies, move: aMove(move), ...plain });
}

function after(state: State, serving = 'site-2'): State {
  return { ...state, serving };
}

test.each<[string, Step['do'], State]>([
  ['the new copy is watched', 'watch', moving()],
  ['one that is Ready gets the users', 'switch', moving({}, READY, READY)],
  ['one that is not of this generation does not', 'watch', moving({}, READY, { generation: 0 })],
  ['one that is late is given up', 'abandon', moving(LATE)],
  ['one that was lost is given up', 'abandon', moving({}, READY, {}, { unreachable: ['site-2'] })],
  ['one that is late is waited for when nothing else serves', 'extend', moving(LATE, BAD)],
  [
    'one that is late is waited for when the old site is lost',
    'extend',
    moving(LATE, READY, {}, { unreachable: ['site-1'] }),
  ],
  ['one that is late and fails is given up even then', 'abandon', moving(LATE, {}, BAD)],
  [
    'where nothing serves, being on the site is enough',
    'switch',
    moving({}, BAD, { work: { uid: 'w', applied: 'True', reason: '' } }),
  ],
  [
    'where nothing serves, nobody is sent to a site out of reach',
    'watch',
    moving({}, BAD, { work: { uid: 'w', applied: 'True', reason: '' } }, { unreachable: ['site-2'] }),
  ],
  [
    'one whose two sites are lost is given up when a third site is free',
    'abandon',
    moving({}, READY, READY, { ...BOTH_LOST, leave: aLeave({ from: 'site-1', to: 'site-3' }) }),
  ],
  [
    'one whose two sites are lost is waited for while no other site is free',
    'rest',
    moving({}, READY, READY, { ...BOTH_LOST, leave: aLeave({ from: 'site-1', to: null }) }),
  ],
  ['nothing goes on while the Capp is frozen', 'rest', moving(LATE, READY, READY, { paused: true })],
])('before the switch, %s', (_name, step, state) => {
  expect(nextStep(state, NOW).do).toBe(step);
});

test.each<[string, Step, State]>([
  ['the new copy is asked once more', { do: 'report', cluster: 'site-2' }, after(moving({}, READY, READY))],
  [
    'the old one stays until it has answered',
    { do: 'rest', until: NOW + 10 * MINUTE },
    after(moving({ confirmation: 'Asked' }, READY, READY)),
  ],
  [
    'then the old one goes',
    { do: 'remove', clusters: ['site-1'] },
    after(moving({ confirmation: 'Given' }, { ...READY, wanted: false }, READY)),
  ],
  [
    'users are sent back when the new one was lost',
    { do: 'abandon' },
    after(moving({}, READY, READY, { unreachable: ['site-2'] })),
  ],
  [
    'users stay where they were sent when both sites are lost',
    { do: 'report', cluster: 'site-2' },
    after(moving({}, READY, READY, { unreachable: ['site-1', 'site-2'] })),
  ],
  [
    'the move ends when both sites are lost and a third site is free, so that the next move can begin',
    { do: 'arrive' },
    after(moving(CONFIRMED, READY, READY, { ...BOTH_LOST, leave: aLeave({ from: 'site-2', to: 'site-3' }) })),
  ],
  [
    'the move ends so also while nothing can be sent to the lost site',
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
    'the move goes on when only one of its sites is lost',
    { do: 'remove', clusters: ['site-1'] },
    after(
      moving(CONFIRMED, { ...READY, wanted: false }, READY, {
        unreachable: ['site-1'],
        leave: aLeave({ from: 'site-2', to: 'site-3' }),
      }),
    ),
  ],
  [
    'users are sent back when the new one fails for long, although it was confirmed, as long as the old one is there',
    { do: 'abandon' },
    after(moving({ ...LATE, confirmation: 'Given' }, { ...READY, wanted: false }, BAD)),
  ],
  [
    'users are sent back when the new one fails for long',
    { do: 'abandon' },
    after(moving({ ...LATE, confirmation: 'Asked' }, READY, BAD)),
  ],
])('after the switch, %s', (_name, step, state) => {
  expect(nextStep(state, NOW)).toEqual(step);
});

describe('with Recreate', () => {
  const recreate = { strategy: 'Recreate' as const };
  const alone = (move: Partial<Move>, plain: Partial<State> = {}): State =>
    aPlacedState({ copies: {}, move: aMove({ ...recreate, ...move }), ...plain });
  const leaving = { 'site-1': { since: NOW, lookedAtRing: 1 } };

  test.each<[string, Step, State]>([
    [
      'the old copy goes first',
      { do: 'remove', clusters: ['site-1'] },
      alone({}, { copies: { 'site-1': aCopy({ ...READY, wanted: false }) } }),
    ],
    ['its site is waited for', { do: 'rest', until: NOW + 10 * MINUTE }, alone({}, { leaving })],
    [
      'a ring makes it look whether it is gone',
      { do: 'find', clusters: ['site-1'] },
      alone({}, { leaving, ringsHeard: 2, ringsAnswered: 2 }),
    ],
    ['then users are sent to the new one', { do: 'switch' }, alone({})],
    [
      'a site that went out of reach meanwhile may still run it: a person must say that it is stopped',
      { do: 'rest', until: NOW + 10 * MINUTE },
      alone({}, { leaving, unreachable: ['site-1'] }),
    ],
    [
      'with that word it is not waited for',
      { do: 'switch' },
      alone({ request: FORCED }, { leaving, unreachable: ['site-1'] }),
    ],
    [
      'the word is no reason to run it twice where it can be removed',
      { do: 'remove', clusters: ['site-1'] },
      alone({ request: FORCED }, { copies: { 'site-1': aCopy({ ...READY, wanted: false }) } }),
    ],
  ])('%s', (_name, step, state) => {
    expect(nextStep(state, NOW)).toEqual(step);
  });

  test('a copy on a lost site is left alone until a person says so', () => {
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

test('what the old site says confirms nothing', () => {
  expect(confirming(moving()).move?.confirmation).toBe('Due');
  expect(confirmed(moving({ confirmation: 'Asked' }, READY, READY)).move?.confirmation).toBe('Asked');
});

test('a confirmed copy lets the old one go', () => {
  const state = confirmed(after(moving({ confirmation: 'Asked' }, READY, READY)));
  expect(state.copies['site-1']?.wanted).toBe(false);
});

test('a switch forgets the wish to leave the old site', () => {
  const state = switched(moving({}, READY, READY));
  expect(state).toMatchObject({ serving: 'site-2', leave: null });
});

test('more time is given to move and copy alike', () => {
  const state = extended(moving(LATE, BAD), NOW);
  expect([state.move?.deadline, state.copies['site-2']?.deadline]).toEqual([
    NOW + 10 * MINUTE,
    NOW + 10 * MINUTE,
  ]);
});

test('a move that is given up leaves the Capp where it was, looks again, and trusts the old copy only when it has spoken', () => {
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

test('no site that can be reached is avoided for an app that fails at home, too', () => {
  expect(abandoned(moving({}, BAD, BAD), NOW, 'Failed').avoid).toEqual({});
  const away = moving({}, BAD, BAD, { unreachable: ['site-2'] });
  expect(abandoned(away, NOW, 'Failed').avoid).toEqual({ 'site-2': NOW + 10 * MINUTE });
});

test('a cool-down counts from the arrival, and a failed attempt does not end it', () => {
  const state = arrived(moving({}, READY, READY), NOW);
  expect(state).toMatchObject({ move: null, movedAt: NOW, lastMove: { result: 'Moved' } });
  expect(abandoned({ ...state, move: aMove() }, NOW + MINUTE, 'Failed')).toMatchObject({
    movedAt: NOW,
    lastMove: { result: 'Failed' },
  });
});

test('a copy that is left behind by a move that ended early is an extra copy, which goes when it may', () => {
  const state = arrived(after(moving({}, READY, READY, BOTH_LOST)), NOW);
  expect(state.copies['site-1']?.wanted).toBe(false);
});
