// Reads the fields of messages from outside. Nothing here throws, whatever it is given.
import type { SaidReason } from '../types/copy.ts';

export type MessageFields = Readonly<Record<string, unknown>>;

/** Null if it is not an object. Arrays and bytes are not. */
export function fieldsOf(given: unknown): MessageFields | null {
  const isPlain =
    typeof given === 'object' && given !== null && !Array.isArray(given) && !ArrayBuffer.isView(given);
  return isPlain ? (given as MessageFields) : null;
}

const NAME = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const HASH = /^[A-Za-z0-9-]{1,64}$/;
const STAMP = /^[A-Za-z0-9./-]{1,256}$/;
const CAMEL = /^[A-Z][A-Za-z0-9]{0,63}$/;

/** The name of a Capp or a cluster, as Kubernetes allows it. */
export function isName(given: unknown): given is string {
  return typeof given === 'string' && NAME.test(given);
}

export function isNamespace(given: unknown): given is string {
  return typeof given === 'string' && NAMESPACE.test(given);
}

/** The hash of a status, as agents compute it. */
export function isHash(given: unknown): given is string {
  return typeof given === 'string' && HASH.test(given);
}

export function isUid(given: unknown): given is string {
  return typeof given === 'string' && HASH.test(given);
}

/** `<uid>/<hub generation>/<manifest hash>/<incarnation>`. */
export function isStamp(given: unknown): given is string {
  return typeof given === 'string' && STAMP.test(given);
}

/** CamelCase, as in a condition, at most 64 characters. */
export function isReason(given: unknown): given is SaidReason {
  return typeof given === 'string' && CAMEL.test(given);
}

/** A whole number from `least` to `most`. */
export function isWhole(given: unknown, least: number, most: number): given is number {
  return Number.isSafeInteger(given) && (given as number) >= least && (given as number) <= most;
}

/** The last millisecond of the year 9999: later times cannot be formatted. */
const END_OF_TIME = 253_402_300_799_999;

/** Milliseconds since the epoch. */
export function isTime(given: unknown): given is number {
  return typeof given === 'number' && given >= 0 && given <= END_OF_TIME;
}

/** Characters as JSON; Infinity for what is nested too deep to be written. */
export function sizeOf(given: object): number {
  try {
    return JSON.stringify(given).length;
  } catch {
    return Infinity;
  }
}

/** At most `bytes` bytes of UTF-8; empty for what is not a string. */
export function textOf(given: unknown, bytes: number): string {
  if (typeof given !== 'string') return '';
  if (given.length * 3 <= bytes || beginning(given, bytes).length === given.length) return given;
  return `${beginning(given, bytes - ELLIPSIS_BYTES)}…`;
}

const ELLIPSIS_BYTES = 3;

function beginning(text: string, bytes: number): string {
  let left = bytes;
  let end = 0;
  for (const character of text) {
    left -= bytesOf(character);
    if (left < 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function bytesOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x8_00) return 2;
  return point < 0x1_00_00 ? 3 : 4;
}
