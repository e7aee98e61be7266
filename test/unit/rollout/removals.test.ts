// The guard against mass removal: who may go at once, and when a person is asked.
import { release, type Leaving } from '../../../activities/hub/rollout/removals.ts';
import { HUB_TIMES } from '../../../activities/hub/times.ts';
import type { Removal } from '../../../workflows/stages/memory.ts';

const {
  setHeld: { ms: HELD_MS },
  setCounted: { ms: COUNTED_MS },
} = HUB_TIMES;
const NOW = Date.parse('2026-03-01T12:00:00Z');
const NONE: Removal = { since: 0, count: 0, allowed: 0, number: null };
const clusters = (count: number): string[] => Array.from({ length: count }, (_, index) => `c-${index}`);
const leaving = (going: number, staying: number, plain: Partial<Leaving> = {}): Leaving => ({
  clusters: clusters(going),
  digest: `${going}`,
  staying,
  number: null,
  selected: staying,
  isNamed: false,
  ...plain,
});
/** The same sites have been leaving for long enough. */
const held = (given: Leaving, removal = NONE, most = 100) =>
  release(given, { leaving: { digest: given.digest, since: NOW - HELD_MS }, removal }, most, NOW);

test('a changed decision must hold for five seconds before anything is removed', () => {
  const first = release(leaving(1, 9), { leaving: null, removal: NONE }, 100, NOW);
  expect(first).toMatchObject({ clusters: [], held: 0, wakeAt: NOW + HELD_MS });
  const other = { leaving: { digest: 'other', since: NOW - HELD_MS }, removal: NONE };
  expect(release(leaving(1, 9), other, 100, NOW)).toMatchObject({ clusters: [], wakeAt: NOW + HELD_MS });
});

test.each<[going: number, staying: number, isFree: boolean]>([
  [1, 1, true],
  [1, 0, true],
  [2, 8, false],
  [10, 90, true],
  [11, 89, false],
  [60, 40, false],
  [100, 900, true],
  [101, 899, false],
])('of %i that leave and %i that stay, removal without asking is %s', (going, staying, isFree) => {
  const released = held(leaving(going, staying), NONE, 1000);
  expect([released.clusters.length, released.held]).toEqual(isFree ? [going, 0] : [0, going]);
});

test('removals are counted for ten minutes, so that a tenth cannot go again and again', () => {
  const first = held(leaving(10, 90));
  expect(first.removal).toMatchObject({ count: 10, since: NOW });
  expect(held(leaving(1, 89), first.removal)).toMatchObject({
    clusters: [],
    held: 1,
    wakeAt: NOW + COUNTED_MS,
  });
  const later = { ...first.removal, since: NOW - COUNTED_MS };
  expect(held(leaving(1, 89), later).clusters).toHaveLength(1);
});

test('a lowered number of the Placement is a person who asked, and fewer sites than that number are not', () => {
  const before = { ...NONE, number: 10 };
  const lowered = leaving(7, 3, { number: 3, selected: 3 });
  expect(held(lowered, before)).toMatchObject({ clusters: clusters(7), held: 0, removal: { count: 0 } });
  expect(held({ ...lowered, selected: 2 }, before)).toMatchObject({ clusters: [], held: 7 });
  expect(held({ ...lowered, number: 10, selected: 10 }, before)).toMatchObject({ clusters: [], held: 7 });
  expect(held(leaving(0, 3, { number: 3, selected: 3 }), before).removal.number).toBe(3);
});

test('named sites that were taken out of the list go at once', () => {
  const released = release(leaving(7, 3, { isNamed: true }), { leaving: null, removal: NONE }, 100, NOW);
  expect(released).toMatchObject({ clusters: clusters(7), held: 0 });
});

test('a person allows as many as they say, and the rest goes on waiting', () => {
  const first = held(leaving(60, 40), { ...NONE, allowed: 50 }, 30);
  expect(first).toMatchObject({ clusters: clusters(30), held: 10, removal: { allowed: 20 } });
  const second = held(leaving(30, 40), first.removal, 30);
  expect(second).toMatchObject({ clusters: clusters(20), held: 10, removal: { allowed: 0 } });
  expect(held(leaving(10, 40), second.removal)).toMatchObject({ clusters: [], held: 10 });
  expect(held(leaving(0, 40), { ...NONE, allowed: 5 }).removal.allowed).toBe(0);
});
