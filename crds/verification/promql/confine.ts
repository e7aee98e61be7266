// Forces a query of PromQL into one namespace, as prom-label-proxy does: every selector of series in it gets
// `namespace="…"` beside what it has. The query is read by a grammar that knows less than Prometheus' own,
// and is written anew from what was read, so nothing gets through that was not understood. Pure.
import { reader, type QueryReading } from './reader.ts';
import { label, quoted, refuseRange, selector } from './selector.ts';
import { checkNames, type Confines } from './texts.ts';
import { QueryFault, shown, tokensOf, unread } from './tokens.ts';
import { AGGREGATES, FUNCTIONS, isReserved, WORD_OPERATORS } from './words.ts';

export const LONGEST_QUERY = 1_024;
const DEEPEST = 20;
const OPERATORS: ReadonlySet<string> = new Set([
  '+',
  '-',
  '*',
  '/',
  '%',
  '^',
  '==',
  '!=',
  '>',
  '<',
  '>=',
  '<=',
]);
export type Confined = { readonly query: string } | { readonly fault: string };

/** What may be asked, or why nothing may: a sentence without its full stop, with the remedy. */
export function confined(query: string, within: Confines): Confined {
  try {
    if (query.length > LONGEST_QUERY)
      throw new QueryFault(`it has more than ${LONGEST_QUERY} characters: make it shorter`);
    checkNames(within);
    return { query: written(query, within) };
  } catch (error) {
    if (error instanceof QueryFault) return { fault: error.message };
    throw error;
  }
}

/** Null if the query of a Capp, or of a stage, may be asked in any namespace. */
export function queryFault(query: string): string | null {
  const found = confined(query, { namespace: 'namespace', name: 'name' });
  return 'fault' in found ? found.fault : null;
}

function written(query: string, within: Confines): string {
  const reading: QueryReading = { ...reader(tokensOf(query)), within, selectors: 0, depth: 0 };
  const text = expression(reading);
  if (reading.next().is !== 'end') throw unread(reading);
  return text;
}

function expression(reading: QueryReading): string {
  reading.depth += 1;
  if (reading.depth > DEEPEST) throw new QueryFault('it is nested too deeply: make it simpler');
  let text = operand(reading);
  for (let by = operator(reading); by !== null; by = operator(reading)) text += ` ${by} ${operand(reading)}`;
  reading.depth -= 1;
  return text;
}

/** With the modifiers behind it; null if there is none. */
function operator(reading: QueryReading): string | null {
  const found =
    reading.take('sign', (text) => OPERATORS.has(text)) ??
    reading.take('word', (text) => WORD_OPERATORS.has(text.toLowerCase()))?.toLowerCase();
  if (found === undefined) return null;
  const bool = reading.takeWord('bool') ? ' bool' : '';
  const matched = reading.takeWord('on') ? 'on' : reading.takeWord('ignoring') ? 'ignoring' : null;
  if (matched === null) return `${found}${bool}`;
  return `${found}${bool} ${matched} ${labels(reading)}${grouped(reading)}`;
}

function grouped(reading: QueryReading): string {
  const side = reading.takeWord('group_left')
    ? 'group_left'
    : reading.takeWord('group_right')
      ? 'group_right'
      : null;
  if (side === null) return '';
  return ` ${side} ${reading.next().text === '(' ? labels(reading) : '()'}`;
}

function labels(reading: QueryReading): string {
  const names: string[] = [];
  reading.expect('(');
  while (!reading.takeSign(')')) {
    names.push(label(reading));
    if (!reading.takeSign(',') && reading.next().text !== ')') throw unread(reading);
  }
  return `(${names.join(', ')})`;
}

function operand(reading: QueryReading): string {
  const sign = reading.take('sign', (text) => text === '-' || text === '+') ?? '';
  return `${sign}${unsigned(reading)}`;
}

function unsigned(reading: QueryReading): string {
  const { is, text } = reading.next();
  if (is === 'number') return reading.skip();
  if (is === 'sign' && text === '(') return `(${parenthesis(reading)})`;
  if (is === 'sign' && text === '{') return selector(reading, '');
  if (is !== 'word') throw unread(reading);
  reading.skip();
  const lower = text.toLowerCase();
  if (AGGREGATES.has(lower)) return aggregate(reading, lower);
  if (reading.next().text === '(' && reading.next().is === 'sign') return call(reading, text);
  if (lower === 'inf' || lower === 'nan') return lower;
  if (isReserved(lower)) throw new QueryFault(`${shown(text)} is a word of PromQL, and no metric`);
  return selector(reading, text);
}

function parenthesis(reading: QueryReading): string {
  reading.expect('(');
  const text = expression(reading);
  reading.expect(')');
  refuseRange(reading);
  return text;
}

function aggregate(reading: QueryReading, name: string): string {
  const before = grouping(reading);
  const given = values(reading);
  const after = before === '' ? grouping(reading) : '';
  return `${name}${before}${before === '' ? '' : ' '}(${given})${after}`;
}

function grouping(reading: QueryReading): string {
  const by = reading.takeWord('by') ? 'by' : reading.takeWord('without') ? 'without' : null;
  return by === null ? '' : ` ${by} ${labels(reading)}`;
}

function call(reading: QueryReading, name: string): string {
  if (!FUNCTIONS.has(name)) throw new QueryFault(`${shown(name)} is no function that a check may use`);
  return `${name}(${values(reading)})`;
}

/** What a function gets: expressions and texts. */
function values(reading: QueryReading): string {
  const given: string[] = [];
  reading.expect('(');
  while (!reading.takeSign(')')) {
    const text = reading.take('text', () => true);
    given.push(text === undefined ? expression(reading) : quoted(reading, text));
    if (!reading.takeSign(',') && reading.next().text !== ')') throw unread(reading);
  }
  refuseRange(reading);
  return given.join(', ');
}
