// Since when a watch has followed: streams that are cut and go on where they were change nothing of it.
import { FollowedSince } from '../../../kube/watch/followed.ts';

const BEGUN = 1_000_000;
const SECOND = 1_000;

function followed(): FollowedSince {
  const one = new FollowedSince();
  one.listed();
  one.look(false, BEGUN);
  return one;
}

function interrupt(one: FollowedSince, at: number, ms: number): void {
  one.look(true, at);
  expect(one.since()).toBeNull();
  one.look(false, at + ms);
}

test('it is unknown before the first list', () => {
  expect(new FollowedSince().since()).toBeNull();
});

test('short interruptions after which the watch goes on where it was change nothing, however many they are', () => {
  const one = followed();
  for (let minute = 1; minute <= 60; minute += 1) interrupt(one, BEGUN + minute * 60 * SECOND, 5 * SECOND);
  expect(one.since()).toBe(BEGUN);
});

test('it begins anew after an interruption of more than a minute', () => {
  const one = followed();
  interrupt(one, BEGUN + 10 * SECOND, 61 * SECOND);
  expect(one.since()).toBe(BEGUN + 71 * SECOND);
});

test('it begins anew after another list, however short the interruption was', () => {
  const one = followed();
  one.look(true, BEGUN + 10 * SECOND);
  one.listed();
  one.look(false, BEGUN + 11 * SECOND);
  expect(one.since()).toBe(BEGUN + 11 * SECOND);
});

test('streams that break as soon as they open are one interruption', () => {
  const one = followed();
  for (let second = 0; second <= 62; second += 2) interrupt(one, BEGUN + second * SECOND, 1_900);
  expect(one.since()).toBeGreaterThan(BEGUN + 60 * SECOND);
});
