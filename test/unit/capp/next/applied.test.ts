// How the state changes with an apply, with what a site says of it, and with the daily resync.
import { afterAnswer, afterSilence } from '../../../../workflows/capp/after/answer.ts';
import { withApplied } from '../../../../workflows/capp/after/apply.ts';
import { afterResync, withRing } from '../../../../workflows/capp/after/rings.ts';
import { nextStep } from '../../../../workflows/capp/next/next-step.ts';
import { askOf } from '../../../../workflows/capp/next/questions.ts';
import {
  aCopy,
  aFinding,
  aMove,
  anAnswer,
  aPlacedState,
  applied,
  MINUTE,
  NOW,
  refused,
} from '../../../support/builders/states.ts';

const STAMP = 'uid-1/1/hash/one';

describe('an apply to where nothing on the hub allows the Capp', () => {
  const answer = { outcome: 'Unwarranted', generation: 2, message: 'Nothing says so.', at: NOW } as const;
  const nobody = {
    serving: null,
    move: null,
    placing: { reason: 'NoDecision', message: 'Nothing says so.' },
  };

  test('has the site chosen again, also if the workflow believed that a copy is there', () => {
    for (const copy of [{ stamp: null }, { stamp: STAMP }, { found: true } as const]) {
      const after = withApplied(aPlacedState({}, copy), 'site-1', answer);
      expect(after).toMatchObject({ ...nobody, copies: {}, backoff: { tries: 1 } });
      expect(nextStep(after, NOW).do).not.toBe('apply');
    }
  });

  test('ends a move there, and keeps the copy that serves', () => {
    const copies = { 'site-1': aCopy(), 'site-2': aCopy({ stamp: null }) };
    const after = withApplied(aPlacedState({ move: aMove(), copies }), 'site-2', answer);
    expect(after).toMatchObject({
      serving: 'site-1',
      move: null,
      lastMove: { result: 'Cancelled', to: 'site-2' },
    });
    expect(Object.keys(after.copies)).toEqual(['site-1']);
    const found = { ...copies, 'site-2': aCopy({ stamp: null, found: true }) };
    const known = withApplied(aPlacedState({ move: aMove(), copies: found }), 'site-2', answer);
    expect(known.copies['site-2']).toMatchObject({ wanted: false });
  });

  test('changes nothing else where it is neither the site that serves nor the one of a move', () => {
    const copies = { 'site-1': aCopy(), 'site-2': aCopy() };
    const before = aPlacedState({ copies });
    const { copies: after, ...rest } = withApplied(before, 'site-2', answer);
    expect(rest).toMatchObject({
      serving: 'site-1',
      backoff: null,
      refused: { reason: 'NoDecision', message: 'Nothing says so.' },
    });
    expect(Object.keys(after)).toEqual(['site-1', 'site-2']);
  });
});

describe('an apply', () => {
  test('of a new generation starts a rollout with its own deadline', () => {
    const state = withApplied(
      aPlacedState(),
      'site-1',
      applied({ generation: 2, stamp: 'uid-1/2/hash/one', deadlineSeconds: 60 }),
    );
    expect(state.copies['site-1']).toMatchObject({
      generation: 2,
      finding: null,
      appliedAt: NOW,
      deadline: NOW + MINUTE,
    });
  });

  test('of an edit remembers that the app was healthy, however many edits follow', () => {
    const edit = (state: ReturnType<typeof aPlacedState>, generation: number) =>
      withApplied(state, 'site-1', applied({ generation, stamp: `uid-1/${generation}/hash/one` }));
    const served = edit(edit(aPlacedState({}, { finding: aFinding('Failed', { healthy: true }) }), 2), 3);
    expect(served.copies['site-1']).toMatchObject({ finding: null, wasHealthy: true });
    expect(
      edit(aPlacedState({}, { finding: aFinding('Failed', { healthy: false }) }), 2).copies['site-1']
        ?.wasHealthy,
    ).toBe(false);
  });

  test('that changed nothing keeps the verdict and the deadline', () => {
    const before = aPlacedState({}, { finding: aFinding(), appliedAtRing: 1 });
    expect(withApplied(before, 'site-1', applied({ at: NOW + MINUTE }))).toEqual(before);
  });

  test('that succeeds clears the refusal, the backoff and the pause', () => {
    const before = aPlacedState({
      refused: { reason: 'Refused', message: '' },
      backoff: { until: NOW, tries: 2, ringsHeard: 1 },
      paused: true,
    });
    expect(withApplied(before, 'site-1', applied())).toMatchObject({
      refused: null,
      backoff: null,
      paused: false,
    });
  });

  test('that is refused keeps the running copy', () => {
    const before = aPlacedState({}, { finding: aFinding(), appliedAtRing: 1 });
    const after = withApplied(before, 'site-1', refused());
    expect(after.copies).toEqual(before.copies);
    expect(after.refused).toMatchObject({ reason: 'MissingReference' });
  });

  test('of a paused Capp keeps the running copy, and no longer relies on the last verdict about it', () => {
    const before = aPlacedState({}, { finding: aFinding(), appliedAtRing: 1 });
    const after = withApplied(before, 'site-1', { outcome: 'Paused', generation: 3, at: NOW });
    expect(after).toEqual({
      ...aPlacedState({}, { finding: aFinding(), appliedAtRing: 1, heard: false }),
      paused: true,
      generation: 3,
    });
  });

  test('to a work that is being deleted gives up the site and chooses again after a backoff', () => {
    const state = withApplied(aPlacedState({ refused: { reason: 'Refused', message: '' } }), 'site-1', {
      outcome: 'Leaving',
      generation: 1,
      at: NOW,
    });
    expect(state).toMatchObject({
      serving: null,
      copies: {},
      refused: null,
      placing: { reason: 'StillLeaving' },
    });
    expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: NOW + 5_000 });
    expect(nextStep(state, NOW + 5_000)).toEqual({ do: 'find', clusters: ['site-1'] });
    expect(nextStep({ ...state, leaving: {} }, NOW + 5_000)).toEqual({ do: 'choose' });
  });

  test('to a work that is being deleted tells the next choice that a copy may still run there', () => {
    const state = withApplied(aPlacedState(), 'site-1', { outcome: 'Leaving', generation: 1, at: NOW });
    expect(askOf(state).works).toEqual([{ cluster: 'site-1', leaving: true }]);
  });

  test('of a Capp that is being deleted leads to its retirement', () => {
    expect(nextStep(withApplied(aPlacedState(), 'site-1', { outcome: 'Deleted' }), NOW)).toEqual({
      do: 'retire',
    });
  });
});

