// Which Capps a drain lets go, which it tells to wait, and how long it rests.
import {
  drainStep,
  LANE_MS,
  LINGER_MS,
  MOST_WAITING,
  type DrainStep,
} from '../../../workflows/drain/decide/step.ts';
import { answeredTo } from '../../../workflows/drain/decide/transitions.ts';
import type { DrainState, Lanes } from '../../../workflows/drain/state.ts';
import { aDrain, aLook, aWaiting, goingTo } from '../../support/builders/drain/drains.ts';
import { NOW } from '../../support/builders/states.ts';

const LANES: Lanes = { width: 10, perTarget: 5, ratePerSecond: 100 };
const ANSWER_MS = 10_000;
const waiters = (count: number, plain = {}) =>
  Array.from({ length: count }, (_, index) => aWaiting(`app-${index}`, plain));
const names = (step: DrainStep, which: 'go' | 'wait') =>
  step.do === 'answer' ? step[which].map(({ capp }) => capp) : [];

describe('a drain lets', () => {
  test.each<[string, number, Partial<DrainState>]>([
    ['all waiting Capps go when there are free lanes', 3, { waiting: waiters(3) }],
    ['no more Capps go than its width', 10, { waiting: waiters(30, { to: null }) }],
    [
      'fewer Capps go while others are moving',
      6,
      { waiting: waiters(30, { to: null }), going: goingTo('site-9', 4) },
    ],
    ['no Capp go while all lanes are taken', 0, { waiting: waiters(3), going: goingTo('site-9', 10) }],
    [
      'no Capp go while more Capps are moving than a reduced width allows',
      0,
      { waiting: waiters(3), going: goingTo('site-9', 12) },
    ],
    ['no more Capps go to one target than perTarget', 5, { waiting: waiters(30) }],
    [
      'fewer Capps go to a target while others are moving there',
      2,
      { waiting: waiters(30), going: goingTo('site-2', 3) },
    ],
    [
      'later Capps go past those whose target is busy',
      2,
      { waiting: [...waiters(9), ...waiters(2, { to: 'site-3' })], going: goingTo('site-2', 5) },
    ],
    [
      'no more Capps go than ratePerSecond within one second',
      7,
      { waiting: waiters(30, { to: null }), second: { since: NOW - 999, count: 93 } },
    ],
    [
      'Capps go again when that second is over',
      10,
      { waiting: waiters(30, { to: null }), second: { since: NOW - 1000, count: 100 } },
    ],
    ['no Capp go while it is paused', 0, { waiting: waiters(3), paused: true }],
    ['no Capp go when it is stopped', 0, { waiting: waiters(3), stopped: true }],
  ])('%s', (_name, count, plain) => {
    expect(names(drainStep(aDrain({ lanes: LANES, ...plain }), NOW), 'go')).toHaveLength(count);
  });

  test('Capps go in their order', () => {
    const waiting = [aWaiting('urgent', { priority: 9 }), aWaiting('early'), aWaiting('late')];
    const step = drainStep(aDrain({ waiting, lanes: { ...LANES, width: 2 } }), NOW);
    expect(names(step, 'go')).toEqual(['apps/urgent', 'apps/early']);
  });
});

