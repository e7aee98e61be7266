// Tables as kubectl prints them: no borders, a line for each row, columns as wide as their widest cell.
import Table from 'cli-table3';
import { printable } from './printable.ts';

/** A cell and how it is coloured; its width counts without colours. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

const NONE = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
} as const;

/** Empty cells are `-`, so that columns can be cut by words. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const made = new Table({
    chars: NONE,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 3 },
    head: [...head],
  });
  made.push(...rows.map((row) => row.map(painted)));
  return made
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** As it is shown, without its colour. */
export function textOf(cell: Cell): string {
  return printable(typeof cell === 'string' ? cell : cell.text) || '-';
}

function painted(cell: Cell): string {
  const text = textOf(cell);
  return typeof cell === 'string' ? text : cell.paint(text);
}
