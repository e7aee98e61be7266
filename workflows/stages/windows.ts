// When windows are open: days and hours in a time zone, past midnight, and where clocks change.
import type { StrategyWindow } from '../../crds/rollout/stages.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

const FIELDS = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
} as const;

/** What clocks show at a time, as if they stood in UTC; both in milliseconds since the epoch. */
type WallClock = (time: number) => number;

/** Open when one of them is. No windows: always. Windows whose time zone nobody knows are never open. */
export function isOpen(windows: readonly StrategyWindow[] | undefined, now: number): boolean {
  return windows === undefined || windows.length === 0 || windows.some((one) => isOneOpen(one, now));
}

/** The next time when one opens, in milliseconds since the epoch; null when none ever does. */
export function opensAt(windows: readonly StrategyWindow[], now: number): number | null {
  const found = windows.flatMap((one) => openingOf(one, now) ?? []);
  return found.length === 0 ? null : Math.min(...found);
}

function isOneOpen(window: StrategyWindow, now: number): boolean {
  const clock = wallClock(window.timeZone);
  return clock !== null && isWithin(window, clock(now));
}

function isWithin({ days, from, to }: StrategyWindow, wall: number): boolean {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  const minute = Math.floor((((wall % DAY) + DAY) % DAY) / MINUTE);
  const isOn = (time: number): boolean => days.includes(DAYS[new Date(time).getUTCDay()] ?? 'Sun');
  if (start < end) return isOn(wall) && minute >= start && minute < end;
  return (isOn(wall) && minute >= start) || (isOn(wall - DAY) && minute < end);
}

/** Looks through today and the eight days after it. */
function openingOf(window: StrategyWindow, now: number): number | null {
  const clock = wallClock(window.timeZone);
  if (clock === null) return null;
  const today = Math.floor(clock(now) / DAY) * DAY;
  for (let day = today; day <= today + 8 * DAY; day += DAY) {
    const at = firstOpen(window, clock, day + minutesOf(window.from) * MINUTE);
    if (at !== null && at > now) return at;
  }
  return null;
}

/**
 * The time when clocks show `wall`, or the first time after it where clocks jump over it; null when the
 * window does not open then. Where clocks show it twice, the first time counts.
 */
function firstOpen(window: StrategyWindow, clock: WallClock, wall: number): number | null {
  const [early, late] = [wall + DAY, wall - DAY]
    .map((near) => wall - (clock(near) - near))
    .toSorted((one, other) => one - other) as [number, number];
  const opens = (time: number): boolean => isWithin(window, clock(time));
  if (clock(early) === wall) return opens(early) ? early : null;
  if (clock(late) === wall) return opens(late) ? late : null;
  let [before, after] = [early, late];
  while (after - before > MINUTE) {
    const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE;
    if (clock(middle) < wall) before = middle;
    else after = middle;
  }
  return opens(after) ? after : null;
}

/** Null for a time zone that is not known. */
function wallClock(timeZone: string): WallClock | null {
  const format = formatOf(timeZone);
  if (format === null) return null;
  return (time) => {
    const parts: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(time)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute) + (time % MINUTE);
  };
}

/** One is dear to make, and time zones are few. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', ...FIELDS });
    formats.set(timeZone, format);
    return format;
  } catch {
    return null;
  }
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
