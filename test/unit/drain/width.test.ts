// How many Capps a drain lets move at once while the hub workers lag behind.
import { drainStep } from '../../../workflows/drain/decide/step.ts';
import { describeDrain } from '../../../workflows/drain/decide/progress.ts';
import { eased, STEP_MS, widensAt, widthAt } from '../../../workflows/drain/decide/width.ts';
import type { DrainState, Lanes } from '../../../workflows/drain/state.ts';
import { aDrain, aWaiting, goingTo } from '../../support/builders/drain/drains.ts';
import { NOW } from '../../support/builders/states.ts';

const LANES: Lanes = { width: 50, perTarget: 50, ratePerSecond: 500 };
const ORDERED = { everything: true, lanes: LANES } as const;
const full = aDrain({ ...ORDERED, going: goingTo('site-2', 50) });
const late = (state: DrainState, at: number): DrainState => eased(state, 301, at);
const goingWith = (count: number, plain: Partial<DrainState>): DrainState =>
  aDrain({ ...ORDERED, going: goingTo('site-2', count), ...plain });

test.each<[string, number | null]>([
  ['the oldest task has waited 300 ms', 300],
  ['nothing waits', 0],
  ['Temporal does not say how long tasks wait', null],
])('the lanes keep their width when %s', (_name, backlogMs) => {
  const state = eased(full, backlogMs, NOW);
  expect(widthAt(state, NOW)).toBe(50);
  expect(state).not.toHaveProperty('eased');
});

test('seven tenths as many move at once when a task has waited longer than 300 ms', () => {
  expect(widthAt(late(full, NOW), NOW)).toBe(35);
});

test('Capps that leave by themselves, perhaps from a lost site, keep all lanes', () => {
  expect(late({ ...full, everything: false }, NOW)).toEqual({ ...full, everything: false });
});

test('the lanes are narrowed once for one figure, which Temporal renews every five seconds', () => {
  const once = late(full, NOW);
  expect(late(once, NOW + STEP_MS - 1)).toEqual(once);
});

test('the lanes are not narrowed further while more Capps are on their way than they now allow', () => {
  const later = NOW + STEP_MS;
  const still = late(goingWith(50, { eased: { width: 24, at: NOW } }), later);
  expect(widthAt(still, later)).toBe(28);
  const since = late(goingWith(28, { eased: { width: 24, at: NOW } }), later);
  expect(widthAt(since, later)).toBe(19);
});

test.each<[number, number]>([
  [50, 8],
  [8, 8],
  [3, 3],
])('lanes of %i are never narrower than %i', (width, narrowest) => {
  let state = aDrain({ ...ORDERED, lanes: { ...LANES, width } });
  for (let look = 0; look < 10; look += 1) state = late(state, NOW + look * STEP_MS);
  expect(widthAt(state, NOW + 9 * STEP_MS)).toBe(narrowest);
});

test('the lanes widen by a fifth every five seconds, and are whole again within a minute', () => {
  const state = goingWith(0, { eased: { width: 8, at: NOW } });
  const widths = Array.from({ length: 12 }, (_, step) => widthAt(state, NOW + step * STEP_MS));
  expect(widths).toEqual([8, 9, 11, 13, 16, 19, 23, 28, 34, 41, 49, 50]);
  expect(eased(state, 0, NOW + 11 * STEP_MS)).not.toHaveProperty('eased');
  expect(eased(state, 0, NOW + 10 * STEP_MS)).toEqual(state);
});

test('lanes that a person makes wider or narrower meanwhile are obeyed', () => {
  const state = goingWith(0, { eased: { width: 8, at: NOW } });
  expect(widthAt({ ...state, lanes: { ...LANES, width: 4 } }, NOW)).toBe(4);
  expect(widthAt({ ...state, lanes: { ...LANES, width: 500 } }, NOW)).toBe(8);
});

test('a clock that went back widens nothing', () => {
  expect(widthAt({ lanes: LANES, eased: { width: 8, at: NOW } }, NOW - 60_000)).toBe(8);
});

test('Capps that hold their lanes for minutes do not keep the others waiting: the drain wakes when its lanes widen', () => {
  const waiting = Array.from({ length: 9 }, (_, index) => aWaiting(`app-${index}`, { askedAt: null }));
  const held = goingWith(8, { eased: { width: 8, at: NOW - 1_000 }, waiting });
  expect(drainStep(held, NOW)).toEqual({ do: 'rest', until: NOW + 4_000 });
  const step = drainStep(held, NOW + 4_000);
  expect(step.do === 'answer' ? step.go.length : 0).toBe(1);
  expect(widensAt(held, NOW + 4_000)).toBe(NOW + 9_000);
});

test('a drain without waiting Capps, or one that is paused, is not woken for wider lanes', () => {
  const narrow = { eased: { width: 8, at: NOW } };
  const rest = { do: 'rest', until: NOW + 15 * 60_000 };
  expect(drainStep(goingWith(8, narrow), NOW)).toEqual(rest);
  const waiting = [aWaiting('app', { askedAt: null })];
  expect(drainStep(goingWith(8, { ...narrow, waiting, paused: true }), NOW)).toEqual(rest);
});

test('people read that the lanes are narrower, since when and why', () => {
  const shown = (state: DrainState) => describeDrain(state, { do: 'rest', until: null });
  expect(shown(full)).not.toContain('lagged behind');
  expect(shown(late(full, NOW))).toContain(
    'The hub workers lagged behind at 2026-03-01T12:00:00Z: 35 at once from then on, and step by step more.',
  );
});

/** A hub that keeps up with so many moves at once, each of which takes a second there. */
function drained(
  keepsUpWith: number,
  seconds: number,
): { readonly widths: number[]; readonly moved: number } {
  let state = aDrain(ORDERED);
  let moved = 0;
  const widths: number[] = [];
  for (let second = 0; second < seconds; second += 1) {
    const now = NOW + second * 1_000;
    const width = widthAt(state, now);
    moved += Math.min(width, keepsUpWith);
    state = eased({ ...state, going: goingTo('site-2', width) }, width > keepsUpWith ? 2_000 : 0, now);
    widths.push(width);
  }
  return { widths, moved };
}

test('against a hub that keeps up with twenty moves, a drain stays near twenty and loses less than a fifth of its speed', () => {
  const { widths, moved } = drained(20, 600);
  expect(Math.max(...widths.slice(30))).toBeLessThan(30);
  expect(moved).toBeGreaterThan(0.8 * 20 * 600);
});
