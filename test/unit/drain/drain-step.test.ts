// Whom a drain lets go, whom it tells to wait, and how long it waits itself.
import {
  drainStep,
  LANE_MS,
  LINGER_MS,
  MOST_WAITING,
  type DrainStep,
} from '../../../workflows/drain/decide/step.ts';
import { answeredTo } from '../../../workflows/drain/decide/transitions.ts';
import type { DrainState, Lanes } from '../../../workflows/drain/state.ts';
import { aDrain, aLook, aWaiting, goingTo } from '../../support/builders/drains.ts';
import { NOW } from '../../support/builders/states.ts';

const LANES: Lanes = { width: 10, perTarget: 5, ratePerSecond: 100 };
const ANSWER_MS = 10_000;
const waiters = (count: number, plain = {}) =>
  Array.from({ length: count }, (_, index) => aWaiting(`app-${index}`, plain));
const names = (step: DrainStep, which: 'go' | 'wait') =>
  step.do === 'answer' ? step[which].map(({ capp }) => capp) : [];

describe('as many go as the lanes hold', () => {
  test.each<[string, number, Partial<DrainState>]>([
    ['all, where there is room', 3, { waiting: waiters(3) }],
    ['no more than the width', 10, { waiting: waiters(30, { to: null }) }],
    ['fewer when some are under way', 6, { waiting: waiters(30, { to: null }), going: goingTo('site-9', 4) }],
    ['none when the lanes are full', 0, { waiting: waiters(3), going: goingTo('site-9', 10) }],
    [
      'none when they have been made narrower than what is under way',
      0,
      { waiting: waiters(3), going: goingTo('site-9', 12) },
    ],
    ['no more than one target takes', 5, { waiting: waiters(30) }],
    ['fewer when some are on their way there', 2, { waiting: waiters(30), going: goingTo('site-2', 3) }],
    [
      'past those whose target is busy',
      2,
      { waiting: [...waiters(9), ...waiters(2, { to: 'site-3' })], going: goingTo('site-2', 5) },
    ],
    [
      'no more than begin in a second',
      7,
      { waiting: waiters(30, { to: null }), second: { since: NOW - 999, count: 93 } },
    ],
    [
      'again when that second is over',
      10,
      { waiting: waiters(30, { to: null }), second: { since: NOW - 1000, count: 100 } },
    ],
    ['none while it is paused', 0, { waiting: waiters(3), paused: true }],
    ['none when it is stopped', 0, { waiting: waiters(3), stopped: true }],
  ])('%s', (_name, count, plain) => {
    expect(names(drainStep(aDrain({ lanes: LANES, ...plain }), NOW), 'go')).toHaveLength(count);
  });

  test('the first in order go first', () => {
    const waiting = [aWaiting('urgent', { priority: 9 }), aWaiting('early'), aWaiting('late')];
    const step = drainStep(aDrain({ waiting, lanes: { ...LANES, width: 2 } }), NOW);
    expect(names(step, 'go')).toEqual(['apps/urgent', 'apps/early']);
  });
});

describe('told to wait are', () => {
  const full = { lanes: LANES, going: goingTo('site-9', 10) };
  const late = NOW + ANSWER_MS;
  test.each<[string, string[], Partial<DrainState>, number]>([
    ['none that may have their turn before they go alone', [], { waiting: waiters(2) }, NOW],
    ['those that would soon go alone', ['apps/app-0', 'apps/app-1'], { waiting: waiters(2) }, late],
    ['none that know it', [], { waiting: waiters(2, { isTold: true }) }, late],
    ['none that have not asked', [], { waiting: waiters(2, { askedAt: null }) }, late],
    ['all at once in a pause', ['apps/app-0', 'apps/app-1'], { waiting: waiters(2), paused: true }, NOW],
    [
      'all before it stops, so that they do not go alone',
      ['apps/app-0', 'apps/app-1'],
      { waiting: waiters(2), stopped: true },
      NOW,
    ],
    [
      'those that are too many',
      [`apps/app-${MOST_WAITING}`],
      { waiting: waiters(MOST_WAITING + 1, { isTold: true }), going: goingTo('site-9', 10) },
      NOW,
    ],
  ])('%s', (_name, capps, plain, now) => {
    expect(names(drainStep(aDrain({ ...full, ...plain }), now), 'wait')).toEqual(capps);
  });
});

