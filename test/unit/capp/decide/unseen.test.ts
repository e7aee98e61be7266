// A serving copy that its site does not have, and one on a site that nobody can see: neither is called well,
// and both are looked at again.
import { afterAnswer } from '../../../../workflows/capp/decide/after-answer.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { phaseOf } from '../../../../workflows/capp/conditions/details.ts';
import { withChoice } from '../../../../workflows/capp/decide/after-choice.ts';
import { withApplied } from '../../../../workflows/capp/decide/after-apply.ts';
import { nextStep } from '../../../../workflows/capp/decide/next-step.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import {
  aCopy,
  aFinding,
  anAnswer,
  aPlacedState,
  applied,
  MINUTE,
  NOW,
  stays,
} from '../../../support/builders/states.ts';

const STAMP = 'uid-1/1/hash/one';
const ASKED = { now: NOW, ringsHeard: 1 };
const LONG_AGO = { appliedAt: NOW - 60 * MINUTE, deadline: NOW - 50 * MINUTE };

function ready(plain: Partial<State> = {}): State {
  return aPlacedState(plain, { finding: aFinding(), ...LONG_AGO });
}

function said(state: State, type: string, now = NOW) {
  return conditionsOf(state, now).find((one) => one.type === type);
}

describe('a site that says that it does not have what was sent', () => {
  const missed = afterAnswer(ready(), 'site-1', { stamp: STAMP, answer: null }, NOW);
  const SAID = NOW + 10_000;

  test('is watched until it has it again, and its copy is no ground to remove another', () => {
    expect(nextStep(missed, NOW)).toEqual({ do: 'watch', cluster: 'site-1', until: SAID });
    expect(nextStep(missed, SAID)).toEqual({ do: 'watch', cluster: 'site-1', until: NOW + 10 * MINUTE });
    expect(
      nextStep(
        { ...missed, copies: { ...missed.copies, 'site-2': aCopy({ finding: aFinding(), wanted: false }) } },
        NOW,
      ).do,
    ).toBe('watch');
    // What was heard before counts for nothing, good or bad.
    expect(missed.copies['site-1']).toMatchObject({ heard: false, heardAt: 0 });
  });

  test('is believed after ten seconds: an agent that has just begun may not have looked', () => {
    expect(said(missed, 'Ready', SAID - 1)).toMatchObject({ status: 'True' });
    expect(said(missed, 'Available', SAID)).toMatchObject({ status: 'False', reason: 'Missing' });
    expect(said(missed, 'Ready', SAID)).toMatchObject({ status: 'False', reason: 'Missing' });
    expect(phaseOf(missed, SAID)).toBe('Degraded');
  });

  test('has ten minutes, and is said to be stalled then, however often it says the same', () => {
    const again = afterAnswer(missed, 'site-1', { stamp: STAMP, answer: null }, NOW + 5 * MINUTE);
    const late = NOW + 10 * MINUTE;
    expect(said(again, 'Stalled', late - 1)?.status).toBe('False');
    expect(said(again, 'Stalled', late)).toMatchObject({ status: 'True', reason: 'DeadlinePassed' });
    expect(nextStep(again, late)).toEqual({ do: 'rest', until: null });
  });

  test.each<[string, State]>([
    ['has it again', afterAnswer(missed, 'site-1', { stamp: STAMP, answer: anAnswer() }, NOW + MINUTE)],
    [
      'has what was shipped since',
      afterAnswer(
        withApplied(missed, 'site-1', applied({ stamp: 'new' })),
        'site-1',
        { stamp: 'new', answer: anAnswer() },
        NOW,
      ),
    ],
  ])('and %s is as it was', (_what, state) => {
    expect(said(state, 'Ready', SAID)).toMatchObject({ status: 'True' });
    expect(nextStep(state, SAID)).toEqual({ do: 'rest', until: null });
  });

  test('says nothing of an earlier generation that served there', () => {
    const edited = withApplied(missed, 'site-1', applied({ generation: 2, stamp: 'new' }));
    expect(edited.copies['site-1']).toMatchObject({ wasHealthy: false, absentSince: null });
  });
});

describe('a site that cannot be reached', () => {
  const look = (
    reason: 'Pinned' | 'Manual' | 'NotSelected' | 'NotMoving',
    unreachable: readonly string[],
  ) => ({
    ...stays(),
    reason,
    unreachable,
  });
  const lost = withChoice(ready(), look('Pinned', ['site-1']), ASKED);

  test.each(['Pinned', 'Manual', 'NotSelected', 'NotMoving'] as const)(
    'makes what serves there unknown at once, also when the Capp stays: %s',
    (reason) => {
      const state = withChoice(ready(), look(reason, ['site-1']), ASKED);
      const seen = expect.stringContaining('site-1 cannot be reached; last seen before 2026-03-01T12:00:00Z');
      expect(said(state, 'Available')).toMatchObject({
        status: 'Unknown',
        reason: 'SiteUnreachable',
        message: seen,
      });
      expect(said(state, 'Ready')).toMatchObject({ status: 'Unknown', reason: 'SiteUnreachable' });
      expect(said(state, 'Migrating')?.reason).toBe(reason);
      expect(phaseOf(state, NOW)).toBe('Degraded');
    },
  );

  test('is known to be away since it was first found away', () => {
    const later = withChoice(lost, look('Pinned', ['site-1']), { now: NOW + 5 * MINUTE, ringsHeard: 2 });
    expect(later.awaySince).toEqual({ 'site-1': NOW });
  });

  test('is not late with a rollout that was Ready in time', () => {
    expect(said(lost, 'Stalled')?.status).toBe('False');
  });

  test('gets an edit when it can, and says so of the generation that waits', () => {
    const edited = { ...lost, generation: 2 };
    expect(said(edited, 'Applied')).toMatchObject({
      status: 'Unknown',
      reason: 'SiteUnreachable',
      observedGeneration: 2,
    });
  });

  test('is asked anew when it is back: what was heard of it is old', () => {
    const back = withChoice(lost, look('NotMoving', []), { now: NOW + MINUTE, ringsHeard: 2 });
    expect(back.awaySince).toEqual({});
    expect(nextStep({ ...back, ringsReviewed: back.ringsHeard }, NOW + MINUTE)).toEqual({
      do: 'report',
      cluster: 'site-1',
    });
  });
});
