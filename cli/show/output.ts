// The forms of an answer: a table for people, JSON or YAML for programs.
import { Scalar, stringify } from 'yaml';
import { isDigits } from '../../kube/files/digits.ts';
import { CommandFailure } from '../exit.ts';
import type { Terminal } from '../terminal.ts';

export const FORMATS = ['json', 'yaml', 'wide'] as const;
export type OutputFormat = (typeof FORMATS)[number] | 'plain';

/** Throws CommandFailure for a format that there is none of. */
export function formatFrom(text: string | undefined): OutputFormat {
  if (text === undefined) return 'plain';
  const found = FORMATS.find((one) => one === text);
  if (found === undefined)
    throw new CommandFailure('usage', `There is no output format "${text}": use ${FORMATS.join(', ')}.`);
  return found;
}

/** A program wants an answer also where there is nothing to show a person. */
export function isForPrograms(format: OutputFormat): boolean {
  return format === 'json' || format === 'yaml';
}

/** Whole numbers that no double holds, digit by digit. */
function digits(_key: unknown, value: unknown): unknown {
  return isDigits(value) ? BigInt(value.rawJSON) : value;
}

/** What steers a terminal, or shows a text in another order than it is written, and JSON leaves as it is. */
const STEERING = /[\u007f-\u009f\u2028\u2029\p{Bidi_Control}]/gu;

/** Written as JSON and YAML both read it. */
function escaped(text: string): string {
  return text.replaceAll(STEERING, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Whole numbers digit by digit; a text with what steers a terminal in quotes, in which that is escaped. */
function written(key: unknown, value: unknown): unknown {
  if (typeof value !== 'string' || value.search(STEERING) < 0) return digits(key, value);
  const quoted = new Scalar(value);
  quoted.type = Scalar.QUOTE_DOUBLE;
  return quoted;
}

/** A document without the line that begins it. */
export function yamlOf(value: unknown): string {
  return escaped(stringify(value, written).trimEnd());
}

/** As JSON, in one line where `indent` is 0. */
export function jsonOf(value: unknown, indent = 2): string {
  return escaped(JSON.stringify(value, null, indent));
}

/** Prints `value` for programs, or what `people` gives. */
export function print(
  terminal: Terminal,
  format: OutputFormat,
  value: unknown,
  people: (isWide: boolean) => string,
): void {
  if (format === 'json') terminal.out(jsonOf(value));
  else if (format === 'yaml') terminal.out(yamlOf(value));
  else terminal.out(people(format === 'wide'));
}
