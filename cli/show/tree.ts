// A tree of objects, drawn with lines as `tree` draws folders.
import type { Branch } from '../explain/tree/branch.ts';
import type { Tone } from '../explain/tone.ts';
import type { Colours } from '../terminal.ts';
import { printable } from './printable.ts';

export interface TreeOptions {
  /** Every branch, however many are well. */
  readonly isWide: boolean;
  readonly colours: Colours;
}

/** Of more than so many branches in one place those that are well are only counted. */
const MOST = 20;

interface Line {
  /** With the lines that lead to it. */
  readonly what: string;
  readonly on: string;
  readonly says: string;
  readonly tone: Tone;
}

export function treeText(root: Branch, { isWide, colours }: TreeOptions): string {
  const lines = [lineOf(root, ''), ...linesBelow(root, '', isWide)];
  // A call takes no more arguments than its stack has room for.
  const longest = (of: (line: Line) => string): number =>
    lines.reduce((most, line) => Math.max(most, of(line).length), 0);
  const [wide, sites] = [longest(({ what }) => what), longest(({ on }) => on)];
  return lines
    .map(({ what, on, says, tone }) =>
      `${what.padEnd(wide)}   ${on.padEnd(sites)}   ${paintOf(tone, colours)(says)}`.trimEnd(),
    )
    .join('\n');
}

function lineOf({ kind, name, on, says, tone }: Branch, lead: string): Line {
  return { what: `${lead}${printable(`${kind} ${name}`)}`, on: printable(on), says: printable(says), tone };
}

function linesBelow({ branches }: Branch, lead: string, isWide: boolean): Line[] {
  const isCut = !isWide && branches.length > MOST;
  const shown = isCut ? branches.filter(({ tone }) => tone !== 'good').slice(0, MOST) : branches;
  const left = branches.length - shown.length;
  return [
    ...shown.flatMap((branch, at) => {
      const isLast = at === shown.length - 1 && left === 0;
      return [
        lineOf(branch, `${lead}${isLast ? '└─ ' : '├─ '}`),
        ...linesBelow(branch, `${lead}${isLast ? '   ' : '│  '}`, isWide),
      ];
    }),
    ...(left === 0
      ? []
      : [
          { what: `${lead}└─ and ${left} more: -o wide shows them`, on: '', says: '', tone: 'good' as const },
        ]),
  ];
}

function paintOf(tone: Tone, { green, red, yellow, cyan, dim }: Colours): (text: string) => string {
  return { good: green, bad: red, moving: cyan, busy: yellow, held: yellow, unknown: dim }[tone];
}
