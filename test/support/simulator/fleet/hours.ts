// The windows of fleets in lives: the middle of each hour from noon to midnight. A life begins at noon.
const HOURS = Array.from({ length: 12 }, (_, index) => 12 + index);
const MINUTE_MS = 60_000;
const [FROM, TO] = [10, 40];

export const WINDOWS = HOURS.map((hour) => ({
  days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const,
  from: `${hour}:${FROM}`,
  to: `${hour}:${TO}`,
  timeZone: 'UTC',
}));

/** Whether one of them has been open at some time of the last `ms` milliseconds, at most half an hour. */
export function wasOpen(now: number, ms = 0): boolean {
  return isOpenAt(now) || isOpenAt(now - ms);
}

/** Whether one of them has been open for so long. */
export function isOpenFor(now: number, ms: number): boolean {
  return isOpenAt(now) && isOpenAt(now - ms);
}

function isOpenAt(time: number): boolean {
  const date = new Date(time);
  const minutes = date.getUTCMinutes() + (time % MINUTE_MS) / MINUTE_MS;
  return date.getUTCHours() >= 12 && minutes >= FROM && minutes < TO;
}
