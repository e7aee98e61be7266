// What a drain remembers: which Capps asked and in which order, which are moving, which have moved, and which
// stayed and why.
import {
  answeredTo,
  withTurnRequest,
  settled,
  unanswered,
  vanished,
  withoutOverdue,
} from '../../../workflows/drain/decide/transitions.ts';
import { drainStep, LANE_MS, MOST_WAITING } from '../../../workflows/drain/decide/step.ts';
import type { DrainState } from '../../../workflows/drain/state.ts';
import type { Settled } from '../../../workflows/types/turns.ts';
import { aDrain, aWaiting, aWish, goingTo } from '../../support/builders/drain/drains.ts';
import { NOW } from '../../support/builders/states.ts';

const order = ({ waiting }: DrainState) => waiting.map(({ capp }) => capp.slice('apps/'.length));
const ended = (name: string, outcome: Settled['outcome'], reason = 'Tainted'): Settled => ({
  namespace: 'apps',
  name,
  outcome,
  to: 'site-2',
  reason,
});
const going = (plain: object) => ({ to: 'site-2', since: NOW, isAsked: true, ...plain });

describe('a turn request', () => {
  test('is queued by priority, and behind earlier requests of the same priority', () => {
    const wishes = [
      aWish('a'),
      aWish('b', { priority: 5 }),
      aWish('c'),
      aWish('d', { priority: 5 }),
      aWish('e', { priority: -1 }),
    ];
    expect(order(wishes.reduce((state, wish) => withTurnRequest(state, wish, NOW), aDrain()))).toEqual([
      'b',
      'd',
      'a',
      'c',
      'e',
    ]);
  });

  test('that comes twice keeps its place, has the newest target, and is answered again', () => {
    const before = aDrain({ waiting: [aWaiting('a', { isTold: true }), aWaiting('b')] });
    const state = withTurnRequest(before, aWish('a', { to: 'site-3' }), NOW + 1);
    expect(state.waiting[0]).toEqual(aWaiting('a', { to: 'site-3', askedAt: NOW + 1, isTold: false }));
    expect(order(state)).toEqual(['a', 'b']);
  });

  test('with a higher priority than before moves to the front', () => {
    const before = aDrain({ waiting: [aWaiting('a'), aWaiting('b')] });
    expect(order(withTurnRequest(before, aWish('b', { priority: 1 }), NOW))).toEqual(['b', 'a']);
  });

  test('of a Capp that had its turn frees the lane and is queued again', () => {
    const state = withTurnRequest(aDrain({ going: { 'apps/a': going({}) } }), aWish('a'), NOW);
    expect(state).toMatchObject({ going: {}, waiting: [{ capp: 'apps/a' }] });
  });

  test('of a Capp that a listing found replaces the listed entry, and is answered by a permit', () => {
    const state = withTurnRequest(aDrain({ waiting: [aWaiting('a', { askedAt: null })] }), aWish('a'), NOW);
    expect(state.waiting).toEqual([aWaiting('a')]);
  });
});

describe('an answer', () => {
  test('gives lanes to the Capps that go, and counts them in the current second', () => {
    const before = aDrain({
      waiting: [aWaiting('a'), aWaiting('b'), aWaiting('c')],
      second: { since: NOW - 500, count: 4 },
    });
    const [a, b] = before.waiting;
    if (a === undefined || b === undefined) throw new Error('two wait');
    const state = answeredTo(before, { do: 'answer', go: [a], wait: [b] }, NOW);
    expect(state.going).toEqual({ 'apps/a': going({}) });
    expect(state.waiting).toEqual([aWaiting('b', { isTold: true }), aWaiting('c')]);
    expect(state.second).toEqual({ since: NOW - 500, count: 5 });
    expect(answeredTo(before, { do: 'answer', go: [a], wait: [] }, NOW + 500).second).toEqual({
      since: NOW + 500,
      count: 1,
    });
  });

  test('that reached no Capp restores the queue, except for Capps that have settled meanwhile', () => {
    const before = aDrain({ waiting: [aWaiting('a'), aWaiting('b'), aWaiting('c')] });
    const [a, b, c] = before.waiting;
    if (a === undefined || b === undefined || c === undefined) throw new Error('three wait');
    const step = { do: 'answer' as const, go: [a, b], wait: [c] };
    const state = settled(answeredTo(before, step, NOW), ended('b', 'Stayed', 'NotMoving'), NOW);
    expect(unanswered(state, step, ['apps/a', 'apps/b', 'apps/c'])).toMatchObject({
      going: {},
      waiting: [a, c],
    });
  });

  test('drops the Capps beyond the most that it remembers', () => {
    const waiting = Array.from({ length: MOST_WAITING + 2 }, (_, index) =>
      aWaiting(`app-${index}`, { isTold: true }),
    );
    const before = aDrain({ waiting, going: goingTo('site-2', 50) });
    const step = drainStep(before, NOW);
    if (step.do !== 'answer') throw new Error('some are told to wait');
    const state = answeredTo(before, step, NOW);
    expect(state.waiting).toHaveLength(MOST_WAITING);
    expect(drainStep(state, NOW).do).toBe('rest');
  });
});

