// A Capp that is disabled has no app that could be asked: its checks are dropped, and a move waits for none.
import { NEEDLESS_DROPPED, NEEDLESS_UNSAID, noteChanges } from '../../../../workflows/capp/changes.ts';
import { withoutNeedless } from '../../../../workflows/capp/after/verification.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import type { VerificationOrder } from '../../../../workflows/types/verification.ts';
import { aCopy, aFinding, aMove, aPlacedState, NOW } from '../../../support/builders/states.ts';

const LIMITS = { intervalMs: 1_000, count: 2, failureLimit: 0, inconclusiveLimit: 1 };
const ORDER: VerificationOrder = {
  key: 'key-1',
  checks: [{ name: 'answers', path: '/healthz', expect: 'status == 200', ...LIMITS }],
};

/** From site-1, which serves, to site-2, which says why it is Ready. */
function moving(reason?: 'Disabled'): State {
  const finding = aFinding('Ready', reason === undefined ? {} : { reason });
  const there = aCopy({ stamp: 'uid-1/1/hash/one', finding, order: ORDER, generation: 1 });
  const copies = { 'site-1': aCopy({ finding: aFinding(), generation: 1 }), 'site-2': there };
  return aPlacedState({ generation: 1, copies, move: aMove() });
}

/** Which changes a history with this state needs. */
function notedOf(state: State): string[] {
  const noted = new Set<string>();
  noteChanges({ runtime: { now: () => NOW, patched: () => true } as never, noted }, state);
  return [...noted];
}

test('without the checks of a disabled copy a move goes on, and none are said', () => {
  const off = moving('Disabled');
  expect([nextStep(off, NOW).do, notedOf(off)]).toEqual(['rest', [NEEDLESS_DROPPED, NEEDLESS_UNSAID]]);
  const left = withoutNeedless(off);
  expect(nextStep(left, NOW).do).toBe('switch');
  expect(conditionsOf(left, NOW).map(({ type }) => type)).not.toContain('Verified');
});

test('the checks of any other copy stay, and its history needs nothing', () => {
  const on = moving();
  expect([withoutNeedless(on), notedOf(on), nextStep(on, NOW).do]).toEqual([on, [], 'rest']);
});
