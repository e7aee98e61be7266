// A condition that is not as a person might expect it, as `why` shows it.
import type { ExplainedFinding } from '../explain/finding.ts';
import type { Colours } from '../terminal.ts';
import { age, span } from './age.ts';
import { printable } from './printable.ts';

export interface WhyOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly colours: Colours;
}

export function findingText(finding: ExplainedFinding, { now, colours }: WhyOptions): string {
  const { condition, status, reason, since, until, words, message, remedy, command } = finding;
  const title = `${condition}=${status} (${reason}), since ${age(since, now)}`;
  const rows = [
    ['means', words],
    ['says', message],
    ['until', until === null ? '' : `${until} (${remaining(until, now)})`],
    ['helps', remedy],
    ['run', command],
  ];
  return paragraph(title, rows, colours);
}

/** A title, and a line for each row that has a text. */
export function paragraph(title: string, rows: readonly (readonly string[])[], colours: Colours): string {
  const lines = rows
    .filter(([, text]) => text !== '')
    .map(([label = '', text = '']) => `  ${colours.dim(label.padEnd(6))} ${printable(text)}`);
  return [colours.yellow(printable(title)), ...lines].join('\n');
}

function remaining(until: string, now: number): string {
  const left = Date.parse(until) - now;
  return left > 0 ? `in ${span(left)}` : `${span(-left)} ago`;
}