describe('a drain rests', () => {
  const full = goingTo('site-9', 10);
  test.each<[string, number | null, Partial<DrainState>]>([
    ['until one that asked would go alone', NOW + ANSWER_MS, { waiting: waiters(1), going: full }],
    ['until a lane is given up', NOW + LANE_MS, { waiting: waiters(1, { isTold: true }), going: full }],
    [
      'until the second is over',
      NOW + 600,
      { waiting: waiters(1), second: { since: NOW - 400, count: 100 } },
    ],
    ['a while after the last was heard of', NOW + LINGER_MS, {}],
    ['until a page may be read again', NOW + 5, { listing: aLook({ notBefore: NOW + 5 }) }],
    ['without end in a pause', null, { paused: true, listing: aLook() }],
  ])('%s', (_name, until, plain) => {
    expect(drainStep(aDrain({ lanes: LANES, ...plain }), NOW)).toEqual({ do: 'rest', until });
  });

  test('and does not wake each second for a target that stays busy', () => {
    const state = aDrain({
      lanes: LANES,
      waiting: waiters(1, { isTold: true }),
      going: goingTo('site-2', 5),
    });
    expect(drainStep({ ...state, second: { since: NOW - 1000, count: 5 } }, NOW)).toEqual({
      do: 'rest',
      until: NOW + LANE_MS,
    });
  });
});

describe('a page is read', () => {
  const listing = aLook({ notBefore: NOW });
  test.each<[string, string, Partial<DrainState>]>([
    ['when few wait', 'list', { listing, waiting: waiters(49, { askedAt: null }) }],
    ['not while enough wait', 'rest', { listing, waiting: waiters(50, { askedAt: null }) }],
    [
      'not before those that wait have their turn',
      'answer',
      { listing, going: {}, waiting: waiters(1, { askedAt: null }) },
    ],
  ])('%s', (_name, what, plain) => {
    expect(drainStep(aDrain({ lanes: LANES, going: goingTo('site-9', 10), ...plain }), NOW).do).toBe(what);
  });
});

describe('a drain looks through the cluster before it ends', () => {
  test.each<[string, boolean, Partial<DrainState>, number]>([
    ['not before it has been quietLogs for a while', false, {}, NOW + LINGER_MS - 1],
    ['when it has', true, {}, NOW + LINGER_MS],
    ['soon, when a person wanted all off', true, { everything: true }, NOW + 2_000],
    ['not before the caches have heard of the last that moved', false, { everything: true }, NOW + 1_999],
    ['not before another look may begin', false, { everything: true, lookAt: NOW + 9_000 }, NOW + 8_999],
    ['not while one is under way', false, { everything: true, going: goingTo('site-2', 1) }, NOW + LINGER_MS],
    [
      'not while one waits',
      false,
      { waiting: waiters(1, { isTold: true }), going: goingTo('site-2', 5) },
      NOW + LINGER_MS,
    ],
    ['not in a pause', false, { everything: true, paused: true }, NOW + LINGER_MS],
  ])('%s', (_name, looks, plain, now) => {
    expect(drainStep(aDrain({ lanes: LANES, ...plain }), now).do === 'list').toBe(looks);
  });
});

describe('a drain ends', () => {
  const clear = { isClear: true };
  test.each<[string, boolean, Partial<DrainState>]>([
    ['when a look has found nobody who is not named', true, clear],
    ['not while somebody may be there that nobody has told', false, {}],
    [
      'not while there is more to read',
      false,
      { ...clear, everything: true, listing: aLook({ notBefore: NOW + 1 }) },
    ],
    ['not while one is under way', false, { ...clear, going: goingTo('site-2', 1) }],
    [
      'not while one waits',
      false,
      { ...clear, waiting: waiters(1, { isTold: true }), going: goingTo('site-2', 5) },
    ],
    ['not in a pause', false, { ...clear, paused: true }],
    [
      'when it is stopped, whoever waits and is under way',
      true,
      { stopped: true, waiting: waiters(1, { isTold: true }), going: goingTo('x', 5) },
    ],
    ['when it is stopped in a pause', true, { stopped: true, paused: true }],
  ])('%s', (_name, ends, plain) => {
    expect(drainStep(aDrain({ lanes: LANES, ...plain }), NOW + LINGER_MS).do === 'end').toBe(ends);
  });
});

describe('of thousands, a hundred are told at once', () => {
  const many = waiters(MOST_WAITING, { to: null });
  const wide = { width: 1000, perTarget: 1000, ratePerSecond: 500 };

  test('that may go', () => {
    expect(names(drainStep(aDrain({ lanes: wide, waiting: many }), NOW), 'go')).toHaveLength(100);
  });

  test('that must wait, and nobody whose turn comes with the next hundred', () => {
    const paused = drainStep(aDrain({ waiting: many, paused: true }), NOW);
    expect(names(paused, 'wait')).toHaveLength(100);
    const late = drainStep(aDrain({ lanes: { ...wide, width: 120 }, waiting: many }), NOW + ANSWER_MS);
    expect(names(late, 'go')).toHaveLength(100);
    expect(names(late, 'wait')).toEqual([]);
  });

  test('and all have been told once, whatever they are told', () => {
    let state = aDrain({ waiting: many, paused: true });
    for (let count = 0; count < MOST_WAITING / 100; count += 1) {
      const step = drainStep(state, NOW);
      if (step.do !== 'answer') throw new Error('some have still to be told');
      state = answeredTo(state, step, NOW);
    }
    expect(state.waiting.every(({ isTold }) => isTold)).toBe(true);
    expect(drainStep(state, NOW).do).toBe('rest');
  });
});
