// Which copies may go, what that rests on, and what becomes of a removal that came to nothing.
import { afterAnswer, afterNews, reporting } from '../../../../workflows/capp/decide/after-answer.ts';
import { withRing } from '../../../../workflows/capp/decide/rings.ts';
import { nextStep, type Step } from '../../../../workflows/capp/decide/next-step.ts';
import { groundsOf } from '../../../../workflows/capp/decide/removal.ts';
import {
  afterFind,
  afterRefusal,
  afterRemove,
  withRetired,
} from '../../../../workflows/capp/decide/after-removal.ts';
import type { Found, Removed } from '../../../../workflows/types/removals.ts';
import { CAUSES } from '../../../../workflows/types/ring.ts';
import type { Copy, State } from '../../../../workflows/capp/state.ts';
import {
  aCopy,
  aFinding,
  aMove,
  anAnswer,
  aPlacedState,
  MINUTE,
  NOW,
} from '../../../support/builders/states.ts';

const READY = { finding: aFinding() };
const STAMP = 'uid-1/1/hash/one';
const ASKED = { now: NOW, ringsHeard: 1 };
const NOTHING: Found = { works: [], lost: {}, given: [] };

/** Serves on site-1; the copy on site-2 is not wanted any more. */
function withExtra(
  extra: Partial<Copy> = {},
  plain: Partial<State> = {},
  serving: Partial<Copy> = READY,
): State {
  return aPlacedState({
    copies: { 'site-1': aCopy(serving), 'site-2': aCopy({ ...READY, wanted: false, ...extra }) },
    ...plain,
  });
}

/** Rung for all that may happen, and looked at. */
function lookedAt(state: State, unreachable: readonly string[]): State {
  const heard = withRing(state, { causes: [...CAUSES], minimumVersions: {} });
  return { ...heard, unreachable, due: [], ringsAnswered: heard.ringsHeard, ringsReviewed: heard.ringsHeard };
}

describe('a removal that is refused for good', () => {
  const refused = afterRefusal(withExtra(), ['site-2'], 'manifestworks is forbidden', ASKED);

  test('keeps the copy: nothing leaves that is not being deleted', () => {
    expect(refused.copies['site-2']).toMatchObject({
      wanted: false,
      failedRemoval: { reason: 'Refused', message: 'manifestworks is forbidden' },
    });
    expect(refused.leaving).toEqual({});
  });

  test('does not end the life of that copy when the serving one is lost later, whatever rings', () => {
    const later = NOW + 60 * MINUTE;
    const lost = lookedAt(refused, ['site-1']);
    expect(nextStep(lost, later)).toEqual({ do: 'rest', until: null });
  });

  test('is tried again ever more slowly, and no sooner because somebody rings', () => {
    expect(nextStep(refused, NOW)).toEqual({ do: 'rest', until: NOW + 1_000 });
    expect(nextStep(lookedAt(refused, []), NOW)).toEqual({ do: 'rest', until: NOW + 1_000 });
    expect(nextStep(refused, NOW + 1_000)).toEqual({ do: 'remove', clusters: ['site-2'] });
    const twice = afterRefusal(refused, ['site-2'], 'again', ASKED);
    expect(nextStep(twice, NOW + 1_000)).toEqual({ do: 'rest', until: NOW + 2_000 });
  });

  test('ends a move all the same: the old copy is an extra one, and the Capp may move again', () => {
    const copies = { 'site-1': aCopy({ ...READY, wanted: false }), 'site-2': aCopy(READY) };
    const moving = aPlacedState({ serving: 'site-2', copies, move: aMove({ confirmation: 'Given' }) });
    expect(nextStep(moving, NOW)).toEqual({ do: 'remove', clusters: ['site-1'] });
    expect(nextStep(afterRefusal(moving, ['site-1'], 'no', ASKED), NOW)).toEqual({ do: 'arrive' });
  });
});

describe('a removal whose grounds do not hold', () => {
  const kept: Removed = {
    leaving: [],
    objection: { reason: 'WorkGone', message: 'the work on site-1 is gone.' },
  };
  const unconfirmed = afterRemove(withExtra(), ['site-2'], kept, ASKED);

  test('keeps the copy, and looks at the one that was to stay', () => {
    expect(unconfirmed.copies['site-2']).toMatchObject({ failedRemoval: { reason: 'Unconfirmed' } });
    expect(unconfirmed.due).toEqual(expect.arrayContaining(['work', 'decision', 'site']));
    expect(nextStep(unconfirmed, NOW).do).toBe('choose');
  });

  test('is not tried again at once, also when what stays cannot be shipped', () => {
    const refused = { reason: 'Refused', message: 'no rights' } as const;
    const looked = {
      ...lookedAt(unconfirmed, []),
      refused,
      backoff: { until: NOW + 30_000, tries: 1, ringsHeard: unconfirmed.ringsHeard + 1 },
    };
    expect(nextStep(looked, NOW)).toEqual({ do: 'rest', until: NOW + 30_000 });
    expect(nextStep(lookedAt(unconfirmed, []), NOW)).toEqual({ do: 'rest', until: NOW + 1_000 });
  });

  test('asks the agent of the copy that stays once more first', () => {
    expect(nextStep(lookedAt(unconfirmed, []), NOW + 1_000)).toEqual({ do: 'report', cluster: 'site-1' });
  });

  test('of a Capp that does not ask for Recreate any more calls the move off', () => {
    const copies = { 'site-1': aCopy({ ...READY, wanted: false }) };
    const moving = aPlacedState({ copies, move: aMove({ strategy: 'Recreate' }) });
    const changed: Removed = { leaving: [], objection: { reason: 'CappChanged', message: '' } };
    const state = afterRemove(moving, ['site-1'], changed, ASKED);
    expect(state).toMatchObject({
      move: null,
      serving: 'site-1',
      copies: { 'site-1': { wanted: true } },
      lastMove: { result: 'Cancelled' },
    });
  });
});

