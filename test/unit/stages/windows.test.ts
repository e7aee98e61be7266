// When windows are open: across midnight, in time zones, and where clocks change.
import type { StrategyWindow } from '../../../crds/rollout/stages.ts';
import { isOpen, opensAt } from '../../../workflows/stages/windows.ts';

const at = (time: string): number => Date.parse(time);
const text = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

const window = (given: Partial<StrategyWindow> = {}): StrategyWindow => ({
  days: ['Sat'],
  from: '22:00',
  to: '04:00',
  timeZone: 'UTC',
  ...given,
});
const WEEK: StrategyWindow['days'] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

test.each([
  { time: '2026-03-07T21:59:59Z', open: false },
  { time: '2026-03-07T22:00:00Z', open: true },
  { time: '2026-03-08T03:59:59Z', open: true },
  { time: '2026-03-08T04:00:00Z', open: false },
  { time: '2026-03-08T22:00:00Z', open: false },
])('a window past midnight belongs to the day on which it opens: $time', ({ time, open }) => {
  expect(isOpen([window()], at(time))).toBe(open);
});

test('without windows it is always open, and with several when one of them is', () => {
  expect(isOpen(undefined, 0)).toBe(true);
  expect(isOpen([], 0)).toBe(true);
  const noon = window({ from: '12:00', to: '13:00' });
  expect(isOpen([window(), noon], at('2026-03-07T12:30:00Z'))).toBe(true);
});

test('a window to 24:00 ends at midnight', () => {
  const day = [window({ from: '00:00', to: '24:00' })];
  expect(isOpen(day, at('2026-03-07T23:59:59Z'))).toBe(true);
  expect(isOpen(day, at('2026-03-08T00:00:00Z'))).toBe(false);
});

test.each([
  { time: '2026-12-31T23:59:59Z', open: true },
  { time: '2027-01-01T03:59:59Z', open: true },
  { time: '2027-01-01T04:00:00Z', open: false },
])('a window over the end of a year is one window: $time', ({ time, open }) => {
  expect(isOpen([window({ days: ['Thu'] })], at(time))).toBe(open);
});

test.each([
  { time: '2026-03-07T12:59:59Z', open: true },
  { time: '2026-03-07T13:00:00Z', open: false },
])('a window of one day is shut at the minute that it names: $time', ({ time, open }) => {
  expect(isOpen([window({ from: '12:00', to: '13:00' })], at(time))).toBe(open);
});

test.each([
  { now: '2026-03-07T22:00:00Z', opens: '2026-03-14T22:00:00.000Z' },
  { now: '2026-03-06T12:00:00Z', opens: '2026-03-07T22:00:00.000Z' },
  { now: '2026-03-08T04:00:00Z', opens: '2026-03-14T22:00:00.000Z' },
  { now: '2026-03-07T21:59:59Z', opens: '2026-03-07T22:00:00.000Z' },
])('from $now the next opening is $opens', ({ now, opens }) => {
  expect(text(opensAt([window()], at(now)))).toBe(opens);
});

test('the earliest of several openings counts', () => {
  const monday = window({ days: ['Mon'], from: '01:00' });
  expect(text(opensAt([window(), monday], at('2026-03-08T12:00:00Z')))).toBe('2026-03-09T01:00:00.000Z');
});

// Clocks in Berlin jump from 02:00 to 03:00 on 29 March 2026, and show 02:00 to 03:00 twice on 25 October.
test.each([
  { now: '2026-03-27T12:00:00Z', from: '22:00', opens: '2026-03-27T21:00:00.000Z' },
  { now: '2026-03-28T23:00:00Z', from: '02:30', opens: '2026-03-29T01:00:00.000Z' },
  { now: '2026-03-29T12:00:00Z', from: '22:00', opens: '2026-03-29T20:00:00.000Z' },
  { now: '2026-10-24T22:30:00Z', from: '02:30', opens: '2026-10-25T00:30:00.000Z' },
  { now: '2026-10-25T12:00:00Z', from: '22:00', opens: '2026-10-25T21:00:00.000Z' },
])('in Berlin, from $now, a window from $from opens at $opens', ({ now, from, opens }) => {
  const berlin = window({ days: WEEK, from, to: '05:00', timeZone: 'Europe/Berlin' });
  const found = opensAt([berlin], at(now));
  expect(text(found)).toBe(opens);
  expect(isOpen([berlin], found ?? 0)).toBe(true);
  expect(isOpen([berlin], (found ?? 0) - 1)).toBe(false);
});

test('a window that clocks jump over does not open on that day', () => {
  const short = window({ days: WEEK, from: '02:15', to: '02:45', timeZone: 'Europe/Berlin' });
  expect(text(opensAt([short], at('2026-03-28T12:00:00Z')))).toBe('2026-03-30T00:15:00.000Z');
});

test('a window in an unknown time zone never opens, and stops nothing else', () => {
  const lost = window({ timeZone: 'Mars/Olympus' });
  expect(isOpen([lost], at('2026-03-07T23:00:00Z'))).toBe(false);
  expect(opensAt([lost], at('2026-03-07T12:00:00Z'))).toBeNull();
  expect(isOpen([lost, window()], at('2026-03-07T23:00:00Z'))).toBe(true);
});
