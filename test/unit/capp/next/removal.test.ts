// Which copies may be removed, on what grounds, and what follows when a removal is refused or its grounds do
// not hold.
import { afterAnswer, afterNews, reporting } from '../../../../workflows/capp/after/answer.ts';
import { withRing } from '../../../../workflows/capp/after/rings.ts';
import { nextStep, type NextStep } from '../../../../workflows/capp/next/next-step.ts';
import { groundsOf } from '../../../../workflows/capp/next/removal.ts';
import { afterRefusal, afterRemove } from '../../../../workflows/capp/after/removal.ts';
import type { RemovedWorks } from '../../../../workflows/types/removals.ts';
import { CAUSES } from '../../../../workflows/types/ring.ts';
import type { State } from '../../../../workflows/capp/state.ts';
import {
  aCopy,
  aFinding,
  aMove,
  anAnswer,
  aPlacedState,
  MINUTE,
  NOW,
} from '../../../support/builders/states.ts';
import { withExtra } from '../../../support/builders/moving.ts';

const READY = { finding: aFinding() };
const STAMP = 'uid-1/1/hash/one';
const ASKED = { now: NOW, ringsHeard: 1 };

/** After a ring of every cause, and a placement review that answered it. */
function lookedAt(state: State, unreachable: readonly string[]): State {
  const heard = withRing(state, { causes: [...CAUSES], minimumVersions: {} });
  return { ...heard, unreachable, due: [], ringsAnswered: heard.ringsHeard, ringsReviewed: heard.ringsHeard };
}

describe('a removal that the API server refuses for good', () => {
  const refused = afterRefusal(withExtra(), ['site-2'], 'manifestworks is forbidden', ASKED);

  test('keeps the copy in the state, and does not call it leaving', () => {
    expect(refused.copies['site-2']).toMatchObject({
      wanted: false,
      failedRemoval: { reason: 'Refused', message: 'manifestworks is forbidden' },
    });
    expect(refused.leaving).toEqual({});
  });

  test('is not retried when the site of the serving copy becomes unreachable, whatever rings arrive', () => {
    const later = NOW + 60 * MINUTE;
    const lost = lookedAt(refused, ['site-1']);
    expect(nextStep(lost, later)).toEqual({ do: 'rest', until: null });
  });

  test('is retried with exponential backoff, and a ring does not shorten it', () => {
    expect(nextStep(refused, NOW)).toEqual({ do: 'rest', until: NOW + 1_000 });
    expect(nextStep(lookedAt(refused, []), NOW)).toEqual({ do: 'rest', until: NOW + 1_000 });
    expect(nextStep(refused, NOW + 1_000)).toEqual({ do: 'remove', clusters: ['site-2'] });
    const twice = afterRefusal(refused, ['site-2'], 'again', ASKED);
    expect(nextStep(twice, NOW + 1_000)).toEqual({ do: 'rest', until: NOW + 2_000 });
  });

  test('ends a move all the same: the old copy becomes an extra copy, and the Capp may move again', () => {
    const copies = { 'site-1': aCopy({ ...READY, wanted: false }), 'site-2': aCopy(READY) };
    const moving = aPlacedState({ serving: 'site-2', copies, move: aMove({ confirmation: 'Given' }) });
    expect(nextStep(moving, NOW)).toEqual({ do: 'remove', clusters: ['site-1'] });
    expect(nextStep(afterRefusal(moving, ['site-1'], 'no', ASKED), NOW)).toEqual({ do: 'arrive' });
  });
});

describe('a removal whose grounds do not hold', () => {
  const kept: RemovedWorks = {
    leaving: [],
    objection: { reason: 'WorkGone', message: 'the work on site-1 is gone.' },
  };
  const unconfirmed = afterRemove(withExtra(), ['site-2'], kept, ASKED);

  test('keeps the copy, and the workflow looks at the copy that was to stay', () => {
    expect(unconfirmed.copies['site-2']).toMatchObject({ failedRemoval: { reason: 'Unconfirmed' } });
    expect(unconfirmed.due).toEqual(expect.arrayContaining(['work', 'decision', 'site']));
    expect(nextStep(unconfirmed, NOW).do).toBe('choose');
  });

  test('is not retried at once, even if the copy that stays cannot be applied', () => {
    const refused = { reason: 'Refused', message: 'no rights' } as const;
    const looked = {
      ...lookedAt(unconfirmed, []),
      refused,
      backoff: { until: NOW + 30_000, tries: 1, ringsHeard: unconfirmed.ringsHeard + 1 },
    };
    expect(nextStep(looked, NOW)).toEqual({ do: 'rest', until: NOW + 30_000 });
    expect(nextStep(lookedAt(unconfirmed, []), NOW)).toEqual({ do: 'rest', until: NOW + 1_000 });
  });

  test('is retried only after the agent of the copy that stays has been asked again', () => {
    expect(nextStep(lookedAt(unconfirmed, []), NOW + 1_000)).toEqual({ do: 'report', cluster: 'site-1' });
  });

  test('because the Capp no longer asks for Recreate cancels the move', () => {
    const copies = { 'site-1': aCopy({ ...READY, wanted: false }) };
    const moving = aPlacedState({ copies, move: aMove({ strategy: 'Recreate' }) });
    const changed: RemovedWorks = { leaving: [], objection: { reason: 'CappChanged', message: '' } };
    const state = afterRemove(moving, ['site-1'], changed, ASKED);
    expect(state).toMatchObject({
      move: null,
      serving: 'site-1',
      copies: { 'site-1': { wanted: true } },
      lastMove: { result: 'Cancelled' },
    });
  });
});