describe('a drain tells to wait', () => {
  const full = { lanes: LANES, going: goingTo('site-9', 10) };
  const late = NOW + ANSWER_MS;
  test.each<[string, string[], Partial<DrainState>, number]>([
    ['no Capp whose turn may still come before it moves without one', [], { waiting: waiters(2) }, NOW],
    [
      'the Capps that would soon move without a turn',
      ['apps/app-0', 'apps/app-1'],
      { waiting: waiters(2) },
      late,
    ],
    ['no Capp that was told already', [], { waiting: waiters(2, { isTold: true }) }, late],
    ['no Capp that has not asked for a turn', [], { waiting: waiters(2, { askedAt: null }) }, late],
    [
      'all Capps at once while it is paused',
      ['apps/app-0', 'apps/app-1'],
      { waiting: waiters(2), paused: true },
      NOW,
    ],
    [
      'all Capps before it stops, so that they do not move without a turn',
      ['apps/app-0', 'apps/app-1'],
      { waiting: waiters(2), stopped: true },
      NOW,
    ],
    [
      'the Capps beyond the most that it remembers',
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
    [
      'until a Capp that asked would move without a turn',
      NOW + ANSWER_MS,
      { waiting: waiters(1), going: full },
    ],
    [
      'until a lane is freed for lack of news',
      NOW + LANE_MS,
      { waiting: waiters(1, { isTold: true }), going: full },
    ],
    [
      'until the second is over',
      NOW + 600,
      { waiting: waiters(1), second: { since: NOW - 400, count: 100 } },
    ],
    ['a while after the last news', NOW + LINGER_MS, {}],
    ['until the next page may be read', NOW + 5, { listing: aLook({ notBefore: NOW + 5 }) }],
    ['without a timer while it is paused', null, { paused: true, listing: aLook() }],
  ])('%s', (_name, until, plain) => {
    expect(drainStep(aDrain({ lanes: LANES, ...plain }), NOW)).toEqual({ do: 'rest', until });
  });

  test('until a lane is freed, not each second, while the only target is busy', () => {
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

describe('a drain reads the next page', () => {
  const listing = aLook({ notBefore: NOW });
  test.each<[string, string, Partial<DrainState>]>([
    ['when few Capps wait', 'list', { listing, waiting: waiters(49, { askedAt: null }) }],
    ['not while enough Capps wait', 'rest', { listing, waiting: waiters(50, { askedAt: null }) }],
    [
      'not before it has let waiting Capps go',
      'answer',
      { listing, going: {}, waiting: waiters(1, { askedAt: null }) },
    ],
  ])('%s', (_name, what, plain) => {
    expect(drainStep(aDrain({ lanes: LANES, going: goingTo('site-9', 10), ...plain }), NOW).do).toBe(what);
  });
});

describe("a drain lists the cluster's Capps before it ends", () => {
  test.each<[string, boolean, Partial<DrainState>, number]>([
    ['not before it has had no news for a while', false, {}, NOW + LINGER_MS - 1],
    ['when it has had no news for a while', true, {}, NOW + LINGER_MS],
    ['after two seconds when a person ordered the drain', true, { everything: true }, NOW + 2_000],
    ['not before the caches can show the last move', false, { everything: true }, NOW + 1_999],
    ['not before the next listing may begin', false, { everything: true, lookAt: NOW + 9_000 }, NOW + 8_999],
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
    ['when a listing found no Capp other than those in the report', true, clear],
    ['not while there may be a Capp that was not told', false, {}],
    [
      'not while there are more pages to read',
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
      'when it is stopped, even while Capps wait and move',
      true,
      { stopped: true, waiting: waiters(1, { isTold: true }), going: goingTo('x', 5) },
    ],
    ['when it is stopped while it is paused', true, { stopped: true, paused: true }],
  ])('%s', (_name, ends, plain) => {
    expect(drainStep(aDrain({ lanes: LANES, ...plain }), NOW + LINGER_MS).do === 'end').toBe(ends);
  });
});

describe('of thousands of Capps a drain tells a hundred at once', () => {
  const many = waiters(MOST_WAITING, { to: null });
  const wide = { width: 1000, perTarget: 1000, ratePerSecond: 500 };

  test('that they may go', () => {
    expect(names(drainStep(aDrain({ lanes: wide, waiting: many }), NOW), 'go')).toHaveLength(100);
  });

  test('that they must wait, but none whose turn comes with the next hundred', () => {
    const paused = drainStep(aDrain({ waiting: many, paused: true }), NOW);
    expect(names(paused, 'wait')).toHaveLength(100);
    const late = drainStep(aDrain({ lanes: { ...wide, width: 120 }, waiting: many }), NOW + ANSWER_MS);
    expect(names(late, 'go')).toHaveLength(100);
    expect(names(late, 'wait')).toEqual([]);
  });

  test('and tells each exactly once', () => {
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
