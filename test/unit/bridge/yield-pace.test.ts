// What can wait is rung as fast as the hub workers keep up, by the time that their oldest task has waited.
import { BRIDGE_TIMES } from '../../../bridge/times.ts';
import { paceAfter, yieldPace, type Pace } from '../../../bridge/yield-pace.ts';

const { yieldFirst, yieldBlind, yieldShortest, yieldLongest, yieldLook, yieldForget } = BRIDGE_TIMES;
const BEGIN: Pace = { pauseMs: yieldFirst.ms, hasMet: false };

/** The pauses in a storm of which each look finds the next of those backlogs. */
function pausesOf(backlogs: readonly (number | null)[]): number[] {
  let pace = BEGIN;
  return backlogs.map((backlogMs) => (pace = paceAfter(pace, backlogMs)).pauseMs);
}

test('while no task waits, the rings become faster, up to 200 a second', () => {
  const pauses = pausesOf(Array.from({ length: 20 }, () => 0));
  expect(pauses.toSorted((a, b) => b - a)).toEqual(pauses);
  expect(pauses.at(-1)).toBe(yieldShortest.ms);
});

test('each look that finds a task waiting halves the rate, down to two a second', () => {
  expect(pausesOf([5_000, 5_000])).toEqual([2 * yieldFirst.ms, 4 * yieldFirst.ms]);
  expect(pausesOf([5_000, 5_000, 5_000]).at(-1)).toBe(yieldLongest.ms);
});

test('once a task has waited, the rate grows more slowly than before', () => {
  const [, fresh = 0] = pausesOf([0, 0]);
  const [, , , met = 0] = pausesOf([5_000, 0, 0, 0]);
  expect(met / (2 * yieldFirst.ms)).toBeGreaterThan(fresh / yieldFirst.ms);
});

test('where Temporal does not say how long tasks wait, 25 are rung a second', () => {
  expect(pausesOf([null])).toEqual([yieldBlind.ms]);
});

test('against hub workers that do 20 a second, few tasks wait and most of the time is used', () => {
  let pace = BEGIN;
  let [waiting, done, most] = [0, 0, 0];
  for (let look = 0; look < 60; look += 1) {
    const rung = (8 / pace.pauseMs) * yieldLook.ms;
    const capacity = 20 * (yieldLook.ms / 1_000);
    const taken = Math.min(capacity, waiting + rung);
    waiting += rung - taken;
    done += taken;
    most = Math.max(most, waiting);
    pace = paceAfter(pace, (waiting / 20) * 1_000);
  }
  expect(most).toBeLessThan(100);
  expect(done).toBeGreaterThan(0.7 * 20 * 60 * (yieldLook.ms / 1_000));
});

describe('looks at the queue', () => {
  const setting = (backlog: () => Promise<number | null>) => {
    const clock = { now: 1_000_000 };
    const errors: unknown[] = [];
    let looks = 0;
    const counted = (): Promise<number | null> => {
      looks += 1;
      return backlog();
    };
    const pace = yieldPace(
      counted,
      (error) => void errors.push(error),
      () => clock.now,
    );
    const after = async (ms: number): Promise<number> => {
      clock.now += ms;
      pace.pauseMs();
      await new Promise((resolve) => void setImmediate(resolve));
      return pace.pauseMs();
    };
    return { after, errors, looks: () => looks };
  };

  test('are made once in five seconds, and only while such rings are sent', async () => {
    const { after, looks } = setting(() => Promise.resolve(0));
    await after(0);
    expect(looks()).toBe(0);
    await after(yieldLook.ms);
    await after(1);
    expect(looks()).toBe(1);
  });

  test('that fail are reported, and what can wait goes on at the usual rate', async () => {
    const { after, errors } = setting(() => Promise.reject(new Error('no route')));
    await after(0);
    expect(await after(yieldLook.ms)).toBe(yieldBlind.ms);
    expect(errors).toHaveLength(1);
  });

  test('of an earlier storm do not count in the next', async () => {
    const { after } = setting(() => Promise.resolve(60_000));
    await after(0);
    expect(await after(yieldLook.ms)).toBe(2 * yieldFirst.ms);
    expect(await after(yieldForget.ms + 1)).toBe(yieldFirst.ms);
  });
});
