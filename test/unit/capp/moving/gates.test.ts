// When a Capp that should be elsewhere may go, and what is read of it until then.
import { migratingOf } from '../../../../workflows/capp/conditions/migrating.ts';
import { nextStep, type Step } from '../../../../workflows/capp/decide/next-step.ts';
import { permitted } from '../../../../workflows/capp/moving/moved.ts';
import type { Leave } from '../../../../workflows/types/moves.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import { aMove, aPlacedState, MINUTE, NOW } from '../../../support/builders/states.ts';

const TERMS: Leave['terms'] = {
  holdMs: 0,
  cooldownMs: 10 * MINUTE,
  deadlineMs: 10 * MINUTE,
  strategy: 'MakeBeforeBreak',
  inBulk: false,
};
const ASKED = { askedAt: NOW, answer: null };

function aLeave(plain: Partial<Leave> = {}): Leave {
  return {
    from: 'site-1',
    reason: 'Tainted',
    message: 'site-1 is tainted NoSelect',
    to: 'site-2',
    terms: TERMS,
    request: null,
    priority: 0,
    since: NOW,
    lookedAt: NOW,
    permit: null,
    ...plain,
  };
}

function leaving(plain: Partial<Leave> = {}, state: Partial<State> = {}): State {
  return aPlacedState({ leave: aLeave(plain), ringsReviewed: 1, ...state });
}

const bulk = { terms: { ...TERMS, inBulk: true } };
const held = { terms: { ...TERMS, holdMs: MINUTE } };

type Row = readonly [string, number, Step, string, State];
const ROWS: readonly Row[] = [
  ['nothing in the way', 0, { do: 'begin' }, 'NotMoving', leaving()],
  ['a reason that has not held yet', 0, { do: 'rest', until: NOW + MINUTE }, 'Stabilising', leaving(held)],
  ['one that has held is looked at again', MINUTE, { do: 'choose' }, 'NotMoving', leaving(held)],
  [
    'a cool-down',
    0,
    { do: 'rest', until: NOW + 9 * MINUTE },
    'CoolDown',
    leaving({}, { movedAt: NOW - MINUTE }),
  ],
  ['one that is over', 9 * MINUTE, { do: 'choose' }, 'NotMoving', leaving({}, { movedAt: NOW - MINUTE })],
  ['nowhere to go', 0, { do: 'rest', until: null }, 'NoCandidate', leaving({ to: null })],
  [
    'nowhere to go while a site is avoided',
    0,
    { do: 'rest', until: NOW + MINUTE },
    'NoCandidate',
    leaving({ to: null }, { avoid: { 'site-2': NOW + MINUTE } }),
  ],
  ['a turn to be asked for', 0, { do: 'requestTurn', cluster: 'site-1' }, 'PermitAsked', leaving(bulk)],
  [
    'a turn that was asked for',
    0,
    { do: 'rest', until: NOW + MINUTE / 2 },
    'PermitAsked',
    leaving({ ...bulk, permit: ASKED }),
  ],
  ['no answer', MINUTE / 2, { do: 'choose' }, 'NotMoving', leaving({ ...bulk, permit: ASKED })],
  [
    'no answer, and a look since',
    MINUTE / 2,
    { do: 'begin' },
    'NotMoving',
    leaving({ ...bulk, permit: ASKED, lookedAt: NOW + MINUTE / 2 }),
  ],
  [
    'to wait is an answer',
    MINUTE,
    { do: 'rest', until: NOW + 10 * MINUTE },
    'PermitAsked',
    leaving({ ...bulk, permit: { askedAt: NOW, answer: 'Wait' } }),
  ],
  [
    'it is asked again',
    10 * MINUTE,
    { do: 'requestTurn', cluster: 'site-1' },
    'PermitAsked',
    leaving({ ...bulk, permit: { askedAt: NOW, answer: 'Wait' } }),
  ],
  ['a frozen Capp', 0, { do: 'rest', until: null }, 'Paused', leaving({}, { paused: true })],
];

test.each(ROWS)('%s', (_name, later, step, reason, state) => {
  expect(nextStep(state, NOW + later)).toEqual(step);
  expect(migratingOf(state, NOW + later)).toMatchObject({ status: 'False', reason });
});

test('a turn that comes soon is taken at once', () => {
  const free = permitted(leaving({ ...bulk, permit: ASKED }), { cluster: 'site-1', answer: 'Go' }, NOW);
  expect(nextStep(free, NOW)).toEqual({ do: 'begin' });
});

test('a turn that has taken long is taken after one more look', () => {
  const waiting = leaving({ ...bulk, permit: ASKED });
  const later = NOW + MINUTE;
  const free = permitted(waiting, { cluster: 'site-1', answer: 'Go' }, later);
  expect(nextStep(free, later)).toEqual({ do: 'choose' });
  expect(nextStep({ ...free, due: [], ringsReviewed: 1 }, later)).toEqual({ do: 'begin' });
  expect(permitted(waiting, { cluster: 'site-2', answer: 'Go' }, later)).toBe(waiting);
});

test('while there is nowhere to go any ring is a reason to look', () => {
  expect(nextStep(leaving({ to: null }, { due: ['work'], ringsHeard: 2 }), NOW)).toEqual({ do: 'choose' });
});

test('what cannot be shipped to a site is no reason to stay on it', () => {
  const refused = { reason: 'Refused', message: 'namespace site-1 is gone' } as const;
  const backoff = { until: NOW + MINUTE, tries: 1, ringsHeard: 1 };
  expect(nextStep(leaving({}, { refused, backoff }), NOW)).toEqual({ do: 'begin' });
});

test.each([
  ['True', 'Moving', aMove()],
  ['False', 'AwaitsWord', aMove({ strategy: 'Recreate', from: 'site-3' })],
])('a move is %s %s', (status, reason, move) => {
  const leaving = { 'site-3': { since: NOW, lookedAtRing: 1, lost: 'Unreachable' as const } };
  expect(migratingOf(aPlacedState({ move, leaving }), NOW)).toMatchObject({ status, reason });
});