describe('a Capp that settles', () => {
  const before = aDrain({ going: { 'apps/a': going({}), 'apps/b': going({}) } });

  test.each<[string, Settled, Partial<DrainState>]>([
    ['because it has moved frees its lane and is counted', ended('a', 'Moved'), { moved: 1, stays: {} }],
    [
      'because its move failed frees its lane and is reported',
      ended('a', 'Failed'),
      { moved: 0, stays: { 'apps/a': 'Failed' } },
    ],
    [
      'because its move was cancelled frees its lane and is reported',
      ended('a', 'Cancelled'),
      { stays: { 'apps/a': 'Cancelled' } },
    ],
    [
      'because it stays frees its lane and is reported with the reason',
      ended('a', 'Stayed', 'Pinned'),
      { stays: { 'apps/a': 'Pinned' } },
    ],
  ])('%s', (_name, news, expected) => {
    const state = settled(before, news, NOW + 1);
    expect(state).toMatchObject({ ...expected, heardAt: NOW + 1 });
    expect(Object.keys(state.going)).toEqual(['apps/b']);
  });

  test('before its turn leaves the queue', () => {
    const state = settled(
      aDrain({ waiting: [aWaiting('a'), aWaiting('b')] }),
      ended('a', 'Stayed', 'NotMoving'),
      NOW,
    );
    expect(order(state)).toEqual(['b']);
  });

  test('after it moved without a turn is counted too', () => {
    expect(settled(aDrain(), ended('a', 'Moved'), NOW).moved).toBe(1);
  });

  test('that reports twice is counted once, and again when it has come back and moved again', () => {
    const once = settled(before, ended('a', 'Moved'), NOW);
    const twice = settled(once, ended('a', 'Moved'), NOW + 1);
    expect(twice).toMatchObject({ moved: 1, heardAt: NOW + 1 });
    const back = [
      withTurnRequest(twice, aWish('a'), NOW),
      { ...twice, going: { 'apps/a': going({}) } },
      withoutOverdue({ ...twice, going: { 'apps/a': going({ isAsked: false }) } }, NOW + LANE_MS),
    ];
    for (const state of back)
      expect(settled(state, ended('a', 'Moved'), NOW)).toMatchObject({ moved: 2, stays: {} });
  });

  test('is remembered as counted while a hundred others are', () => {
    let state = aDrain();
    for (let index = 0; index < 101; index += 1) state = settled(state, ended(`app-${index}`, 'Moved'), NOW);
    expect(state.counted).toHaveLength(100);
    expect(settled(state, ended('app-1', 'Moved'), NOW).moved).toBe(101);
  });

  test('after a second try is counted once', () => {
    const failed = settled(before, ended('a', 'Failed'), NOW);
    expect(settled(failed, ended('a', 'Moved'), NOW)).toMatchObject({ moved: 1, stays: {} });
    expect(settled(failed, ended('a', 'Failed'), NOW)).toMatchObject({ stays: { 'apps/a': 'Failed' } });
  });
});

describe('a drain frees the lane of', () => {
  test('a Capp whose workflow no longer runs', () => {
    expect(vanished(aDrain({ going: goingTo('x', 1) }), 'apps/x-0', NOW)).toMatchObject({
      going: {},
      stays: { 'apps/x-0': 'Gone' },
    });
  });

  test('no Capp that has settled meanwhile', () => {
    const state = settled(aDrain({ going: { 'apps/a': going({}) } }), ended('a', 'Moved'), NOW);
    expect(vanished(state, 'apps/a', NOW + 1)).toBe(state);
  });

  test('a Capp without news after a while, which still counts when its news comes', () => {
    const before = aDrain({ going: { 'apps/a': going({}), 'apps/b': going({ since: NOW + 1 }) } });
    expect(withoutOverdue(before, NOW + LANE_MS - 1)).toBe(before);
    const state = withoutOverdue(before, NOW + LANE_MS);
    expect(state).toMatchObject({ going: { 'apps/b': {} }, stays: { 'apps/a': 'Overdue' } });
    expect(Object.keys(state.going)).toEqual(['apps/b']);
    expect(settled(state, ended('a', 'Moved'), NOW)).toMatchObject({ moved: 1, stays: {} });
  });
});

describe('when signals to some Capps fail', () => {
  const before = aDrain({ waiting: [aWaiting('a'), aWaiting('b'), aWaiting('c'), aWaiting('d')] });
  const [a, b, c, d] = before.waiting;
  if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('four wait');
  const step = { do: 'answer' as const, go: [a, b], wait: [c, d] };

  test('only these are told again', () => {
    const state = unanswered(answeredTo(before, step, NOW), step, ['apps/b', 'apps/d']);
    expect(Object.keys(state.going)).toEqual(['apps/a']);
    expect(state.waiting).toEqual([b, { ...c, isTold: true }, d]);
    expect(drainStep(state, NOW)).toEqual({ do: 'answer', go: [b, { ...c, isTold: true }, d], wait: [] });
  });

  test('nothing changes if the list of failures is empty', () => {
    const state = answeredTo(before, step, NOW);
    expect(unanswered(state, step, [])).toEqual(state);
  });
});
