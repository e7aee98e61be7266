// What an order does with the Drain object of its site: begin, adjust, plan, or end; and never twice.
import { accountOf, accountOfPlan } from '../../../workflows/drain/decide/account.ts';
import {
  adjusted,
  evacuation,
  orderedBy,
  orderStep,
  takenBack,
} from '../../../workflows/drain/decide/order-step.ts';
import { progressOf } from '../../../workflows/drain/decide/progress.ts';
import { LANES, readOrder, readTerms } from '../../../workflows/drain/input.ts';
import type { DrainAsked } from '../../../workflows/drain/object.ts';
import type { DrainStart, Order } from '../../../workflows/drain/state.ts';
import { aDrain, aWaiting, goingTo } from '../../support/builders/drain/drains.ts';
import { NOW } from '../../support/builders/states.ts';

const asks = (plain: Partial<DrainAsked> = {}): DrainAsked => ({
  uid: 'uid-1',
  generation: 1,
  dryRun: false,
  paused: false,
  lanes: LANES,
  isOver: false,
  ...plain,
});
const BY_HAND = readOrder({ cluster: 'site-1' }, NOW);
const UNREAD = readOrder({ cluster: 'site-1', drain: 'uid-1' }, NOW);
const BEGUN = orderedBy('site-1', asks(), NOW);

describe('an order that has read its Drain', () => {
  test.each<[string, Order, DrainAsked | null, object]>([
    ['started for a Drain begins the drain', UNREAD, asks(), { do: 'begin' }],
    [
      'started for a Drain that is gone ends, with nothing to stop',
      UNREAD,
      null,
      { do: 'stop', stops: false },
    ],
    ['begun for a Drain that is gone stops the drain', BEGUN, null, { do: 'stop', stops: true }],
    ['given by hand goes on without a Drain', BY_HAND, null, { do: 'goOn' }],
    ['given by hand is taken over by a Drain', BY_HAND, asks(), { do: 'begin' }],
    ['begun for a Drain that has not changed says nothing', BEGUN, asks(), { do: 'adjust', words: [] }],
    ['begun for a Drain begins again for another Drain', BEGUN, asks({ uid: 'uid-2' }), { do: 'begin' }],
    [
      'started for a Drain whose drain is over begins nothing and ends',
      UNREAD,
      asks({ isOver: true }),
      { do: 'note', ends: true },
    ],
    [
      'given by hand goes on beside a Drain whose drain is over',
      BY_HAND,
      asks({ isOver: true }),
      { do: 'note', ends: false },
    ],
    [
      'started for a dry run plans, stops nothing and ends',
      UNREAD,
      asks({ dryRun: true }),
      { do: 'plan', stops: false, ends: true },
    ],
    [
      'begun for a Drain that becomes a dry run stops the drain and plans',
      BEGUN,
      asks({ dryRun: true }),
      { do: 'plan', stops: true, ends: true },
    ],
    [
      'given by hand goes on beside a dry run',
      BY_HAND,
      asks({ dryRun: true }),
      { do: 'plan', stops: false, ends: false },
    ],
    [
      'plans again for a drain that is over, when a dry run is asked for',
      UNREAD,
      asks({ dryRun: true, isOver: true }),
      { do: 'plan', stops: false, ends: true },
    ],
  ])('%s', (_title, order, asked, expected) => {
    expect(orderStep(order, asked)).toEqual(expected);
  });

  test('tells the drain what has changed, and only that', () => {
    const wide = { ...LANES, width: 7 };
    expect(orderStep(BEGUN, asks({ lanes: wide }))).toEqual({
      do: 'adjust',
      words: [{ say: 'configure', lanes: wide }],
    });
    expect(orderStep(BEGUN, asks({ paused: true }))).toEqual({ do: 'adjust', words: [{ say: 'pause' }] });
    const paused = adjusted(BEGUN, asks({ paused: true, generation: 2 }));
    expect(orderStep(paused, asks({ paused: true, generation: 3 }))).toEqual({ do: 'adjust', words: [] });
    expect(orderStep(paused, asks())).toEqual({ do: 'adjust', words: [{ say: 'resume' }] });
  });

  test('begins with the lanes, the uid and the pause of its Drain', () => {
    const begun = { ...LANES, say: 'evacuate', order: NOW, drain: 'uid-1' };
    expect(evacuation(BEGUN)).toEqual({ ...begun, paused: false });
    expect(evacuation(orderedBy('site-1', asks({ paused: true }), NOW))).toMatchObject({ paused: true });
    expect(evacuation(BY_HAND)).toEqual({ say: 'evacuate', order: NOW });
  });

  test('that is taken back takes the next Drain for a new order', () => {
    expect(orderStep(takenBack(BEGUN), asks())).toEqual({ do: 'begin' });
    expect(orderStep(takenBack(BEGUN), null)).toEqual({ do: 'stop', stops: false });
  });
});

