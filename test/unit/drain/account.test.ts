// What the status of a Drain says of a drain, and of a plan.
import { accountOf, accountOfPlan } from '../../../workflows/drain/decide/account.ts';
import { progressOf } from '../../../workflows/drain/decide/progress.ts';
import { aDrain, aWaiting, goingTo } from '../../support/builders/drain/drains.ts';

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
        { reason: 'Pinned', count: 1, message: 'spec.site names it.', names: ['apps/odd'] },
      ],
    });
    expect(plan).toMatchObject({ waiting: 6, underWay: 0, moved: 0, stayed: { Manual: 70, Pinned: 1 } });
    expect(plan.going).toEqual([{ capp: 'apps/a', to: 'site-3' }]);
    expect(plan.messages).toEqual({ Manual: '', Pinned: 'spec.site names it.' });
    expect(plan.named).toHaveLength(50);
    expect(plan.named[0]).toEqual({ capp: 'apps/odd', why: 'Pinned' });
  });
});