test('what was shipped since the removal was decided stays a copy, and is removed by what is there', () => {
  const told = (seen: Record<string, string | null>) => {
    const objection = { reason: 'OtherWork', message: 'it was shipped since.', seen } as const;
    return afterRemove(withExtra(), ['site-2'], { leaving: [], objection }, ASKED);
  };
  const state = told({ 'site-2': 'another', 'site-1': 'of-a-copy-that-is-wanted' });
  expect(state.copies['site-2']).toMatchObject({ wanted: false, stamp: 'another', finding: null });
  expect(state.copies['site-1']).toMatchObject({ stamp: STAMP });
  expect(groundsOf(state, ['site-2'], NOW)).toMatchObject({ of: { 'site-2': 'another' } });
  expect(told({ 'site-2': null }).copies['site-2']).toMatchObject({ stamp: null, found: true });
});

test('a work that must be prepared before it can be deleted stays a copy until it is deleted', () => {
  const state = afterRemove(withExtra(), ['site-2'], { leaving: [], pending: ['site-2'] }, ASKED);
  expect(state).toMatchObject({ leaving: {}, copies: { 'site-2': { wanted: false } } });
  expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: NOW + 1_000 });
  expect(nextStep(state, NOW + 1_000)).toEqual({ do: 'remove', clusters: ['site-2'] });
});

describe('the verdict on which a removal rests', () => {
  const OLD = { ...READY, heardAt: NOW - 31_000 };

  test.each<[string, NextStep, State]>([
    ['is the one about the copy that stays', { do: 'remove', clusters: ['site-2'] }, withExtra()],
    [
      'is asked for again when it is older than 30 seconds',
      { do: 'report', cluster: 'site-1' },
      withExtra({}, {}, OLD),
    ],
    [
      'is the one about the failed extra copy when the serving copy failed too',
      { do: 'remove', clusters: ['site-2'] },
      withExtra({ finding: aFinding('Failed') }, {}, { finding: aFinding('Failed'), deadline: NOW }),
    ],
    [
      'is asked for again about the failed extra copy when it is old, because that copy may have become healthy',
      { do: 'report', cluster: 'site-2' },
      withExtra(
        { finding: aFinding('Failed'), heardAt: NOW - 31_000 },
        {},
        { finding: aFinding('Failed'), deadline: NOW },
      ),
    ],
    [
      'does not count when the agent says that the serving copy is absent',
      { do: 'rest', until: NOW + 9 * MINUTE },
      withExtra({}, {}, { ...READY, absentSince: NOW }),
    ],
  ])('%s', (_name, step, state) => {
    const { do: what, ...rest } = nextStep(state, NOW);
    expect(what === 'watch' ? 'rest' : what).toBe(step.do);
    if (step.do !== 'rest') expect({ do: what, ...rest }).toEqual(step);
  });

  test('expires a minute after it was given, and the activity is told when', () => {
    const state = withExtra({}, {}, { ...READY, heardAt: NOW - 20_000 });
    expect(groundsOf(state, ['site-2'], NOW)).toEqual({
      staying: { cluster: 'site-1', stamp: STAMP },
      of: { 'site-2': STAMP },
      until: NOW + 40_000,
    });
  });

  test('is not needed with Recreate, whose grounds name the new site and expire after a minute too', () => {
    const copies = { 'site-1': aCopy({ ...READY, wanted: false }) };
    const state = aPlacedState({ copies, move: aMove({ strategy: 'Recreate' }) });
    expect(groundsOf(state, ['site-1'], NOW)).toEqual({
      staying: null,
      of: { 'site-1': STAMP },
      to: 'site-2',
      until: NOW + MINUTE,
    });
  });

  test('counts from the answer on, and asking about one copy does not discard the verdict about another', () => {
    const asked = reporting(withExtra({}, { due: ['site'], move: null }), 'site-2');
    expect(asked.due).toEqual(['site']);
    expect(asked.copies).toMatchObject({ 'site-1': { heard: true }, 'site-2': { heard: false } });
    const told = afterNews(
      asked,
      { cluster: 'site-2', stamp: STAMP, outcome: 'Answered', answer: anAnswer('Failed') },
      NOW + 5,
    );
    expect(told.copies['site-2']).toMatchObject({ heard: true, heardAt: NOW + 5 });
  });

  test('does not confirm a move when it is about a copy other than the new one', () => {
    const copies = {
      'site-1': aCopy(READY),
      'site-2': aCopy(READY),
      'site-3': aCopy({ ...READY, wanted: false }),
    };
    const moving = aPlacedState({ serving: 'site-2', copies, move: aMove() });
    const asked = reporting(moving, 'site-3');
    expect(asked.move?.confirmation).toBe('Due');
    expect(afterAnswer(asked, 'site-2', { stamp: STAMP, answer: anAnswer() }, NOW).move?.confirmation).toBe(
      'Due',
    );
  });
});
