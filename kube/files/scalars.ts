// What a scalar of YAML means to kubectl: YAML 1.1 as go-yaml reads it, where yes is true and 0400 is octal.
// Pure.
import { isDigits, wholeOf } from './digits.ts';

const WORDS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map(
    (word) => [word, true] as const,
  ),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map(
    (word) => [word, false] as const,
  ),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
]);

/** Of which JSON has none. */
const NO_NUMBER = /^(\.(nan|NaN|NAN)|[-+]?\.(inf|Inf|INF))$/;
const WHOLE = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;
const FRACTION = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const MOST = 2n ** 64n;

/** Of a value that stands where a key is to be. */
export const NO_KEY = 'a key that JSON does not have';

/** Why a scalar cannot be read. */
export class BadScalar extends Error {}

/** The value of a plain scalar. Throws BadScalar, and RangeError on Node 20 for what it would round. */
export function plainValue(text: string): unknown {
  const first = text.charCodeAt(0);
  // Most are texts that begin with a letter.
  if (first > 0x7a && text !== '~') return text;
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  if (NO_NUMBER.test(text))
    throw new BadScalar('is infinite or no number, which JSON does not have: put it in quotes');
  return '+-.0123456789'.includes(text[0] ?? 'x') ? numberOf(text) : text;
}

function numberOf(text: string): unknown {
  // Behind a dot go-yaml takes underscores between digits alone.
  if (text.startsWith('.')) return doubleOf(text.replaceAll(/(?<=\d)_(?=\d)/g, '')) ?? text;
  const plain = text.replaceAll('_', '');
  return wholeNumber(plain) ?? doubleOf(plain) ?? text;
}

/** Null for what is none, or needs more than 64 bits. */
function wholeNumber(text: string): unknown {
  const [, sign = '', digits] = WHOLE.exec(text) ?? [];
  if (digits === undefined) return null;
  if (digits.length < 16 && !digits.startsWith('0')) return Number(text);
  const isOctal = /^0[0-7]/.test(digits);
  const size = BigInt(isOctal ? `0o${digits.slice(1)}` : digits.toLowerCase());
  const value = sign === '-' ? -size : size;
  const isHeld = sign === '' ? size < MOST : BigInt.asIntN(64, value) === value;
  return isHeld ? wholeOf(value) : null;
}

function doubleOf(text: string): number | null {
  if (!FRACTION.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** The value of a scalar with a tag, such as `!!str` or `!Ref`. Throws as `plainValue`. */
export function taggedValue(tag: string, text: string): unknown {
  if (tag === '!!binary') return textOfBase64(text);
  const isAsked = ASKED[tag];
  if (isAsked === undefined) return text;
  const value = plainValue(text);
  if (isAsked(value, text)) return value;
  throw new BadScalar(`is not what its tag ${tag} says: correct it, or leave the tag out`);
}

const ASKED: Readonly<Record<string, (value: unknown, text: string) => boolean>> = {
  '!!bool': (value) => typeof value === 'boolean',
  '!!null': (value) => value === null,
  '!!int': (_value, text) => isWhole(text),
  '!!float': (value) => typeof value === 'number' || isDigits(value),
};

function isWhole(text: string): boolean {
  return !text.startsWith('.') && wholeNumber(text.replaceAll('_', '')) !== null;
}

function textOfBase64(text: string): string {
  const plain = text.replaceAll(/[\r\n]/g, '');
  if (!/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(plain))
    throw new BadScalar('is no base64, as its tag !!binary says: encode it, or leave the tag out');
  return Buffer.from(plain, 'base64').toString('utf8');
}

/**
 * A key as JSON has it: its value, and how it stands in the file. Throws BadScalar for what cannot be a key.
 */
export function keyText(value: unknown, text: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (isDigits(value)) return value.rawJSON;
  if (typeof value === 'number' && !isWhole(text)) return shortKey(value);
  // Another would be rounded, to a key that nobody wrote.
  if (Number.isSafeInteger(value)) return String(value);
  throw new BadScalar(`is ${NO_KEY}: put it in quotes`);
}

/** As Go writes a float of 32 bits: `1e+06`. */
function shortKey(value: number): string {
  const near = Math.fround(value);
  const short = [1, 2, 3, 4, 5, 6, 7, 8, 9].find(
    (many) => Math.fround(Number(near.toPrecision(many))) === near,
  );
  const [mantissa = '', exponent = '0'] = near.toExponential((short ?? 9) - 1).split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(near.toPrecision(short ?? 9)));
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
