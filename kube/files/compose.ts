// Makes values of the events of a YAML document, as go-yaml does: aliases are read anew where they stand, and
// a merge key counts from its place on.
import { EVENT_ID, getScalarValue, SCALAR_STYLE, type Event, type ScalarEvent } from 'js-yaml';
import { FileFault, lineAt } from './fault.ts';
import { HALF } from './doubtful.ts';
import { BadScalar, keyText, plainValue, taggedValue } from './scalars.ts';

/**
 * How much aliases may unfold to in one file: values, and characters of their texts. kubectl's own limit is a
 * ratio of these.
 */
export interface Unfolded {
  values: number;
  characters: number;
}

const MOST_UNFOLDED: Unfolded = { values: 400_000, characters: 8 * 1024 * 1024 };

interface Reading {
  readonly source: string;
  readonly events: readonly Event[];
  /** Of each alias, by its place among the events, the place of what it names. */
  readonly targets: ReadonlyMap<number, number>;
  readonly unfolded: Unfolded;
  /** Places of the aliases that are being read. */
  readonly open: Set<number>;
  at: number;
}

type Fields = Record<string, unknown>;

/**
 * The value of a document's events. Throws FileFault, and RangeError on Node 20 for a number that it would
 * round.
 */
export function composed(source: string, events: readonly Event[], unfolded: Unfolded): unknown {
  const targets = targetsOf(source, events);
  return valueAt({ source, events, targets, unfolded, open: new Set(), at: 0 });
}

function targetsOf(source: string, events: readonly Event[]): Map<number, number> {
  const anchors = new Map<string, number>();
  const targets = new Map<number, number>();
  for (const [place, event] of events.entries()) {
    if (!('anchorStart' in event) || event.anchorStart === -1) continue;
    const name = source.slice(event.anchorStart, event.anchorEnd);
    if (event.type !== EVENT_ID.ALIAS) {
      anchors.set(name, place);
      continue;
    }
    const target = anchors.get(name);
    if (target === undefined)
      throw faultAt(
        source,
        event,
        'an alias names an anchor that is not above it: define it above, in the same document',
      );
    targets.set(place, target);
  }
  return targets;
}

function valueAt(reading: Reading): unknown {
  const event = reading.events[reading.at];
  if (reading.open.size > 0) reading.unfolded.values += 1;
  reading.at += 1;
  switch (event?.type) {
    case EVENT_ID.SCALAR:
      return scalarOf(reading, event);
    case EVENT_ID.SEQUENCE:
      return itemsOf(reading);
    case EVENT_ID.MAPPING:
      return fieldsInto(reading, {});
    case EVENT_ID.ALIAS:
      return unfold(reading, valueAt);
    default:
      return null;
  }
}

function scalarOf(reading: Reading, event: ScalarEvent): unknown {
  const { source } = reading;
  const text = textOf(reading, event);
  if (event.tagStart === -1 && event.style !== SCALAR_STYLE.PLAIN) return text;
  try {
    return event.tagStart === -1 ? plainValue(text) : taggedValue(tagOf(source, event), text);
  } catch (error) {
    throw error instanceof BadScalar ? faultAt(source, event, `a value ${error.message}`) : error;
  }
}

/** With `u` only half of a sign that stands alone is one. */
const HALVES = /\p{Surrogate}/u;

function textOf({ source, open, unfolded }: Reading, event: ScalarEvent): string {
  const text =
    event.style === SCALAR_STYLE.DOUBLE_QUOTED ? quotedText(source, event) : getScalarValue(source, event);
  if (HALVES.test(text)) throw faultAt(source, event, HALF);
  if (open.size > 0) unfolded.characters += text.length;
  return text;
}

/** Behind a line break that is escaped, each empty line is one of the text: the package drops these. */
function quotedText(source: string, event: ScalarEvent): string {
  const { valueStart, valueEnd } = event;
  const written = source.slice(valueStart, valueEnd);
  if (!/\\\n[ \t]*\n/.test(written)) return getScalarValue(source, event);
  const kept = written.replaceAll(/\\(?:\n((?:[ \t]*\n)+)|[^])/g, (all, empty?: string) =>
    empty === undefined ? all : `${'\\n'.repeat(empty.split('\n').length - 1)}\\\n`,
  );
  return getScalarValue(kept, { ...event, valueStart: 0, valueEnd: kept.length });
}

function tagOf(source: string, { tagStart, tagEnd }: ScalarEvent): string {
  const tag = source.slice(tagStart, tagEnd);
  const [, standard] = /^!<tag:yaml\.org,2002:(.*)>$/.exec(tag) ?? [];
  return standard === undefined ? tag : `!!${standard}`;
}

