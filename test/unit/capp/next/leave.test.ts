// How the state changes when works are removed: one of several copies, or all of them because the Capp is
// deleted.
import { withChoice } from '../../../../workflows/capp/after/choice.ts';
import { answered } from '../../../../workflows/capp/after/rings.ts';
import { afterFailure } from '../../../../workflows/capp/after/failure.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import { afterFind, afterRemove, withRetired } from '../../../../workflows/capp/after/removal.ts';
import { initialState } from '../../../../workflows/capp/state.ts';
import { aCopy, aPlacedState, CAPP, MINUTE, NOW, stays, aLeave } from '../../../support/builders/states.ts';

const ASKED = { now: NOW, ringsHeard: 1 };

describe('a removal', () => {
  const before = aPlacedState({
    ringsHeard: 3,
    leaving: { 'site-4': { since: NOW - MINUTE, lookedAtRing: 3 } },
  });
  const copies = { ...before.copies, 'site-2': aCopy({ wanted: false }), 'site-3': aCopy({ wanted: false }) };

  test('drops the removed copies from the state and waits for works that are still being deleted', () => {
    const state = afterRemove(
      { ...before, copies },
      ['site-2', 'site-3'],
      { leaving: ['site-3'] },
      { now: NOW, ringsHeard: 3 },
    );
    expect(Object.keys(state.copies)).toEqual(['site-1']);
    expect(state.leaving).toEqual({
      'site-3': { since: NOW, lookedAtRing: 3 },
      'site-4': { since: NOW - MINUTE, lookedAtRing: 3 },
    });
  });

  test('does not answer a ring that arrived while it ran: the workflow looks again', () => {
    const found = { works: [{ cluster: 'site-4', leaving: true }], lost: {}, given: [] };
    const state = afterFind(before, ['site-4'], found, { now: NOW, ringsHeard: 2 });
    expect(state.leaving['site-4']).toEqual({ since: NOW - MINUTE, lookedAtRing: 2 });
    expect(nextStep(state, NOW)).toEqual({ do: 'find', clusters: ['site-4'] });
  });
});

describe('a Capp that should leave its site and has no other site to go to', () => {
  const leave = aLeave({ to: null });
  const stuck = aPlacedState({
    leave,
    ringsReviewed: 1,
    leaving: { 'site-2': { since: NOW - MINUTE, lookedAtRing: 0 } },
  });

  test('asks for a site again once another site has removed an earlier copy', () => {
    const freed = afterFind(stuck, ['site-2'], { works: [], lost: {}, given: [] }, ASKED);
    expect(nextStep(freed, NOW)).toEqual({ do: 'choose' });
  });

  test('waits while another site is still removing an earlier copy', () => {
    const found = { works: [{ cluster: 'site-2', leaving: true }], lost: {}, given: [] };
    expect(nextStep(afterFind(stuck, ['site-2'], found, ASKED), NOW).do).toBe('rest');
  });
});

test('an apply that failed is retried after a placement review, even if its backoff has not ended', () => {
  const copy = aCopy({ stamp: null, finding: null });
  const asked = aPlacedState({ due: ['decision'], copies: { 'site-1': copy } });
  const failed = afterFailure(asked, { reason: 'Refused', message: 'Forbidden', generation: null }, ASKED);
  expect(nextStep(withChoice(failed, stays(), { now: NOW, ringsHeard: 1 }), NOW)).toEqual({
    do: 'apply',
    cluster: 'site-1',
  });
});

describe('a retirement', () => {
  const retiring = aPlacedState({ retiring: true });

  test('waits for the works that are being deleted', () => {
    const state = withRetired(retiring, { outcome: 'Leaving', clusters: ['site-1'] }, ASKED);
    expect(state.leaving).toEqual({ 'site-1': { since: NOW, lookedAtRing: 1 } });
    expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: null });
  });

  test('is retried after a second while a work must be prepared before it can be deleted', () => {
    const state = withRetired(retiring, { outcome: 'Leaving', clusters: ['site-1'], isPending: true }, ASKED);
    expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: NOW + 1_000 });
    expect(nextStep(state, NOW + 1_000)).toEqual({ do: 'retire' });
  });

  test('of a Capp that still exists ends, and the next look comes after a backoff, because a cache may lag', () => {
    const state = withRetired(retiring, { outcome: 'Alive' }, ASKED);
    expect(state).toMatchObject({ retiring: false, due: ['spec', 'decision'] });
    expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: NOW + 200 });
  });

  test('of a Capp that a cache does not show, but that exists, is retried with exponential backoff', () => {
    let state = initialState(CAPP);
    const pauses: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      state = withChoice(
        answered(state, state.due, state.ringsHeard),
        { outcome: 'Absent' },
        { now: NOW, ringsHeard: state.ringsHeard },
      );
      state = withRetired(
        answered(state, state.due, state.ringsHeard),
        { outcome: 'Alive' },
        { now: NOW, ringsHeard: state.ringsHeard },
      );
      pauses.push((state.backoff?.until ?? NOW) - NOW);
    }
    expect(pauses).toEqual([200, 400, 800, 1_600]);
  });
});
