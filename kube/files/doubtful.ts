// Refuses what kubectl would make something of that nobody has meant: letters of another encoding, the line
// separators of Unicode, and a question mark in brackets. Linear in the size of the document.
import { COLLECTION_STYLE, EVENT_ID, SCALAR_STYLE, type Event, type ScalarEvent } from 'js-yaml';
import { LOST } from './decoded.ts';
import { FileFault, lineAt } from './fault.ts';

const LETTER =
  'a letter here is in neither UTF-8 nor UTF-16, as those of Windows-1252 are: save the file in UTF-8';

/** kubectl would begin a new line at one. */
export const SEPARATOR =
  'the line has the sign U+2028 or U+2029, which ends a line for kubectl: take it out, or write \\u2028 in double quotes';

/** Of a text of JSON that begins at a line. Throws FileFault. */
export function refuseLost(text: string, firstLine: number): void {
  const at = text.indexOf(LOST);
  if (at !== -1) throw new FileFault(firstLine + lineAt(text, at) - 1, LETTER);
}

/** What an escape says that is half of a sign alone, for which an API server writes U+FFFD. */
export const HALF =
  'an escape such as \\ud83d is half of a sign alone: write both halves, or the sign itself';

const ESCAPES = /\\(?:u([\da-fA-F]{4})|[^])/g;

/** Of a text of JSON that begins at a line. Throws FileFault. */
export function refuseHalves(text: string, firstLine: number): void {
  let high = -1;
  for (const { 1: code = '', index } of text.matchAll(ESCAPES)) {
    const unit = code === '' ? 0 : Number.parseInt(code, 16);
    const isLow = unit >= 0xdc_00 && unit <= 0xdf_ff;
    const isPair = isLow && high === index - 6;
    const lone = high !== -1 && !isPair ? high : isLow && !isPair ? index : -1;
    if (lone !== -1) throw new FileFault(firstLine + lineAt(text, lone) - 1, HALF);
    high = unit >= 0xd8_00 && unit <= 0xdb_ff ? index : -1;
  }
  if (high !== -1) throw new FileFault(firstLine + lineAt(text, high) - 1, HALF);
}

/** Of a document of YAML. In comments a lost letter is nobody's loss. Throws FileFault. */
export function refuseDoubtful(source: string, events: readonly Event[], isLossy: boolean): void {
  const isLost = isLossy && source.includes(LOST);
  if (isLost) for (const event of events) refuseIn(source, partsOf(event), LOST, LETTER);
  if (/[\u2028\u2029]/.test(source)) refuseSeparators(source, events);
  if (/[[{,\s]\?\S/.test(source)) refuseMarks(source, events);
  if (/:[,\]}]/.test(source)) refuseColons(source, events);
  for (const event of events)
    if ('tagStart' in event && event.tagStart !== -1) refuseTag(source, event.tagEnd);
}

/** kubectl takes the comma for a part of the tag, and loses the value. */
function refuseTag(source: string, end: number): void {
  if (source[end] === ',')
    throw new FileFault(
      lineAt(source, end),
      'a comma stands close to a tag: put a blank before it, or quotes',
    );
}

type Part = readonly [start: number, end: number];

/** Where an event has letters: its value, anchor and tag. */
function partsOf(event: Event): readonly Part[] {
  const parts: Part[] = [];
  if ('valueStart' in event) parts.push([event.valueStart, event.valueEnd]);
  if ('anchorStart' in event) parts.push([event.anchorStart, event.anchorEnd]);
  if ('tagStart' in event) parts.push([event.tagStart, event.tagEnd]);
  return parts.filter(([start]) => start !== -1);
}

function refuseIn(source: string, parts: readonly Part[], sign: string, message: string): void {
  for (const [start, end] of parts) {
    const at = source.slice(start, end).indexOf(sign);
    if (at !== -1) throw new FileFault(lineAt(source, start + at), message);
  }
}

/** In quotes they stay what they are, but beside a blank, which kubectl takes for that of a line's margin. */
function refuseSeparators(source: string, events: readonly Event[]): void {
  const refuse = (from: number, to: number, wanted: RegExp): void => {
    const at = source.slice(from, to).search(wanted);
    if (at !== -1) throw new FileFault(lineAt(source, from + at), SEPARATOR);
  };
  let from = 0;
  for (const event of events.filter(isQuoted)) {
    refuse(from, event.valueStart, /[\u2028\u2029]/);
    refuse(event.valueStart, event.valueEnd, /[ \t\n][\u2028\u2029]|[\u2028\u2029][ \t\n]/);
    from = event.valueEnd;
  }
  refuse(from, source.length, /[\u2028\u2029]/);
}

function isQuoted(event: Event): event is ScalarEvent {
  const { SINGLE_QUOTED, DOUBLE_QUOTED } = SCALAR_STYLE;
  return event.type === EVENT_ID.SCALAR && [SINGLE_QUOTED, DOUBLE_QUOTED].some((one) => one === event.style);
}

/** In brackets kubectl takes it for the sign of a key, whatever follows. */
function refuseMarks(source: string, events: readonly Event[]): void {
  for (const { valueStart } of plainInBrackets(events))
    if (source.charAt(valueStart) === '?')
      throw new FileFault(
        lineAt(source, valueStart),
        'a value that begins with ? needs quotes around it in brackets',
      );
}

/** In brackets kubectl takes a colon for a part of the key, if no blank follows it. */
function refuseColons(source: string, events: readonly Event[]): void {
  for (const { valueEnd } of plainInBrackets(events))
    if (/^[ \t]*:[,\]}]/.test(source.slice(valueEnd, valueEnd + WIDEST)))
      throw new FileFault(
        lineAt(source, valueEnd),
        'a key in brackets has a colon and no value: write the value, or put a blank behind the colon',
      );
}

/** Blanks before a colon, which nobody writes. */
const WIDEST = 80;

/** Those without quotes. */
function* plainInBrackets(events: readonly Event[]): Generator<ScalarEvent> {
  const open: boolean[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) open.pop();
    if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING)
      open.push(event.style === COLLECTION_STYLE.FLOW);
    if (event.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.PLAIN && open.at(-1) === true)
      yield event;
  }
}
