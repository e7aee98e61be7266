// A Capp that leaves after so many restarts of its containers: what is counted, when it is asked for, and
// what never counts.
import { afterSilence, reporting } from '../../../workflows/capp/after/answer.ts';
import { withApplied } from '../../../workflows/capp/after/apply.ts';
import { countAt, illFrom, illnessOf } from '../../../workflows/capp/facts/health.ts';
import { reportInquiry, verdictInquiry } from '../../../workflows/capp/next/questions.ts';
import type { State } from '../../../workflows/capp/state.ts';
import { readState } from '../../../workflows/parse/start.ts';
import { bearing, BEARS, DAY, FAILED, hears, LATE, step, STAMP } from '../../support/builders/capp/ill.ts';
import { aFinding, applied, MINUTE, NOW } from '../../support/builders/states.ts';

const BEARS_RESTARTS = { unhealthyRestarts: 3 };
const well = (state: State, restarts: number, now: number): State =>
  hears(state, aFinding('Ready', { restarts }), now);
const failed = (state: State, restarts: number, now: number): State =>
  hears(state, aFinding('Failed', { restarts }), now);
/** Ready for half a day, and not Ready since `NOW`, with seven restarts that were before. */
const turned = (): State => failed(well(bearing({}, BEARS_RESTARTS), 7, NOW - DAY / 2), 7, NOW);

test('three restarts since its trouble began are enough, after a minute', () => {
  const state = turned();
  expect(illFrom(state)).toBe(LATE);
  const twice = failed(state, 9, NOW + MINUTE);
  expect([illFrom(twice), illnessOf(twice)]).toEqual([LATE, null]);
  const thrice = failed(twice, 10, NOW + 2 * MINUTE);
  expect(illFrom(thrice)).toBe(NOW + MINUTE);
  expect(illnessOf(thrice)?.says).toBe(
    'RolloutFailed: It is Failed. Its containers have restarted since, as often as spec.migration.unhealthy.restarts (3) bears or more.',
  );
  expect(step(thrice, NOW + 2 * MINUTE)).toBe('choose');
});

test('not before a minute: others that turned unhealthy with it are known by then', () => {
  const soon = failed(turned(), 30, NOW + 1_000);
  expect(illnessOf(soon)).toBeNull();
  expect(step(soon, NOW + 1_000)).toBe(`rest ${NOW + MINUTE}`);
  expect(step(soon, NOW + MINUTE)).toBe('report site-1');
  expect(step(failed(soon, 30, NOW + MINUTE), NOW + MINUTE)).toBe('choose');
});

test('its agent is asked after a minute, then less and less often, until the time itself counts', () => {
  let state = turned();
  const asked: number[] = [];
  for (let at = countAt(state); at !== null; at = countAt(state)) {
    expect(step(state, at - 1)).toBe(`rest ${at}`);
    expect(step(state, at)).toBe('report site-1');
    expect(step(reporting(state, 'site-1'), at)).not.toBe('report site-1');
    asked.push((at - NOW) / MINUTE);
    state = failed(state, 7, at);
  }
  expect(asked).toEqual([1, 2, 4]);
  expect(step(state, LATE)).toBe('report site-1');
  const long = { ...turned(), unhealthyMs: DAY };
  expect(countAt(failed(long, 7, NOW + 600 * MINUTE))).toBe(NOW + 1024 * MINUTE);
});

test('a Capp that is Ready between its restarts is in the same trouble, and after ten minutes in none', () => {
  const flapping = failed(
    well(failed(turned(), 9, NOW + MINUTE), 10, NOW + 2 * MINUTE),
    10,
    NOW + 3 * MINUTE,
  );
  expect(illFrom(flapping)).toBe(NOW + 4 * MINUTE);
  const rested = well(well(failed(turned(), 10, NOW + MINUTE), 10, NOW + 2 * MINUTE), 10, NOW + 12 * MINUTE);
  expect(illFrom(failed(rested, 11, NOW + 13 * MINUTE))).toBe(NOW + 13 * MINUTE + BEARS);
  const unheard = well(failed(turned(), 10, NOW + MINUTE), 10, NOW + 2 * MINUTE);
  expect(illFrom(failed(unheard, 14, NOW + 13 * MINUTE))).toBe(NOW + 13 * MINUTE + BEARS);
});

test('what restarted while it was well, Pods that went and came, and what is not known count for nothing', () => {
  expect(illFrom(failed(turned(), 2, NOW + MINUTE))).toBe(LATE);
  expect(illFrom(failed(failed(turned(), 2, NOW + MINUTE), 4, NOW + 2 * MINUTE))).toBe(LATE);
  const unknown = hears(failed(turned(), 9, NOW + MINUTE), FAILED, NOW + 2 * MINUTE);
  expect(illFrom(unknown)).toBe(LATE);
  expect(illFrom(failed(unknown, 10, NOW + 3 * MINUTE))).toBe(NOW + MINUTE);
  const silent = afterSilence(failed(turned(), 10, NOW + MINUTE), 'site-1', STAMP, NOW + 2 * MINUTE);
  expect(illFrom(failed(silent, 10, NOW + 3 * MINUTE))).toBe(NOW + 3 * MINUTE + BEARS);
});

test('what restarted in its first minutes of being Ready counts for nothing, nor after a silence', () => {
  const warm = well(well(bearing({}, BEARS_RESTARTS), 0, NOW - 5 * MINUTE), 4, NOW - MINUTE);
  const ill = failed(warm, 4, NOW);
  expect(illFrom(ill)).toBe(LATE);
  expect(illFrom(failed(ill, 7, NOW + MINUTE))).toBe(NOW + MINUTE);
  const silent = afterSilence(ill, 'site-1', STAMP, NOW + MINUTE);
  const again = well(well(silent, 4, NOW + 2 * MINUTE), 8, NOW + 4 * MINUTE);
  expect(illFrom(failed(again, 8, NOW + 5 * MINUTE))).toBe(NOW + 5 * MINUTE + BEARS);
});

test('it is asked for only where it matters, and kept over a run', () => {
  for (const ask of [reportInquiry, verdictInquiry]) {
    expect(ask(turned(), 'site-1')?.question).toMatchObject({ restarts: true });
    expect(ask(bearing(), 'site-1')?.question).not.toHaveProperty('restarts');
  }
  const worn = failed(turned(), 10, NOW + MINUTE);
  const read = readState(structuredClone(worn), 'capp/apps/app');
  expect(read).toMatchObject({
    unhealthyRestarts: 3,
    copies: { 'site-1': { health: { restarts: { seen: 10, since: 3 } } } },
  });
  const forged = { ...worn, unhealthyRestarts: 'many' };
  expect(readState(forged, 'capp/apps/app')?.serving).toBeNull();
});

test('an edit that takes it away takes its effect away', () => {
  const worn = failed(turned(), 10, NOW + MINUTE);
  expect(illFrom(withApplied(worn, 'site-1', applied({ unhealthyMs: BEARS })))).toBe(LATE);
  const kept = applied({ unhealthyMs: BEARS, unhealthyRestarts: 3 });
  expect(illFrom(withApplied(worn, 'site-1', kept))).toBe(NOW + MINUTE);
});