test('a work that has to be made ready to go stays a copy until it goes', () => {
  const state = afterRemove(withExtra(), ['site-2'], { leaving: [], pending: ['site-2'] }, ASKED);
  expect(state).toMatchObject({ leaving: {}, copies: { 'site-2': { wanted: false } } });
  expect(nextStep(state, NOW)).toEqual({ do: 'rest', until: NOW + 1_000 });
  expect(nextStep(state, NOW + 1_000)).toEqual({ do: 'remove', clusters: ['site-2'] });
});

describe('the word that a removal rests on', () => {
  const OLD = { ...READY, heardAt: NOW - 31_000 };

  test.each<[string, Step, State]>([
    ['is that of the copy that stays', { do: 'remove', clusters: ['site-2'] }, withExtra()],
    ['is asked for anew when it is old', { do: 'report', cluster: 'site-1' }, withExtra({}, {}, OLD)],
    [
      'is that of the bad copy itself when the other does not serve',
      { do: 'remove', clusters: ['site-2'] },
      withExtra({ finding: aFinding('Failed') }, {}, { finding: aFinding('Failed'), deadline: NOW }),
    ],
    [
      'is asked for anew of the bad copy when it is old: it may have come to serve',
      { do: 'report', cluster: 'site-2' },
      withExtra(
        { finding: aFinding('Failed'), heardAt: NOW - 31_000 },
        {},
        { finding: aFinding('Failed'), deadline: NOW },
      ),
    ],
    [
      'counts for nothing when the site does not have it',
      { do: 'rest', until: NOW + 9 * MINUTE },
      withExtra({}, {}, { ...READY, absentSince: NOW }),
    ],
  ])('%s', (_name, step, state) => {
    const { do: what, ...rest } = nextStep(state, NOW);
    expect(what === 'watch' ? 'rest' : what).toBe(step.do);
    if (step.do !== 'rest') expect({ do: what, ...rest }).toEqual(step);
  });

  test('has a short life, which the activity is told', () => {
    const state = withExtra({}, {}, { ...READY, heardAt: NOW - 20_000 });
    expect(groundsOf(state, ['site-2'], NOW)).toEqual({
      staying: { cluster: 'site-1', stamp: STAMP },
      until: NOW + 40_000,
    });
  });

  test('of Recreate is the user’s own, and as short-lived', () => {
    const copies = { 'site-1': aCopy({ ...READY, wanted: false }) };
    const state = aPlacedState({ copies, move: aMove({ strategy: 'Recreate' }) });
    expect(groundsOf(state, ['site-1'], NOW)).toEqual({ staying: null, until: NOW + MINUTE });
  });

  test('is given by an answer, and not by a question to another copy', () => {
    const asked = reporting(withExtra({}, { due: ['site'], move: null }), 'site-2');
    expect(asked.due).toEqual(['site']);
    expect(asked.copies).toMatchObject({ 'site-1': { heard: true }, 'site-2': { heard: false } });
    const told = afterNews(
      asked,
      { cluster: 'site-2', stamp: STAMP, answer: anAnswer('Failed'), silent: false },
      NOW + 5,
    );
    expect(told.copies['site-2']).toMatchObject({ heard: true, heardAt: NOW + 5 });
  });

  test('does not confirm a move when another copy was asked', () => {
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

describe('a work that was leaving', () => {
  const state = withExtra(
    {},
    { copies: { 'site-1': aCopy(READY) }, leaving: { 'site-2': { since: NOW, lookedAtRing: 0 } } },
  );

  test('is only looked for, never deleted', () => {
    expect(nextStep(state, NOW)).toEqual({ do: 'find', clusters: ['site-2'] });
  });

  test('and is found undeleted is a copy like any other, which goes only when it may', () => {
    const found = afterFind(
      state,
      ['site-2'],
      { ...NOTHING, works: [{ cluster: 'site-2', leaving: false }] },
      ASKED,
    );
    expect(found).toMatchObject({ leaving: {}, copies: { 'site-2': { wanted: false, stamp: null } } });
    expect(nextStep({ ...found, unreachable: ['site-1'] }, NOW).do).toBe('rest');
  });

  test('and is gone is forgotten', () => {
    expect(afterFind(state, ['site-2'], NOTHING, ASKED).leaving).toEqual({});
  });

  test('is waited for when nobody can look, until somebody rings again', () => {
    const waiting = afterFind(state, ['site-2'], null, ASKED);
    expect(nextStep(waiting, NOW)).toEqual({ do: 'rest', until: null });
    expect(nextStep({ ...waiting, ringsHeard: 2, ringsAnswered: 2 }, NOW)).toEqual({
      do: 'find',
      clusters: ['site-2'],
    });
  });

  test('is not forgotten because a Capp that was thought to be gone lives', () => {
    const lives = withRetired({ ...state, retiring: true }, { outcome: 'Alive' }, ASKED);
    expect(Object.keys(lives.leaving)).toEqual(['site-2']);
  });
});
