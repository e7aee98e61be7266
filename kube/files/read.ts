// Reads a file of manifests as kubectl reads it: the one reader for what people write, in files, ConfigMaps
// and Secrets.
import { parseEvents, YAMLException, EVENT_ID, type Event } from 'js-yaml';
import { isDeeper } from '../depth.ts';
import { composed, type Unfolded } from './compose.ts';
import { decoded } from './decoded.ts';
import { CARRIES_DIGITS, parseDigits } from './digits.ts';
import { refuseDoubtful, refuseHalves, refuseLost } from './doubtful.ts';
import { FileFault, lineAt, TooLong } from './fault.ts';
import { refuseNearJson } from './near-json.ts';
import { respaced } from './respaced.ts';
import { MOST_NESTED, NESTED, wordsIn, wordsOf } from './words.ts';
import { chunksOf, jsonTexts, looksLikeJson, type Chunk } from './stream.ts';

/**
 * All documents of a file, in time linear in its size: YAML 1.1, or JSON objects one behind the other. Those
 * without content are left out, and lists are not taken apart (`objectsOf`). A whole number that no double
 * holds is raw JSON (digits.ts). Throws FileFault.
 */
export function documentsOf(file: string | Uint8Array): unknown[] {
  return [...eachDocument(file)];
}

/**
 * The same, each read when it is asked for, so that others may have the thread between them. A document of
 * YAML with more than `most` characters is a FileFault.
 */
export function* eachDocument(file: string | Uint8Array, most = Infinity): Generator<unknown, void> {
  const { text, isLossy } = typeof file === 'string' ? { text: file, isLossy: false } : decoded(file);
  const lines = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const reading: Reading = { most, isLossy, unfolded: { values: 0, characters: 0 } };
  try {
    for (const value of everyValue(lines, reading)) if (value !== null) yield value;
  } catch (error) {
    throw error instanceof RangeError && !CARRIES_DIGITS ? new FileFault(1, ROUNDED) : error;
  }
}

interface Reading {
  /** Characters of one document of YAML. */
  readonly most: number;
  readonly isLossy: boolean;
  readonly unfolded: Unfolded;
}

const ROUNDED =
  'a whole number is larger than 9007199254740992, which Node 20 would round: use Node 22 or newer';

function* everyValue(text: string, reading: Reading): Generator<unknown, void> {
  if (!looksLikeJson(text)) {
    yield* fromYaml(text, 1, reading);
    return;
  }
  const { values, end, fault } = jsonValues(text);
  if (reading.isLossy) refuseLost(text.slice(0, end), 1);
  if (/\\u[dD]/.test(text)) refuseHalves(text.slice(0, end), 1);
  if (fault === null && text.slice(end).trim() === '') {
    yield* values;
    return;
  }
  if (values.length > 1)
    throw (
      fault ??
      new FileFault(
        lineAt(text, end),
        'what follows the JSON objects is no JSON: write it into a file of its own',
      )
    );
  const rest = text.slice(end).replace(/^[^\S\n]*\n?/, '');
  const line = lineAt(text, text.length - rest.length);
  if (values.length === 0) refuseNearJson(chunksOf(rest, line)[0]);
  yield* values;
  yield* fromYaml(rest, line, reading);
}

function* fromYaml(rest: string, firstLine: number, reading: Reading): Generator<unknown, void> {
  const { most } = reading;
  for (const chunk of chunksOf(rest, firstLine)) {
    if (chunk.text.length > most)
      throw new TooLong(
        chunk.line,
        `the document that begins here has more than ${most} characters: make several of it`,
      );
    yield valueOf(chunk, reading);
  }
}

const BOUNDLESS =
  'the object that begins here has a number beyond 1.8e308, which nobody can keep: put it in quotes';

interface JsonValues {
  readonly values: unknown[];
  /** Behind the last of them. */
  readonly end: number;
  readonly fault: FileFault | null;
}

function jsonValues(text: string): JsonValues {
  const values: unknown[] = [];
  let end = 0;
  for (const one of jsonTexts(text).objects) {
    const start = text.indexOf(one, end);
    if (isDeeper(one, MOST_NESTED)) throw new FileFault(lineAt(text, start), NESTED);
    try {
      values.push(parseDigits(one));
    } catch (error) {
      const line = lineAt(text, start);
      if (error instanceof RangeError && CARRIES_DIGITS) throw new FileFault(line, BOUNDLESS);
      if (!(error instanceof SyntaxError)) throw error;
      return {
        values,
        end,
        fault: new FileFault(
          line,
          'the object that begins here is no JSON: look at its commas, quotes and brackets',
        ),
      };
    }
    end = start + one.length;
  }
  return { values, end, fault: null };
}

function valueOf({ text, line }: Chunk, reading: Reading): unknown {
  // A byte order mark may begin each document: files that were joined have some.
  const source = text.replace(/^\uFEFF/, '').replaceAll(/[\r\u0085]/g, '\n');
  try {
    return fromSource(withoutDirectives(source), reading);
  } catch (error) {
    if (error instanceof FileFault) {
      const said = source.split('\n')[error.line - 1] ?? '';
      throw new FileFault(line + error.line - 1, wordsIn(error, said));
    }
    if (error instanceof YAMLException) {
      const at = error.mark?.line ?? 0;
      throw new FileFault(line + at, wordsOf(error, source.split('\n')[at] ?? ''));
    }
    throw error;
  }
}

function fromSource(source: string, reading: Reading): unknown {
  try {
    return fromEvents(source, firstDocument(source), reading);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const further = respaced(source);
    if (further === source) throw error;
    return fromEvents(further, firstDocument(further), reading);
  }
}

function fromEvents(source: string, events: readonly Event[], { isLossy, unfolded }: Reading): unknown {
  refuseDoubtful(source, events, isLossy);
  return composed(source, events, unfolded);
}

/** Those behind `...` are of the document that follows, of which each is read for itself. */
function withoutDirectives(source: string): string {
  const end = /^\.\.\.[ \t]*(?:#.*)?$/m.exec(source);
  if (end === null) return source;
  const from = end.index + end[0].length;
  const isOfNext = source
    .slice(from)
    .split('\n')
    .every((line) => /^(?:\s*(?:#.*)?|%.*)$/.test(line));
  return isOfNext ? source.slice(0, from) : source;
}

function firstDocument(source: string): Event[] {
  const events = parseEvents(source, { maxDepth: MOST_NESTED });
  const [first, ...others] = events.flatMap(({ type }, index) => (type === EVENT_ID.DOCUMENT ? [index] : []));
  if (first === undefined) return [];
  if (others.length > 0)
    throw new FileFault(
      lineAt(source, /^\.\.\./m.exec(source)?.index ?? 0),
      'kubectl reads nothing that follows ... without ---: begin a document there with ---',
    );
  return events.slice(first + 1, -1);
}
