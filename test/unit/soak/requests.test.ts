import { failures, type CutOff } from '../../soak/storm/check/requests.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const failed = { app: 'shop/app', site: 'site-1', from: noon, to: noon + 40, why: '503: no Pod' };
const cut = (from: number, to: number, more: Partial<CutOff> = {}): CutOff => ({
  site: 'site-1',
  from: noon + from,
  to: noon + to,
  ...more,
});
const movable = (): boolean => true;
const pinned = (): boolean => false;

test('a failure that nothing excuses is told', () => {
  expect(failures([failed], [], movable)).toEqual([
    '12:00:00.000: a request to shop/app on site-1 failed after 40 ms: 503: no Pod.',
  ]);
});

test.each([
  ['while its site was cut off', cut(-1_000, 1_000), 0],
  ['that was under way when its site was cut off', cut(40, 90), 0],
  ['a moment after its site is back', cut(-9_000, -5_000), 0],
  ['later than that', cut(-9_000, -5_001), 1],
  ['before its site was cut off', cut(41, 90), 1],
  ['while another site was cut off', cut(-1_000, 1_000, { site: 'site-2' }), 1],
  ['while the app was ill there', cut(-1_000, Infinity, { app: 'shop/app' }), 0],
  ['while another app was ill there', cut(-1_000, Infinity, { app: 'shop/other' }), 1],
])('one %s', (_, cutOff, told) => {
  expect(failures([failed], [cutOff], movable)).toHaveLength(told);
});

test.each([
  ['may move, before it must have left', movable, 0, 0],
  ['may move, later', movable, -5_001, 1],
  ['stays on its site, later', pinned, -5_001, 0],
] as const)('of a site that is lost, a request to an app that %s', (_, mayMove, leaveBy, told) => {
  const lost = cut(-60_000, 60_000, { leaveBy: noon + leaveBy });
  expect(failures([failed], [lost], mayMove)).toHaveLength(told);
});
