// Reads a file of manifests as kubectl reads it: the one reader for what people write, in files, ConfigMaps
// and Secrets.
import { isUtf8 } from 'node:buffer';
import { parseEvents, YAMLException, EVENT_ID, type Event } from 'js-yaml';
import { composed, type Unfolded } from './compose.ts';
import { CARRIES_DIGITS, parseDigits } from './digits.ts';
import { FileFault, lineAt, TooLong } from './fault.ts';
import { indented } from './indent.ts';
import { chunksOf, jsonTexts, looksLikeJson, type Chunk } from './stream.ts';

/** Maps and lists one inside the other. Kubernetes' own schemas have some fifty. */
const MOST_NESTED = 500;

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
  const text = (typeof file === 'string' ? file : decoded(file)).replace(/^\uFEFF/, '');
  try {
    for (const value of everyValue(text.replaceAll('\r\n', '\n'), most)) if (value !== null) yield value;
  } catch (error) {
    throw error instanceof RangeError && !CARRIES_DIGITS ? new FileFault(1, ROUNDED) : error;
  }
}

const ROUNDED =
  'a whole number is larger than 9007199254740992, which Node 20 would round: use Node 22 or newer';

/** UTF-8, or UTF-16 if a byte order mark says so. Throws FileFault for letters of another encoding. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  const isBig = first === 0xfe && second === 0xff;
  if (isLittle || isBig) return wideText(bytes, isLittle ? 'utf-16le' : 'utf-16be');
  const text = new TextDecoder('utf-8').decode(bytes);
  if (!isUtf8(bytes)) refuseLost(text);
  return text;
}

function wideText(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new FileFault(1, 'a letter of the file is half of one in UTF-16: save the file in UTF-8');
  }
}

/** A line ends with the sign of a block scalar, so that lines that begin with # may be text. */
const BLOCK = /[|>][-+\d]*[ \t]*(?:#.*)?$/m;

/** kubectl makes U+FFFD of letters that it cannot read. In lines of comments they are nobody's loss. */
function refuseLost(text: string): void {
  const comment = BLOCK.test(text) ? /^#.*/ : /^\s*#.*/;
  const line = text.split('\n').findIndex((one) => one.replace(comment, '').includes('\uFFFD'));
  if (line !== -1)
    throw new FileFault(
      line + 1,
      'a letter here is not in UTF-8, as of Windows-1252: save the file in UTF-8',
    );
}

function* everyValue(text: string, most: number): Generator<unknown, void> {
  if (!looksLikeJson(text)) {
    yield* fromYaml(text, 1, most);
    return;
  }
  const { values, end, fault } = jsonValues(text);
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
  yield* values;
  yield* fromYaml(rest, lineAt(text, text.length - rest.length), most);
}

function* fromYaml(rest: string, firstLine: number, most: number): Generator<unknown, void> {
  const unfolded: Unfolded = { values: 0, characters: 0 };
  for (const chunk of chunksOf(rest, firstLine)) {
    if (chunk.text.length > most)
      throw new TooLong(
        chunk.line,
        `the document that begins here has more than ${most} characters: make several of it`,
      );
    yield valueOf(chunk, unfolded);
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

function valueOf({ text, line }: Chunk, unfolded: Unfolded): unknown {
  // A byte order mark may begin each document: files that were joined have some.
  const source = text.replace(/^\uFEFF/, '').replaceAll(/[\r\u0085]/g, '\n');
  try {
    return fromSource(source, unfolded);
  } catch (error) {
    if (error instanceof FileFault) throw new FileFault(line + error.line - 1, error.message);
    if (error instanceof YAMLException) {
      const at = error.mark?.line ?? 0;
      throw new FileFault(line + at, wordsOf(error, source.split('\n')[at] ?? ''));
    }
    throw error;
  }
}

function fromSource(source: string, unfolded: Unfolded): unknown {
  try {
    return composed(source, firstDocument(source), unfolded);
  } catch (error) {
    if (!(error instanceof YAMLException) || error.reason !== 'deficient indentation') throw error;
    const further = indented(source);
    return composed(further, firstDocument(further), unfolded);
  }
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

/** What YAML reads as a sign of its own where a value begins. */
const SIGN = /(?::|-|,|\[|\{)\s+([*@`%])/;

/** Without what the package quotes of the file. */
function wordsOf({ reason }: YAMLException, line: string): string {
  if (line.includes('{{'))
    return 'the line has {{: put the value in quotes, or, if a chart renders the file, ship what that renders';
  const [, sign] = SIGN.exec(line) ?? [];
  if (sign !== undefined) return `a value that begins with ${sign} needs quotes around it`;
  if (reason.startsWith('nesting exceeded'))
    return `maps and lists are nested more than ${MOST_NESTED} deep: write fewer levels`;
  const [said = ''] = reason.split(/ "|: /);
  return `the YAML cannot be read (${said}): look at indentation, quotes and colons there`;
}
