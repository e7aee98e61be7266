// Whether Knative's PingSource takes a schedule: cron with an optional field for seconds, or a descriptor
// such as @hourly. Pure.

const DESCRIPTORS = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

interface Range {
  readonly least: number;
  readonly most: number;
  /** The first is `least`. */
  readonly names?: readonly string[];
}

const FIELDS: readonly Range[] = [
  { least: 0, most: 59 },
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: MONTHS },
  { least: 0, most: 6, names: DAYS },
];

export function isSchedule(text: string): boolean {
  const [prefix = '', zone] = /^(?:CRON_)?TZ=(\S+)\s+/.exec(text) ?? [];
  if (zone !== undefined && !isTimeZone(zone)) return false;
  const schedule = text.slice(prefix.length).trim();
  if (schedule.startsWith('@')) return DESCRIPTORS.has(schedule);
  const fields = schedule.split(/\s+/);
  const ranges = fields.length === FIELDS.length ? FIELDS : FIELDS.slice(1);
  if (fields.length !== ranges.length) return false;
  return fields.every((field, index) => {
    const range = ranges[index];
    return range !== undefined && field.split(',').every((part) => isPart(part, range));
  });
}

/** All parts of the names of that database which have no other letters. */
const IN_CAPITALS = new Set(
  'ACT CET CHAT EET EST GB GMT HST LHI MET MST NSW NZ PRC ROC ROK SU UCT US UTC WET'.split(' '),
);

/** A name of the time zone database, as it is spelled there. */
export function isTimeZone(name: string): boolean {
  if (name === 'UTC' || name === 'Local') return true;
  // Without its letters in the right case a site would not find the file of the zone.
  if (!/^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)*$/.test(name)) return false;
  // Node reads every other name in any letters, so JAPAN as well.
  if (name.split(/[/-]/).some((part) => /^[A-Z]{2,}$/.test(part) && !IN_CAPITALS.has(part))) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}

/** Such as *, 5, 1-5 and 10-20/5. */
function isPart(part: string, range: Range): boolean {
  const [span = '', step, ...more] = part.split('/');
  if (more.length > 0 || (step !== undefined && !/^[1-9]\d{0,3}$/.test(step))) return false;
  if (span === '*' || span === '?') return true;
  const [from = '', to, ...rest] = span.split('-');
  const [first, last] = [valueOf(from, range), valueOf(to ?? from, range)];
  return rest.length === 0 && first !== null && last !== null && first <= last;
}

function valueOf(text: string, { least, most, names = [] }: Range): number | null {
  const named = names.indexOf(text.toLowerCase());
  if (named >= 0) return least + named;
  const value = Number(text);
  return /^\d{1,2}$/.test(text) && value >= least && value <= most ? value : null;
}
