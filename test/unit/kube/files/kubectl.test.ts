// The reader and kubectl make the same of nine hundred files. What kubectl said is recorded
// (test/support/corpus).
import { documentsOf } from '../../../../kube/files/read.ts';
import { objectsOf } from '../../../../kube/files/lists.ts';
import { annotated, CASES, recorded, told } from '../../../support/corpus/answers.ts';

/**
 * What we refuse, and why, although kubectl reads it: there kubectl loses something without a word, or nobody
 * writes that.
 */
const STRICTER: ReadonlyMap<string, string> = new Map([
  ['a key twice', 'the first is lost'],
  ['a key twice deep inside', 'the first is lost'],
  ['a number and its text as keys', 'one of them is lost'],
  ['v: "{a: 1, a: 2}"', 'the first is lost'],
  ['dashes that are indented', 'it has its keys twice'],
  ['dots, and a document without dashes', 'the second document is lost'],
  ['a directive in the middle', 'the rest is lost'],
  ['two truths as keys', 'the first is lost'],
  ['v: "{a: -}"', 'a dash alone'],
  ['Latin1', 'a letter is lost'],
  ['a broken letter', 'a letter is lost'],
  ['key ".inf"', 'no number of JSON'],
  ['key ".nan"', 'no number of JSON'],
  ['a key twice in other quotes', 'the first is lost'],
  ['a value behind dots', 'the value is lost'],
  ['corner in brackets "!!str"', 'the value is lost'],
  ['a key in braces without a value', 'a key gets a colon'],
  ['a key at the end of braces without a value', 'a key gets a colon'],
  ['a key in a list in brackets without a value', 'a text gets a colon'],
  ['a question mark in a list in brackets', 'a text becomes a key'],
  ['a question mark in braces', 'a key loses a sign'],
  ['a line separator that ends a line', 'nobody sees the end of the line'],
  ['a line separator in a text', 'blanks are lost'],
  ['a line separator beside a blank in quotes', 'blanks are lost'],
  ['a line separator at the end of a line', 'nobody sees the end of the line'],
  ['a line separator in a comment', 'what looks like a comment is a key'],
  ['Latin1 that looks like a comment in a text', 'a letter is lost'],
  ['Latin1 that looks like a comment in quotes', 'a letter is lost'],
  ['Latin1 behind a sign that begins no comment', 'a letter is lost'],
  ['Latin1 in a key', 'a letter is lost'],
  ['Latin1 in JSON', 'a letter is lost'],
  ['half a letter of UTF-16 in a value', 'a letter is lost'],
]);

/**
 * What we read although kubectl refuses it: it can mean one thing only, and newer versions of kubectl read
 * most of it.
 */
const MILDER: ReadonlySet<string> = new Set([
  'v: "\\"a\\\\/b\\""',
  'v: "\\"\\\\ud83d\\\\ude00\\""',
  'a long key',
  'a List in a List',
  'a typed list in a List',
  'JSON and dashes',
  'JSON and dashes and YAML',
  'JSON with a comma too many',
  'JSON with comments',
  'a flow map',
]);

const { cases } = recorded();

function ours(file: string | Uint8Array): string[] | null {
  try {
    const objects = objectsOf(documentsOf(file));
    return objects.every(isObject) ? objects.map((one) => told(annotated(one))) : null;
  } catch {
    return null;
  }
}

/** kubectl refuses what has no kind, which is said of a manifest by its place. */
function isObject(value: unknown): boolean {
  const { kind, metadata } = (value ?? {}) as { kind?: unknown; metadata?: unknown };
  return typeof kind === 'string' && kind !== '' && (metadata === null || typeof metadata === 'object');
}

test('every case is recorded, and there are nine hundred', () => {
  expect(Object.keys(cases)).toEqual(Object.keys(CASES));
  expect(Object.keys(CASES).length).toBeGreaterThanOrEqual(900);
});

test.each(Object.entries(CASES))('%s', (name, file) => {
  const theirs = cases[name] ?? null;
  const read = ours(file);
  if (STRICTER.has(name)) expect([read, theirs === null]).toEqual([null, false]);
  else if (MILDER.has(name)) expect([read === null, theirs]).toEqual([false, null]);
  else expect(read).toEqual(theirs);
});
