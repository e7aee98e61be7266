// What a look through a cluster makes of its drain: who is told, who is named, and when there is nobody else.
import { withTurnRequest, settled } from '../../../workflows/drain/decide/transitions.ts';
import { progressOf } from '../../../workflows/drain/decide/progress.ts';
import { drainStep } from '../../../workflows/drain/decide/step.ts';
import { begunByPerson, listed, looking, unlisted } from '../../../workflows/drain/decide/looked.ts';
import type { DrainState } from '../../../workflows/drain/state.ts';
import type { Settled } from '../../../workflows/types/turns.ts';
import { aDrain, aLook, aResident, aWaiting, aWish, goingTo } from '../../support/builders/drains.ts';
import { NOW } from '../../support/builders/states.ts';

const order = ({ waiting }: DrainState) => waiting.map(({ capp }) => capp.slice('apps/'.length));
const going = (plain: object) => ({ to: 'site-2', since: NOW, isAsked: true, ...plain });
const ended = (name: string, outcome: Settled['outcome'], reason = 'Tainted'): Settled => ({
  namespace: 'apps',
  name,
  outcome,
  to: 'site-2',
  reason,
});

describe('a look', () => {
  const start = begunByPerson(aDrain());
  const last = (state: DrainState, ...capps: ReturnType<typeof aResident>[]) =>
    listed(state, { capps, isLast: true }, NOW);

  test('lets those wait that have not asked, in order, and says where the next page begins', () => {
    const page = { capps: [aResident('a', { priority: 2 }), aResident('b'), aResident('c')], isLast: false };
    const state = listed(
      { ...start, waiting: [aWaiting('b')], going: { 'apps/c': going({ to: null }) } },
      page,
      NOW,
    );
    expect(state.waiting).toEqual([aWaiting('a', { priority: 2, askedAt: null }), aWaiting('b')]);
    expect(state.listing).toMatchObject({
      after: { namespace: 'apps', name: 'c', priority: 0 },
      notBefore: 0,
    });
  });

  test('names those that are not to be told, and why', () => {
    const state = last(
      start,
      aResident('a', { why: 'Paused' }),
      aResident('b', { why: 'CoolDown until 2026-03-01T12:05:00Z' }),
    );
    expect(state).toMatchObject({ waiting: [], listing: null, isClear: true });
    expect(progressOf(state)).toMatchObject({
      stayed: { Paused: 1, CoolDown: 1 },
      named: expect.arrayContaining([{ capp: 'apps/b', why: 'CoolDown until 2026-03-01T12:05:00Z' }]),
    });
  });

  test('that found somebody to tell is followed by another, which may begin after a pause', () => {
    const state = last(start, aResident('a'));
    expect(state).toMatchObject({ isClear: false, listing: null });
    const moved = settled(
      { ...state, waiting: [], going: { 'apps/a': going({ isAsked: false }) } },
      ended('a', 'Moved'),
      NOW,
    );
    expect(drainStep(moved, NOW)).toEqual({ do: 'rest', until: NOW + 2_000 });
    expect(drainStep(moved, NOW + 2_000)).toEqual({ do: 'list' });
    expect(drainStep(last(moved), NOW + 2_000)).toEqual({ do: 'end' });
  });

  test('tells one that came since, and nobody who has answered', () => {
    const before = { ...start, listing: null, stays: { 'apps/a': 'Pinned', 'apps/b': 'Failed' } };
    const state = last(before, aResident('a'), aResident('b'), aResident('late'));
    expect(order(state)).toEqual(['late']);
    expect(state).toMatchObject({ isClear: false, stays: { 'apps/a': 'Pinned', 'apps/b': 'Failed' } });
  });

  test('forgets those that are not there any more', () => {
    const before = {
      ...start,
      listing: null,
      stays: { 'apps/a': 'Pinned', 'apps/b': 'Gone', 'apps/c': 'Overdue' },
    };
    expect(last(before, aResident('a'))).toMatchObject({ isClear: true, stays: { 'apps/a': 'Pinned' } });
    expect(Object.keys(last(before, aResident('a')).stays)).toEqual(['apps/a']);
  });

  test('tells one that was frozen and is not any more', () => {
    const before = { ...start, listing: null, stays: { 'apps/a': 'Paused' } };
    expect(order(last(before, aResident('a')))).toEqual(['a']);
  });

  test('in a drain that Capps began tells nobody, names all, and the drain is over', () => {
    const state = last(
      looking(aDrain()),
      aResident('a', { why: 'NotMoving' }),
      aResident('b', { why: 'Manual' }),
    );
    expect(state).toMatchObject({
      waiting: [],
      isClear: true,
      stays: { 'apps/a': 'NotMoving', 'apps/b': 'Manual' },
    });
    expect(drainStep(state, NOW)).toEqual({ do: 'end' });
  });

  test('that found somebody under way is followed by another', () => {
    expect(last({ ...start, going: goingTo('site-2', 1) }, aResident('site-2-0'))).toMatchObject({
      isClear: false,
    });
  });

  test('waits two minutes for those that will be gone by themselves, and then names them', () => {
    let state = last(start, aResident('a', { why: 'StillLeaving' }));
    expect(state).toMatchObject({
      isClear: false,
      patience: NOW + 120_000,
      stays: { 'apps/a': 'StillLeaving' },
    });
    state = listed(state, { capps: [aResident('a', { why: 'StillLeaving' })], isLast: true }, NOW + 119_999);
    expect(state).toMatchObject({ isClear: false, patience: NOW + 120_000 });
    state = listed(state, { capps: [aResident('a', { why: 'StillLeaving' })], isLast: true }, NOW + 120_000);
    expect(state).toMatchObject({ isClear: true, stays: { 'apps/a': 'StillLeaving' } });
  });

  test('follows the last after twice as long each time, a minute at most', () => {
    let state: DrainState = start;
    const pauses = [1, 2, 3, 4, 5, 6, 7].map(() => {
      state = last(looking(state), aResident('a', { why: 'StillLeaving' }));
      return state.lookAt - NOW;
    });
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  test('that cannot be read is tried again after a pause', () => {
    const state = unlisted(start, NOW);
    expect(drainStep(state, NOW).do).toBe('rest');
    expect(drainStep(state, NOW + 5_000).do).toBe('list');
  });

  test('that was clear is not, once a Capp asks', () => {
    expect(withTurnRequest({ ...aDrain(), isClear: true }, aWish('a'), NOW)).toMatchObject({
      isClear: false,
    });
  });
});

describe('a person who wants everything off', () => {
  test('is heard by a drain that Capps began: those who stayed are told as well', () => {
    const state = begunByPerson(aDrain({ stays: { 'apps/a': 'NotMoving' }, isClear: true, moved: 3 }));
    expect(state).toMatchObject({
      everything: true,
      isClear: false,
      moved: 3,
      stays: {},
      listing: { isFirst: true },
    });
    expect(drainStep(state, NOW)).toEqual({ do: 'list' });
  });

  test('and says so twice changes nothing', () => {
    const once = begunByPerson(aDrain());
    expect(begunByPerson(once)).toBe(once);
  });

  test('after a stop begins anew', () => {
    expect(begunByPerson(aDrain({ everything: true, stopped: true }))).toMatchObject({
      stopped: false,
      listing: { isFirst: true },
    });
  });

  test.each<[string, Settled['outcome']]>([
    ['stays', 'Stayed'],
    ['fails', 'Failed'],
    ['is called back', 'Cancelled'],
  ])(
    'has no answer yet from one that went of its own accord and %s: the next look tells it to leave',
    (_name, outcome) => {
      const before = { ...begunByPerson(aDrain()), listing: null, going: { 'apps/a': going({}) } };
      const state = settled(before, ended('a', outcome), NOW);
      expect(state).toMatchObject({ going: {}, stays: {} });
      expect(order(listed(state, { capps: [aResident('a')], isLast: true }, NOW))).toEqual(['a']);
    },
  );

  test('has the answer of one that was told, and does not tell it again', () => {
    const before = {
      ...begunByPerson(aDrain()),
      listing: null,
      going: { 'apps/a': going({ isAsked: false }) },
    };
    const state = listed(
      settled(before, ended('a', 'Failed'), NOW),
      { capps: [aResident('a')], isLast: true },
      NOW,
    );
    expect(state).toMatchObject({ waiting: [], isClear: true, stays: { 'apps/a': 'Failed' } });
  });
});

test('what is remembered stays small, however many Capps stay for however many reasons', () => {
  const stays = Object.fromEntries(
    Array.from({ length: 4_950 }, (_, index) => [`apps/one-${index}`, 'Pinned']),
  );
  let state = aDrain({ stays });
  for (let index = 0; index < 150; index += 1)
    state = settled(state, ended(`app-${index}`, 'Stayed', `Reason${'x'.repeat(index)}`), NOW);
  const { stayed, named } = progressOf(state);
  expect(Object.values(stayed).reduce((sum, count) => sum + count)).toBe(5_100);
  expect(Object.keys(stayed)).toHaveLength(20);
  expect(named).toHaveLength(50);
  expect(JSON.stringify(state).length).toBeLessThan(500_000);
  expect(JSON.stringify(progressOf(state)).length).toBeLessThan(10_000);
  const later = listed(
    looking({ ...state, everything: true }),
    { capps: [aResident('new')], isLast: true },
    NOW,
  );
  expect(later.waiting).toHaveLength(1);
});

test('those that are too many to be remembered are counted, and told once', () => {
  const stays = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [`apps/app-${index}`, 'Pinned']),
  );
  const capps = Array.from({ length: 5_001 }, (_, index) => aResident(`app-${index}`));
  const state = listed(
    { ...begunByPerson(aDrain()), listing: aLook({ before: stays }) },
    { capps, isLast: true },
    NOW,
  );
  expect(state).toMatchObject({ waiting: [], unnamed: 1, isClear: true });
  expect(progressOf(state).stayed).toEqual({ Pinned: 5_000, Other: 1 });
});