describe('an order keeps its Drain', () => {
  test('in a new run, so that the same Drain is not begun a second time', () => {
    const again = readOrder(JSON.parse(JSON.stringify(BEGUN)) as Order, NOW + 1);
    expect(again).toEqual(BEGUN);
    expect(orderStep(again, asks())).toEqual({ do: 'adjust', words: [] });
  });

  test.each([{ uid: 7, generation: 1, paused: false }, { uid: 'uid-1' }, 'uid-1', null])(
    'but not what is none: %j',
    (object) => {
      expect(readOrder({ cluster: 'site-1', object } as unknown as DrainStart, NOW)).toEqual(BY_HAND);
    },
  );

  test('and the drain hears only of a pause and a uid that are such', () => {
    expect(readTerms({ paused: true, drain: 'uid-1' })).toEqual({ paused: true, drain: 'uid-1' });
    expect(readTerms({ paused: false, drain: 7 })).toEqual({ paused: false });
    for (const given of [undefined, null, {}, { paused: 'yes', drain: '' }])
      expect(readTerms(given)).toEqual({});
  });
});

const aCrowd = (count: number) => Array.from({ length: count }, (_, index) => aWaiting(`c${index}`));

describe('the account of a drain', () => {
  test('counts who waits, is on the way, moved and stays', () => {
    const state = aDrain({
      waiting: [aWaiting('a'), aWaiting('b', { to: null })],
      going: { ...goingTo('site-2', 3), ...goingTo('site-3', 1) },
      moved: 5,
      stays: { 'apps/x': 'Pinned', 'apps/y': 'CoolDown until 2026-03-01T12:10:00Z' },
    });
    expect(accountOf(progressOf(state))).toEqual({
      countedSince: '2026-03-01T12:00:00Z',
      waiting: 2,
      underWay: 4,
      moved: 5,
      targets: { 'site-2': 3, 'site-3': 1 },
      going: [
        ...[0, 1, 2].map((index) => ({ capp: `apps/site-2-${index}`, to: 'site-2' })),
        { capp: 'apps/site-3-0', to: 'site-3' },
        { capp: 'apps/a', to: 'site-2' },
        { capp: 'apps/b', to: null },
      ],
      stayed: { Pinned: 1, CoolDown: 1 },
      named: expect.arrayContaining([{ capp: 'apps/x', why: 'Pinned' }]),
    });
  });

  test('names fifty that go, however many there are', () => {
    const state = aDrain({ going: goingTo('site-2', 30), waiting: aCrowd(60) });
    const { going, underWay, waiting } = accountOf(progressOf(state));
    expect({ underWay, waiting, named: going.length }).toEqual({ underWay: 30, waiting: 60, named: 50 });
    expect(going[30]).toEqual({ capp: 'apps/c0', to: 'site-2' });
  });

  test('of a plan says who would go where, and names fifty that would stay, the rare reasons first', () => {
    const many = Array.from({ length: 70 }, (_, index) => `apps/m${index}`);
    const plan = accountOfPlan({
      moves: { 'site-2': 4, 'site-3': 2 },
      first: [{ capp: 'apps/a', to: 'site-3' }],
      stays: [
        { reason: 'Manual', count: 70, message: '', names: many },
        { reason: 'Pinned', count: 1, message: '', names: ['apps/odd'] },
      ],
    });
    expect(plan).toMatchObject({ waiting: 6, underWay: 0, moved: 0, stayed: { Manual: 70, Pinned: 1 } });
    expect(plan.going).toEqual([{ capp: 'apps/a', to: 'site-3' }]);
    expect(plan.named).toHaveLength(50);
    expect(plan.named[0]).toEqual({ capp: 'apps/odd', why: 'Pinned' });
  });
});
