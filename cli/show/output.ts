// The forms of an answer: a table for people, JSON or YAML for programs.
import { stringify } from 'yaml';
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

/** A document without the line that begins it. */
export function yamlOf(value: unknown): string {
  return stringify(value, digits).trimEnd();
}

/** Prints `value` for programs, or what `people` gives. */
export function print(
  terminal: Terminal,
  format: OutputFormat,
  value: unknown,
  people: (isWide: boolean) => string,
): void {
  if (format === 'json') terminal.out(JSON.stringify(value, null, 2));
  else if (format === 'yaml') terminal.out(yamlOf(value));
  else terminal.out(people(format === 'wide'));
}
