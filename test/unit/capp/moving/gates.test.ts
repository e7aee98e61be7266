// The gates before a move (hold time, cool-down, turn) and what the Migrating condition says at each.
import { migratingOf } from '../../../../workflows/capp/conditions/migrating.ts';
import { nextStep, type NextStep } from '../../../../workflows/capp/next/next-step.ts';
import { permitted } from '../../../../workflows/capp/after/moving/moved.ts';
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

type Row = readonly [string, number, NextStep, string, State];
const ROWS: readonly Row[] = [
  ['begins a move when no gate is closed', 0, { do: 'begin' }, 'NotMoving', leaving()],
  [
    'waits while its reason to leave has not held for the hold time',
    0,
    { do: 'rest', until: NOW + MINUTE },
    'Stabilising',
    leaving(held),
  ],
  [
    'reviews its placement again when its reason has held for the hold time',
    MINUTE,
    { do: 'choose' },
    'NotMoving',
    leaving(held),
  ],
  [
    'waits for the end of the cool-down',
    0,
    { do: 'rest', until: NOW + 9 * MINUTE },
    'CoolDown',
    leaving({}, { movedAt: NOW - MINUTE }),
  ],
  [
    'reviews its placement again when the cool-down is over',
    9 * MINUTE,
    { do: 'choose' },
    'NotMoving',
    leaving({}, { movedAt: NOW - MINUTE }),
  ],
  [
    'waits for a ring when no site can take it',
    0,
    { do: 'rest', until: null },
    'NoCandidate',
    leaving({ to: null }),
  ],
  [
    'waits until a site is no longer avoided when no other site can take it',
    0,
    { do: 'rest', until: NOW + MINUTE },
    'NoCandidate',
    leaving({ to: null }, { avoid: { 'site-2': NOW + MINUTE } }),
  ],
  ['asks the drain for a turn', 0, { do: 'requestTurn', cluster: 'site-1' }, 'PermitAsked', leaving(bulk)],
  [
    'waits 30 seconds for the drain’s answer',
    0,
    { do: 'rest', until: NOW + MINUTE / 2 },
    'PermitAsked',
    leaving({ ...bulk, permit: ASKED }),
  ],
  [
    'reviews its placement when the drain has not answered',
    MINUTE / 2,
    { do: 'choose' },
    'NotMoving',
    leaving({ ...bulk, permit: ASKED }),
  ],
  [
    'begins a move when the drain has not answered and its placement was reviewed since',
    MINUTE / 2,
    { do: 'begin' },
    'NotMoving',
    leaving({ ...bulk, permit: ASKED, lookedAt: NOW + MINUTE / 2 }),
  ],
  [
    'waits ten minutes when the drain has answered Wait',
    MINUTE,
    { do: 'rest', until: NOW + 10 * MINUTE },
    'PermitAsked',
    leaving({ ...bulk, permit: { askedAt: NOW, answer: 'Wait' } }),
  ],
  [
    'asks for a turn again ten minutes after the drain answered Wait',
    10 * MINUTE,
    { do: 'requestTurn', cluster: 'site-1' },
    'PermitAsked',
    leaving({ ...bulk, permit: { askedAt: NOW, answer: 'Wait' } }),
  ],
  [
    'waits for a ring while it is paused',
    0,
    { do: 'rest', until: null },
    'Paused',
    leaving({}, { paused: true }),
  ],
];

test.each(ROWS)('a Capp that should leave its site %s', (_name, later, step, reason, state) => {
  expect(nextStep(state, NOW + later)).toEqual(step);
  expect(migratingOf(state, NOW + later)).toMatchObject({ status: 'False', reason });
});

test('a turn that is given within 30 seconds is used at once', () => {
  const free = permitted(leaving({ ...bulk, permit: ASKED }), { cluster: 'site-1', answer: 'Go' }, NOW);
  expect(nextStep(free, NOW)).toEqual({ do: 'begin' });
});

test('a turn that is given later is used after one more placement review', () => {
  const waiting = leaving({ ...bulk, permit: ASKED });
  const later = NOW + MINUTE;
  const free = permitted(waiting, { cluster: 'site-1', answer: 'Go' }, later);
  expect(nextStep(free, later)).toEqual({ do: 'choose' });
  expect(nextStep({ ...free, due: [], ringsReviewed: 1 }, later)).toEqual({ do: 'begin' });
  expect(permitted(waiting, { cluster: 'site-2', answer: 'Go' }, later)).toBe(waiting);
});

test('any ring makes a Capp that no site can take review its placement', () => {
  expect(nextStep(leaving({ to: null }, { due: ['work'], ringsHeard: 2 }), NOW)).toEqual({ do: 'choose' });
});

test('a Capp leaves its site even while applies to that site are refused', () => {
  const refused = { reason: 'Refused', message: 'namespace site-1 is gone' } as const;
  const backoff = { until: NOW + MINUTE, tries: 1, ringsHeard: 1 };
  expect(nextStep(leaving({}, { refused, backoff }), NOW)).toEqual({ do: 'begin' });
});

test.each([
  ['True', 'Moving', aMove()],
  ['False', 'AwaitsConfirmation', aMove({ strategy: 'Recreate', from: 'site-3' })],
])('the Migrating condition of a move is %s with reason %s', (status, reason, move) => {
  const leaving = { 'site-3': { since: NOW, lookedAtRing: 1, lost: 'Unreachable' as const } };
  expect(migratingOf(aPlacedState({ move, leaving }), NOW)).toMatchObject({ status, reason });
});
