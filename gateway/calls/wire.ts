// The fields of a message that a rule asks for, cut out of its bytes before it is decoded: decoding makes an
// object of every two bytes that a site sends, whether or not anybody reads it.

/** A field that is kept as it is: a text, bytes or a number. */
export const WHOLE = 'whole';

/**
 * The fields that are kept, by their numbers, and of messages within the message those that are kept there.
 */
export interface WireShape {
  readonly [field: number]: WireShape | typeof WHOLE;
}

/** Fields at all places that are looked at. The calls of an agent have twenty. */
const MOST_FIELDS = 500;
/** How Protobuf writes a field. Groups have been out of use for long, and Temporal has none. */
const VARINT = 0;
const EIGHT_BYTES = 1;
const WITH_LENGTH = 2;
const FOUR_BYTES = 5;
/** Bytes of the longest number, and of the longest tag or length. */
const LONGEST = 10;
const LONGEST_SMALL = 5;

/** Throws an Error for what is no message, and for one of very many fields. */
export function cutOut(bytes: Uint8Array, shape: WireShape): Uint8Array {
  return cut(bytes, shape, { fields: MOST_FIELDS });
}

function cut(bytes: Uint8Array, shape: WireShape, left: { fields: number }): Buffer {
  const kept: Uint8Array[] = [];
  let begin = 0;
  while (begin < bytes.length) {
    left.fields -= 1;
    if (left.fields < 0) throw new Error('The message has too many fields');
    const tag = numberAt(bytes, begin);
    const field = Math.floor(tag.value / 8);
    const { from, end } = bodyAt(bytes, tag.end, tag.value % 8);
    if (field === 0 || end > bytes.length) throw new Error('The message ends too early');
    const inner = shape[field];
    if (inner === WHOLE) kept.push(bytes.subarray(begin, end));
    else if (inner !== undefined && tag.value % 8 === WITH_LENGTH) {
      const part = cut(bytes.subarray(from, end), inner, left);
      kept.push(bytes.subarray(begin, tag.end), written(part.length), part);
    }
    begin = end;
  }
  return Buffer.concat(kept);
}

function bodyAt(
  bytes: Uint8Array,
  from: number,
  kind: number,
): { readonly from: number; readonly end: number } {
  if (kind === EIGHT_BYTES) return { from, end: from + 8 };
  if (kind === FOUR_BYTES) return { from, end: from + 4 };
  if (kind === VARINT) return { from, end: endOfNumber(bytes, from, LONGEST) };
  if (kind !== WITH_LENGTH) throw new Error('The message has a group');
  const { value, end } = numberAt(bytes, from);
  return { from: end, end: end + value };
}

/** A tag or a length. */
function numberAt(bytes: Uint8Array, from: number): { readonly value: number; readonly end: number } {
  const end = endOfNumber(bytes, from, LONGEST_SMALL);
  let value = 0;
  for (let at = end - 1; at >= from; at -= 1) value = value * 128 + ((bytes[at] ?? 0) & 127);
  return { value, end };
}

function endOfNumber(bytes: Uint8Array, from: number, longest: number): number {
  for (let at = from; at < Math.min(bytes.length, from + longest); at += 1)
    if ((bytes[at] ?? 0) < 128) return at + 1;
  throw new Error('The message has a number without an end');
}

function written(length: number): Uint8Array {
  const bytes: number[] = [];
  for (let left = length; ; left = Math.floor(left / 128)) {
    if (left < 128) return Uint8Array.from([...bytes, left]);
    bytes.push((left % 128) + 128);
  }
}
