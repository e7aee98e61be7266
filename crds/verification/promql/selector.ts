// A selector of series, which is what reads: each gets the namespace, beside what it has.
import type { QueryReading } from './reader.ts';
import { placeholders } from './texts.ts';
import { QueryFault, unread } from './tokens.ts';

/** Each reads series of its own. */
const MOST_SELECTORS = 8;
const LONGEST_S = { range: 86_400, offset: 604_800 } as const;

const MATCHERS: ReadonlySet<string> = new Set(['=', '!=', '=~', '!~']);
const LABEL = /^[a-zA-Z_]\w*$/;

const SUBQUERY = 'a range stands behind a metric alone, such as x[5m]: leave subqueries out';

export function selector(reading: QueryReading, metric: string): string {
  reading.selectors += 1;
  if (reading.selectors > MOST_SELECTORS)
    throw new QueryFault(`it reads more than ${MOST_SELECTORS} metrics: make it simpler`);
  const matchers: string[] = [];
  if (reading.takeSign('{'))
    while (!reading.takeSign('}')) {
      matchers.push(matcher(reading));
      if (!reading.takeSign(',') && reading.next().text !== '}') throw unread(reading);
    }
  // Beside what the tenant has written: all of a selector's conditions have to hold.
  matchers.push(`namespace="${reading.within.namespace}"`);
  return `${metric}{${matchers.join(',')}}${range(reading)}${offset(reading)}`;
}

function matcher(reading: QueryReading): string {
  const name = label(reading);
  const by = reading.take('sign', (text) => MATCHERS.has(text));
  const text = reading.take('text', () => true);
  if (by === undefined || text === undefined) throw unread(reading);
  return `${name}${by}${quoted(reading, text)}`;
}

export function quoted({ within }: QueryReading, text: string): string {
  return `"${placeholders(text, within)}"`;
}

function range(reading: QueryReading): string {
  if (!reading.takeSign('[')) return '';
  const text = duration(reading, LONGEST_S.range, 'a range is a day at most');
  if (reading.next().text.startsWith(':')) throw new QueryFault(SUBQUERY);
  reading.expect(']');
  return `[${text}]`;
}

function offset(reading: QueryReading): string {
  if (!reading.takeWord('offset')) return '';
  const sign = reading.takeSign('-') ? '-' : '';
  return ` offset ${sign}${duration(reading, LONGEST_S.offset, 'an offset is a week at most')}`;
}

const SECONDS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};

function duration(reading: QueryReading, most: number, message: string): string {
  const text = reading.take('duration', () => true);
  if (text === undefined) throw new QueryFault('a time is written such as 5m or 1h30m');
  const parts = [...text.matchAll(/(\d+)(ms|[smhdwy])/g)];
  const seconds = parts.reduce(
    (sum, [, amount, unit = '']) => sum + Number(amount) * (SECONDS[unit] ?? 0),
    0,
  );
  if (seconds > most) throw new QueryFault(message);
  return text;
}

export function label(reading: QueryReading): string {
  const name = reading.take('word', (text) => LABEL.test(text));
  if (name === undefined) throw unread(reading);
  return name;
}

export function refuseRange({ next }: QueryReading): void {
  if (next().text === '[') throw new QueryFault(SUBQUERY);
}
