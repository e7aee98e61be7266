// What a listing of the cluster's Capps changes in a drain: who is told to leave, who is reported, and when
// the cluster is clear.
import { withTurnRequest, settled } from '../../../workflows/drain/decide/transitions.ts';
import { progressOf } from '../../../workflows/drain/decide/progress.ts';
import { drainStep } from '../../../workflows/drain/decide/step.ts';
import { begunByPerson, listed, looking, unlisted } from '../../../workflows/drain/decide/looked.ts';
import type { DrainState } from '../../../workflows/drain/state.ts';
import type { Settled } from '../../../workflows/types/turns.ts';
import { aDrain, aLook, aResident, aWaiting, aWish, goingTo } from '../../support/builders/drain/drains.ts';
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

describe('a listing', () => {
  const start = begunByPerson(aDrain());
  const last = (state: DrainState, ...capps: ReturnType<typeof aResident>[]) =>
    listed(state, { capps, isLast: true }, NOW);

  test('queues the Capps that have not asked, in order, and records where the next page begins', () => {
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

  test('reports the Capps that are not told to leave, with the reason', () => {
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

  test('that found a Capp to tell is followed by another after two seconds', () => {
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

  test('queues a Capp that arrived since, and none that has answered', () => {
    const before = { ...start, listing: null, stays: { 'apps/a': 'Pinned', 'apps/b': 'Failed' } };
    const state = last(before, aResident('a'), aResident('b'), aResident('late'));
    expect(order(state)).toEqual(['late']);
    expect(state).toMatchObject({ isClear: false, stays: { 'apps/a': 'Pinned', 'apps/b': 'Failed' } });
  });

  test('tells a Capp again that was refused while a site removed its earlier copy', () => {
    const before = { ...start, listing: null, stays: { 'apps/a': 'StillLeaving' } };
    const state = last(before, aResident('a', { to: 'site-1' }));
    expect(order(state)).toEqual(['a']);
    expect(state).toMatchObject({ isClear: false, stays: {} });
  });

  test('drops reported Capps that are no longer on the cluster', () => {
    const before = {
      ...start,
      listing: null,
      stays: { 'apps/a': 'Pinned', 'apps/b': 'Gone', 'apps/c': 'Overdue' },
    };
    expect(last(before, aResident('a'))).toMatchObject({ isClear: true, stays: { 'apps/a': 'Pinned' } });
    expect(Object.keys(last(before, aResident('a')).stays)).toEqual(['apps/a']);
  });

  test('queues a Capp that was paused before and no longer is', () => {
    const before = { ...start, listing: null, stays: { 'apps/a': 'Paused' } };
    expect(order(last(before, aResident('a')))).toEqual(['a']);
  });

  test('in a drain that nobody ordered tells no Capp, reports all, and ends the drain', () => {
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

  test('that found a moving Capp is followed by another', () => {
    expect(last({ ...start, going: goingTo('site-2', 1) }, aResident('site-2-0'))).toMatchObject({
      isClear: false,
    });
  });

  test('waits two minutes for works that are being deleted, and then reports their Capps', () => {
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

  test('follows the previous one with exponential backoff of at most a minute', () => {
    let state: DrainState = start;
    const pauses = [1, 2, 3, 4, 5, 6, 7].map(() => {
      state = last(looking(state), aResident('a', { why: 'StillLeaving' }));
      return state.lookAt - NOW;
    });
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  test('that fails is retried after five seconds', () => {
    const state = unlisted(start, NOW);
    expect(drainStep(state, NOW).do).toBe('rest');
    expect(drainStep(state, NOW + 5_000).do).toBe('list');
  });

  test('that found the cluster clear no longer counts once a Capp asks for a turn', () => {
    expect(withTurnRequest({ ...aDrain(), isClear: true }, aWish('a'), NOW)).toMatchObject({
      isClear: false,
    });
  });
});

describe('an order to empty the site', () => {
  test('makes a drain that Capps began tell the Capps that stayed too', () => {
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

  test('that comes twice changes nothing', () => {
    const once = begunByPerson(aDrain());
    expect(begunByPerson(once)).toBe(once);
  });

  test('after a stop starts the drain again', () => {
    expect(begunByPerson(aDrain({ everything: true, stopped: true }))).toMatchObject({
      stopped: false,
      listing: { isFirst: true },
    });
  });

  test.each<[string, Settled['outcome']]>([
    ['stays', 'Stayed'],
    ['fails', 'Failed'],
    ['is cancelled', 'Cancelled'],
  ])(
    'makes the next listing tell a Capp to leave that asked for its turn itself and %s',
    (_name, outcome) => {
      const before = { ...begunByPerson(aDrain()), listing: null, going: { 'apps/a': going({}) } };
      const state = settled(before, ended('a', outcome), NOW);
      expect(state).toMatchObject({ going: {}, stays: {} });
      expect(order(listed(state, { capps: [aResident('a')], isLast: true }, NOW))).toEqual(['a']);
    },
  );

  test('does not tell a Capp again that was told and failed', () => {
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

test('the state and the report stay small, however many Capps stay and for however many reasons', () => {
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

test('Capps beyond the most that are remembered by name are counted, and not told again', () => {
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
