// How a Capp's workflow counts ill health: by what the site says, from when it was Ready last, at the stamp
// that was Ready; and what becomes of it.
import { afterSilence } from '../../../workflows/capp/after/answer.ts';
import { withApplied } from '../../../workflows/capp/after/apply.ts';
import { illFrom, illnessOf, isIll } from '../../../workflows/capp/facts/health.ts';
import type { State } from '../../../workflows/capp/state.ts';
import type { Choice } from '../../../workflows/ports/choice.ts';
import type { Finding } from '../../../workflows/types/copy.ts';
import {
  bearing,
  BEARS,
  DAY,
  FAILED,
  hears,
  ill,
  LATE,
  looked,
  stays,
  STAMP,
  step,
  turned,
  wasReady,
} from '../../support/builders/capp/ill.ts';
import { aFinding, aMove, applied, MINUTE, NOW } from '../../support/builders/states.ts';

describe('what counts', () => {
  test('it counts from the first report that it is not Ready, since it was', () => {
    expect(illFrom(turned())).toBe(LATE);
    expect(illFrom(hears(turned(), aFinding('Progressing'), NOW + MINUTE))).toBe(LATE);
    expect(illFrom(wasReady())).toBeNull();
  });

  test('a report that it is Ready ends it, and the next one counts anew', () => {
    const well = hears(ill(), aFinding(), LATE + MINUTE);
    expect(illFrom(well)).toBeNull();
    expect(illFrom(hears(well, FAILED, LATE + 2 * MINUTE))).toBe(LATE + 2 * MINUTE + BEARS);
  });

  test('what was never Ready moves nothing', () => {
    const never = hears(hears(bearing(), aFinding('Progressing'), NOW), FAILED, NOW + DAY);
    expect(illFrom(never)).toBeNull();
    expect(step(never, NOW + 2 * DAY)).toBe('rest null');
  });

  test.each<[string, Partial<Finding>]>([
    ['the site operator has not looked', { reason: 'NotObserved' }],
    ['no site operator is there', { reason: 'NoSiteOperator' }],
    ["the site's API server does not answer", { reason: 'SiteUnreachable' }],
  ])('a report that cannot know is none: %s', (_what, plain) => {
    expect(illFrom(hears(wasReady(), aFinding('Progressing', plain), NOW))).toBeNull();
    const unseen = hears(turned(), aFinding('Progressing', plain), LATE);
    expect(isIll(unseen)).toBe(false);
    expect(illFrom(hears(unseen, FAILED, LATE + DAY))).toBe(LATE + DAY + BEARS);
    expect(illFrom(hears(hears(wasReady(), aFinding('Progressing', plain), NOW), FAILED, LATE))).toBe(
      LATE + BEARS,
    );
  });

  test('silence is no ill health, and what was counted before it is forgotten', () => {
    const silent = afterSilence(ill(), 'site-1', STAMP, LATE + 1);
    expect([illFrom(silent), step(silent, LATE + DAY)]).toEqual([null, 'rest null']);
    const again = hears(silent, FAILED, LATE + DAY);
    expect(illFrom(again)).toBe(LATE + DAY + BEARS);
  });

  test('but the trouble is as old as it is, for those that are in it, too', () => {
    const silent = afterSilence(ill(), 'site-1', STAMP, LATE + 1);
    const again = hears(hears(silent, FAILED, LATE + DAY), FAILED, LATE + DAY + BEARS);
    expect(illnessOf(again)).toMatchObject({ since: LATE + DAY, turnedAt: NOW });
    // A moment as Ready is no other trouble; ten minutes are.
    const flaps = hears(hears(ill(), aFinding(), LATE + 1), FAILED, LATE + 10 * MINUTE);
    expect(illnessOf(hears(flaps, FAILED, LATE + 10 * MINUTE + BEARS))).toMatchObject({ turnedAt: NOW });
    const other = hears(hears(ill(), aFinding(), LATE + 1), FAILED, LATE + 1 + 10 * MINUTE);
    expect(illnessOf(hears(other, FAILED, LATE + 1 + 10 * MINUTE + BEARS))).toMatchObject({
      turnedAt: LATE + 1 + 10 * MINUTE,
    });
  });

  test('nor is a copy that its site does not have', () => {
    const absent = hears(ill(), null, LATE + 1);
    expect(illFrom(absent)).toBeNull();
    expect(illFrom(hears(absent, FAILED, LATE + DAY))).toBe(LATE + DAY + BEARS);
  });

  test('nor is a site that is lost, or a pause', () => {
    const lost = looked(ill(), { ...stays('NotMoving'), unreachable: ['site-1'] } as Choice, LATE + 1);
    expect(illFrom(lost)).toBeNull();
    const back = looked(lost, stays('NotMoving'), LATE + 2);
    expect(illFrom(hears(back, FAILED, LATE + DAY))).toBe(LATE + DAY + BEARS);
    const paused = withApplied(ill(), 'site-1', { outcome: 'Paused', generation: 1, at: LATE });
    expect(illFrom(paused)).toBeNull();
    const resumed = withApplied(paused, 'site-1', applied({ unhealthyMs: BEARS }));
    expect(illFrom(hears(resumed, FAILED, LATE + DAY))).toBe(LATE + DAY + BEARS);
  });

  test('another stamp must have been Ready itself', () => {
    for (const stamp of ['uid-1/2/hash/one', 'uid-1/1/other/one', 'uid-1/1/hash/two']) {
      const generation = stamp === 'uid-1/2/hash/one' ? 2 : 1;
      const shipped = withApplied(ill(), 'site-1', applied({ stamp, generation, unhealthyMs: BEARS }));
      expect(illFrom(hears(shipped, FAILED, NOW + DAY))).toBeNull();
    }
    const same = withApplied(ill(), 'site-1', applied({ unhealthyMs: BEARS }));
    expect(illFrom(same)).toBe(LATE);
  });

  test('a Capp that does not ask for it, or not any more, counts nothing', () => {
    const { unhealthyMs: _none, ...plain } = bearing();
    const state = hears(hears(plain, aFinding(), NOW), FAILED, NOW + 1);
    expect(state.copies['site-1']).not.toHaveProperty('health');
    expect(illFrom(withApplied(ill(), 'site-1', applied()))).toBeNull();
  });

  test.each<[string, Partial<State>]>([
    ['it is paused', { paused: true }],
    ['it is being deleted', { retiring: true }],
    ['it moves already', { move: aMove() }],
    ['it cannot be shipped', { refused: { reason: 'MissingReference', message: 'It lacks a Secret.' } }],
    ['a newer generation is to be shipped', { generation: 2 }],
    ['its site is lost', { unreachable: ['site-1'] }],
  ])('nothing is to be done while %s', (_what, plain) => {
    expect(illFrom({ ...ill(), ...plain })).toBeNull();
  });
});