describe('a verdict', () => {
  test('is recorded when it is about the stamp that was asked about', () => {
    const state = afterAnswer(
      aPlacedState({}, {}),
      'site-1',
      { stamp: STAMP, answer: anAnswer('Ready') },
      NOW,
    );
    expect(state.copies['site-1']?.finding).toEqual(aFinding('Ready'));
  });

  test.each([
    ['another stamp', 'site-1', 'uid-1/1/hash/two'],
    ['another site', 'site-2', STAMP],
  ])('about %s changes nothing', (_name, cluster, stamp) => {
    const before = aPlacedState({}, {});
    expect(afterAnswer(before, cluster, { stamp, answer: anAnswer('Ready') }, NOW)).toEqual(before);
    expect(afterSilence(before, cluster, stamp, NOW)).toEqual(before);
  });

  test('ends the silence of an agent, even if the agent does not have the stamp', () => {
    const before = aPlacedState({}, { finding: aFinding(), silentSince: NOW - MINUTE });
    expect(afterAnswer(before, 'site-1', { stamp: STAMP, answer: null }, NOW).copies['site-1']).toMatchObject(
      {
        silentSince: null,
        finding: aFinding(),
      },
    );
  });

  test('clears the time at which a silent agent was last seen', () => {
    const heard = withRing(aPlacedState(), {
      causes: ['site'],
      minimumVersions: {},
      seen: { 'site-1': NOW - MINUTE, 'site-9': NOW },
    });
    expect(heard.copies['site-1']?.seenAt).toBe(NOW - MINUTE);
    expect(Object.keys(heard.copies)).toEqual(['site-1']);
    expect(afterSilence(heard, 'site-1', STAMP, NOW).copies['site-1']?.seenAt).toBe(NOW - MINUTE);
    expect(
      afterAnswer(heard, 'site-1', { stamp: STAMP, answer: anAnswer('Ready') }, NOW).copies['site-1'],
    ).not.toHaveProperty('seenAt');
  });

  test('that does not come records since when the agent has been silent', () => {
    const once = afterSilence(aPlacedState(), 'site-1', STAMP, NOW);
    const twice = afterSilence(once, 'site-1', STAMP, NOW + MINUTE);
    expect(twice.copies['site-1']?.silentSince).toBe(NOW);
  });
});

describe('the daily resync', () => {
  test('chooses again, and then applies again', () => {
    const state = afterResync(aPlacedState());
    expect(state.due).toEqual(['resync']);
    expect(nextStep(state, NOW)).toEqual({ do: 'choose' });
    expect(nextStep({ ...state, ringsReviewed: state.ringsHeard }, NOW)).toEqual({
      do: 'apply',
      cluster: 'site-1',
    });
  });

  test('asks a silent agent, which stays silent until it answers', () => {
    const state = afterResync(aPlacedState({}, { finding: aFinding(), silentSince: NOW - MINUTE }));
    expect(state.due).toEqual(['site', 'resync']);
    expect(state.copies['site-1']?.silentSince).toBe(NOW - MINUTE);
  });
});
