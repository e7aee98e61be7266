// Whole numbers that no double holds, such as 9007199254740993: API servers keep 64 bits, and JSON.parse
// rounds. They are read as raw JSON, which JSON.stringify writes digit by digit.

/** Of Node 22 on; the command also runs on Node 20. */
interface RawJson {
  rawJSON?: (text: string) => object;
  isRawJSON?: (value: unknown) => boolean;
}

const RAW: RawJson = JSON as unknown as RawJson;

/** Whether this Node can carry such numbers. */
export const CARRIES_DIGITS = RAW.rawJSON !== undefined;

/** Whether a value is a whole number that is kept digit by digit. */
export function isDigits(value: unknown): value is { readonly rawJSON: string } {
  return RAW.isRawJSON?.(value) === true;
}

/**
 * A number as API servers keep it: within 64 bits digit by digit, beyond that as a double. Throws RangeError
 * on Node 20.
 */
export function wholeOf(digits: bigint): unknown {
  const near = Number(digits);
  if (Number.isSafeInteger(near) || BigInt.asIntN(64, digits) !== digits) return near;
  if (RAW.rawJSON === undefined) throw new RangeError('Node 20 rounds whole numbers above 2^53');
  return RAW.rawJSON(String(digits));
}

/** Also of a number that is too large for a double. */
const MAYBE_LONG = /\d{16}|\d[eE]\+?\d{3}/;
const WHOLE = /^-?\d+$/;

/**
 * As JSON.parse, but for whole numbers that no double holds. Throws SyntaxError, and RangeError for a number
 * beyond all doubles, on Node 20 for any whole number that it would round.
 */
export function parseDigits(text: string): unknown {
  if (!MAYBE_LONG.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
    if (!Number.isFinite(value)) throw new RangeError('A number is beyond all doubles.');
    const source = context?.source ?? String(value);
    return WHOLE.test(source) ? wholeOf(BigInt(source)) : value;
  });
}
