// A Capp does not stay on a site that was chosen but to which nothing was applied: neither after a pause nor
// while applies are refused.
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { isNowhere } from '../../../../workflows/capp/facts/copies.ts';
import { withApplied } from '../../../../workflows/capp/after/apply.ts';
import { withChoice } from '../../../../workflows/capp/after/choice.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import { chosenFor } from '../../../../workflows/capp/after/unsent.ts';
import type { Applied } from '../../../../workflows/ports/applied.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { Copy } from '../../../../workflows/types/copy.ts';
import {
  aCopy,
  aFinding,
  aMove,
  applied,
  aPlacedState,
  aState,
  chosen,
  NOW,
} from '../../../support/builders/states.ts';

const PAUSED = { outcome: 'Paused', generation: 1, at: NOW } as const satisfies Applied;
const ASKED = { now: NOW, ringsHeard: 1 };
const UNSENT: Partial<Copy> = { stamp: null, generation: 0 };
const unsent = aPlacedState({}, UNSENT);
const request = { source: 'signal', id: '1', to: 'site-2', by: 'you', why: '', force: false } as const;
const terms = {
  holdMs: 0,
  cooldownMs: 0,
  deadlineMs: 600_000,
  strategy: 'MakeBeforeBreak',
  inBulk: false,
} as const;
const asked = {
  from: 'site-1',
  reason: 'Asked',
  message: '',
  to: 'site-2',
  terms,
  request,
  priority: 0,
  since: NOW,
  lookedAt: NOW,
} as const;
const moved = {
  from: 'site-2',
  to: 'site-1',
  reason: 'Asked',
  result: 'Moved',
  message: '',
  since: 0,
  at: 0,
  request: null,
} as const;
const found = withChoice(aState(), { ...chosen(), works: [{ cluster: 'site-1', leaving: false }] }, ASKED);

/** States in which the Capp keeps its site. */
const STANDING: readonly [string, State][] = [
  ['whose work was found on its site, although its stamp is not known', found],
  ['that was applied to its site', aPlacedState({}, { finding: aFinding() })],
  [
    'that is about to move',
    aPlacedState({ move: aMove(), copies: { 'site-1': aCopy(UNSENT), 'site-2': aCopy(UNSENT) } }),
  ],
  ['that has moved to its site', aPlacedState({ lastMove: moved }, UNSENT)],
];

function said(state: State, type: string) {
  return conditionsOf(state, NOW).find((one) => one.type === type);
}

describe('a site that was chosen before the Capp was paused, and to which nothing was applied,', () => {
  test('is chosen anew when the pause ends', () => {
    const state = withApplied(unsent, 'site-1', PAUSED);
    expect(isNowhere(state)).toBe(true);
    expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: null });
    expect(nextStep({ ...state, due: ['meta'], ringsHeard: 2 }, NOW)).toEqual({ do: 'choose' });
  });

  test('is not shown as placed: Placed is False and says how to end the pause', () => {
    const message = expect.stringContaining('Remove annotation rcs.dana.io/paused');
    expect(said(withApplied(unsent, 'site-1', PAUSED), 'Placed')).toMatchObject({
      status: 'False',
      reason: 'Paused',
      message,
    });
  });

  test('is not moved from, but a person’s move request is kept for the next site', () => {
    const state = withApplied({ ...unsent, leave: { ...asked, permit: null } }, 'site-1', PAUSED);
    expect(state).toMatchObject({ leave: null, request });
  });
});

test('while the first apply is refused, each placement review is a first choice, and looks for works on all sites first', () => {
  const refused = { reason: 'MissingReference', message: '' } as const;
  const state = chosenFor({ ...unsent, refused, stays: { reason: 'NotSelected', message: '' } });
  expect(state).toMatchObject({ serving: null, copies: {}, refused, stays: null, mayHaveWorks: true });
});

test('a move request from such a site is answered before the site is chosen anew', () => {
  expect(chosenFor({ ...unsent, request })).toMatchObject({ serving: 'site-1', request });
});

test.each(STANDING)('a Capp %s keeps its site, whether or not it is paused', (_which, before) => {
  expect(chosenFor(before)).toBe(before);
  const state = withApplied(before, before.move?.to ?? 'site-1', PAUSED);
  expect(state).toMatchObject({ serving: 'site-1', paused: true, move: before.move });
  expect(Object.keys(state.copies)).toEqual(Object.keys(before.copies));
});

test('a work that was found counts as applied after the first apply to it', () => {
  expect(withApplied(found, 'site-1', applied()).copies['site-1']).not.toHaveProperty('found');
});

test('a paused Capp whose work is gone loses its site, and one is chosen when the pause ends', () => {
  const placed = aPlacedState({}, { finding: aFinding() });
  const gone = withApplied(placed, 'site-1', { ...PAUSED, isGone: true });
  expect(gone).toMatchObject({ serving: null, copies: {}, mayHaveWorks: true, paused: true });
  expect(withApplied(placed, 'site-1', PAUSED).serving).toBe('site-1');
  const moving = { ...placed, move: aMove() };
  expect(withApplied(moving, 'site-1', { ...PAUSED, isGone: true }).serving).toBe('site-1');
});

test('a work that was found and is gone while applies are refused is no reason to stay', () => {
  const refused = {
    outcome: 'Refused',
    generation: 1,
    reason: 'MissingReference',
    message: '',
    at: NOW,
  } as const;
  expect(chosenFor(withApplied(found, 'site-1', refused)).serving).toBe('site-1');
  expect(chosenFor(withApplied(found, 'site-1', { ...refused, isGone: true })).serving).toBeNull();
});

test('of a copy that was shipped nothing is forgotten, although its work is gone', () => {
  const shipped = aPlacedState();
  const refused = {
    outcome: 'Refused',
    generation: 1,
    reason: 'MissingReference',
    message: '',
    at: NOW,
  } as const;
  expect(chosenFor(withApplied(shipped, 'site-1', { ...refused, isGone: true })).serving).toBe('site-1');
});
