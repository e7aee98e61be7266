// A serving copy that its agent does not find, and one on an unreachable site: neither counts as Ready, and
// both are looked at again.
import { afterAnswer } from '../../../../workflows/capp/after/answer.ts';
import { conditionsOf } from '../../../../workflows/capp/conditions/conditions.ts';
import { phaseOf } from '../../../../workflows/capp/conditions/details.ts';
import { withChoice } from '../../../../workflows/capp/after/choice.ts';
import { withApplied } from '../../../../workflows/capp/after/apply.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
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

describe('a serving copy that the agent does not find on its site', () => {
  const missed = afterAnswer(ready(), 'site-1', { stamp: STAMP, answer: null }, NOW);
  const SAID = NOW + 10_000;

  test('is watched until it is there again, and is no ground to remove another copy', () => {
    expect(nextStep(missed, NOW)).toEqual({ do: 'watch', cluster: 'site-1', until: SAID });
    expect(nextStep(missed, SAID)).toEqual({ do: 'watch', cluster: 'site-1', until: NOW + 10 * MINUTE });
    expect(
      nextStep(
        { ...missed, copies: { ...missed.copies, 'site-2': aCopy({ finding: aFinding(), wanted: false }) } },
        NOW,
      ).do,
    ).toBe('watch');
    // An earlier verdict, good or bad, no longer counts.
    expect(missed.copies['site-1']).toMatchObject({ heard: false, heardAt: 0 });
  });

  test('counts as Missing after ten seconds, because an agent that has just started may not have looked yet', () => {
    expect(said(missed, 'Ready', SAID - 1)).toMatchObject({ status: 'True' });
    expect(said(missed, 'Available', SAID)).toMatchObject({ status: 'False', reason: 'Missing' });
    expect(said(missed, 'Ready', SAID)).toMatchObject({ status: 'False', reason: 'Missing' });
    expect(phaseOf(missed, SAID)).toBe('Degraded');
  });

  test('counts as Stalled after ten minutes, however often the agent says that it is absent', () => {
    const again = afterAnswer(missed, 'site-1', { stamp: STAMP, answer: null }, NOW + 5 * MINUTE);
    const late = NOW + 10 * MINUTE;
    expect(said(again, 'Stalled', late - 1)?.status).toBe('False');
    expect(said(again, 'Stalled', late)).toMatchObject({ status: 'True', reason: 'DeadlinePassed' });
    expect(nextStep(again, late)).toEqual({ do: 'rest', until: null });
  });

  test.each<[string, State]>([
    ['is there again', afterAnswer(missed, 'site-1', { stamp: STAMP, answer: anAnswer() }, NOW + MINUTE)],
    [
      'was replaced by a newer apply, which is there',
      afterAnswer(
        withApplied(missed, 'site-1', applied({ stamp: 'new' })),
        'site-1',
        { stamp: 'new', answer: anAnswer() },
        NOW,
      ),
    ],
  ])('and %s counts as Ready again', (_what, state) => {
    expect(said(state, 'Ready', SAID)).toMatchObject({ status: 'True' });
    expect(nextStep(state, SAID)).toEqual({ do: 'rest', until: null });
  });

  test('does not count as an earlier generation that was healthy, once an edit is applied', () => {
    const edited = withApplied(missed, 'site-1', applied({ generation: 2, stamp: 'new' }));
    expect(edited.copies['site-1']).toMatchObject({ wasHealthy: false, absentSince: null });
  });
});

describe('an unreachable site', () => {
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
    'makes Available and Ready of its serving copy Unknown at once, even if the Capp stays because of %s',
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

  test('is recorded as unreachable since the first look that found it so', () => {
    const later = withChoice(lost, look('Pinned', ['site-1']), { now: NOW + 5 * MINUTE, ringsHeard: 2 });
    expect(later.awaySince).toEqual({ 'site-1': NOW });
  });

  test('does not make a rollout count as stalled that was Ready in time', () => {
    expect(said(lost, 'Stalled')?.status).toBe('False');
  });

  test('makes Applied Unknown for the generation of an edit that waits for it', () => {
    const edited = { ...lost, generation: 2 };
    expect(said(edited, 'Applied')).toMatchObject({
      status: 'Unknown',
      reason: 'SiteUnreachable',
      observedGeneration: 2,
    });
  });

  test('is asked for a new verdict when it is reachable again', () => {
    const back = withChoice(lost, look('NotMoving', []), { now: NOW + MINUTE, ringsHeard: 2 });
    expect(back.awaySince).toEqual({});
    expect(nextStep({ ...back, ringsReviewed: back.ringsHeard }, NOW + MINUTE)).toEqual({
      do: 'report',
      cluster: 'site-1',
    });
  });
});