function itemsOf(reading: Reading): unknown[] {
  const items: unknown[] = [];
  while (!isEnd(reading)) items.push(valueAt(reading));
  reading.at += 1;
  return items;
}

/**
 * Reads the rest of a map into `fields`. Its own keys may stand there once; what a merge brought may be there
 * already.
 */
function fieldsInto(reading: Reading, fields: Fields): Fields {
  const own = new Set<string>();
  while (!isEnd(reading)) {
    const event = reading.events[reading.at];
    if (isMerge(reading, event)) {
      reading.at += 1;
      mergeInto(reading, fields);
      continue;
    }
    const key = keyOf(reading);
    if (own.has(key)) throw faultAt(reading.source, event, 'a key stands twice in its map: leave one out');
    own.add(key);
    setField(fields, key, valueAt(reading));
  }
  reading.at += 1;
  return fields;
}

function setField(fields: Fields, key: string, value: unknown): void {
  if (key !== '__proto__') fields[key] = value;
  else Object.defineProperty(fields, key, { value, enumerable: true, writable: true, configurable: true });
}

function keyOf(reading: Reading): string {
  const event = reading.events[reading.at];
  const value = valueAt(reading);
  const text = event?.type === EVENT_ID.SCALAR ? getScalarValue(reading.source, event) : '';
  try {
    return keyText(value, text);
  } catch (error) {
    throw error instanceof BadScalar ? faultAt(reading.source, event, `there ${error.message}`) : error;
  }
}

function isMerge({ source }: Reading, event: Event | undefined): boolean {
  if (event?.type !== EVENT_ID.SCALAR || source.charAt(event.valueStart) !== '<') return false;
  if (getScalarValue(source, event) !== '<<') return false;
  if (event.tagStart === -1) return event.style === SCALAR_STYLE.PLAIN;
  return ['!!merge', '!'].includes(tagOf(source, event));
}

/**
 * The value of a merge key: a map, or several, of which the first wins. As in go-yaml they win over keys
 * above the merge key.
 */
function mergeInto(reading: Reading, fields: Fields): void {
  const event = reading.events[reading.at];
  if (event?.type !== EVENT_ID.SEQUENCE) {
    mergeOne(reading, fields);
    return;
  }
  reading.at += 1;
  const all: Fields[] = [];
  while (!isEnd(reading)) all.push(mergeOne(reading, {}));
  reading.at += 1;
  for (const one of all.toReversed())
    for (const [key, value] of Object.entries(one)) setField(fields, key, value);
}

function mergeOne(reading: Reading, fields: Fields): Fields {
  const event = reading.events[reading.at];
  const target =
    event?.type === EVENT_ID.ALIAS ? reading.events[reading.targets.get(reading.at) ?? 0] : event;
  if (target?.type !== EVENT_ID.MAPPING)
    throw faultAt(reading.source, event, 'the merge key << needs a map, or a list of maps');
  reading.at += 1;
  if (event?.type === EVENT_ID.MAPPING) return fieldsInto(reading, fields);
  return unfold(reading, () => {
    reading.at += 1;
    return fieldsInto(reading, fields);
  });
}

/** Reads what the alias before `at` names, and goes on behind the alias. */
function unfold<T>(reading: Reading, read: (reading: Reading) => T): T {
  const place = reading.at - 1;
  const target = reading.targets.get(place) ?? 0;
  const alias = reading.events[place];
  const { source, unfolded, open } = reading;
  if (open.has(target)) throw faultAt(source, alias, 'an alias stands inside what it names: take it out');
  if (unfolded.values > MOST_UNFOLDED.values || unfolded.characters > MOST_UNFOLDED.characters)
    throw faultAt(source, alias, 'the aliases unfold to more than a file may hold: write fewer of them');
  open.add(target);
  reading.at = target;
  const value = read(reading);
  reading.at = place + 1;
  open.delete(target);
  return value;
}

function isEnd({ events, at }: Reading): boolean {
  return at >= events.length || events[at]?.type === EVENT_ID.POP;
}

function faultAt(source: string, event: Event | undefined, message: string): FileFault {
  return new FileFault(lineAt(source, placeOf(event)), message);
}

function placeOf(event: Event | undefined): number {
  if (event === undefined) return 0;
  if ('valueStart' in event) return Math.max(event.valueStart, event.tagStart, event.anchorStart, 0);
  if ('start' in event) return event.start;
  return 'anchorStart' in event ? event.anchorStart : 0;
}
