// The backoff between tries, and the fingerprint by which the workflow sees that nothing has changed.
import { backOff } from '../../../../workflows/capp/after/backoff.ts';
import { fingerprint } from '../../../../workflows/capp/facts/fingerprint.ts';
import type { Backoff } from '../../../../workflows/capp/state.ts';

function pauses(count: number, first?: number): number[] {
  let pause: Backoff | null = null;
  return Array.from({ length: count }, () => {
    pause = backOff(pause, { now: 1_000, ringsHeard: 7 }, first);
    return pause.until - 1_000;
  });
}

test('the backoff doubles with each try, up to ten minutes', () => {
  expect(pauses(4)).toEqual([200, 400, 800, 1_600]);
  expect(pauses(30).at(-1)).toBe(600_000);
  expect(pauses(3, 30_000)).toEqual([30_000, 60_000, 120_000]);
});

test('a backoff records how many rings had been heard when it began', () => {
  expect(backOff(null, { now: 0, ringsHeard: 7 })).toEqual({ tries: 1, ringsHeard: 7, until: 200 });
});

test('equal values have equal fingerprints, and different values different ones', () => {
  expect(fingerprint({ a: [1, 'ä'] })).toBe(fingerprint({ a: [1, 'ä'] }));
  const some = [null, 0, '', [], {}, 'a', ['a'], { a: 1 }, { a: 2 }, { b: 1 }, 'A', '🙂'];
  expect(new Set(some.map((value) => fingerprint(value))).size).toBe(some.length);
});

// A vector of http://www.isthe.com/chongo/src/fnv/test_fnv.c.
test('a fingerprint begins with the 32-bit FNV-1a of the JSON', () => {
  expect(fingerprint(0)).toMatch(/^350ca8af[0-9a-f]{8}$/);
});
