// A Drain in words and lines: how far it is, what it would do, and how it ended.
import { shareOf, type DrainView } from '../explain/drain.ts';
import type { Colours } from '../terminal.ts';
import { cutTo } from './drawer.ts';
import { printable } from './printable.ts';
import { table } from './table.ts';

/** `1 Capp`, `2 Capps`. */
export function capps(count: number): string {
  return count === 1 ? '1 Capp' : `${count} Capps`;
}

/** For pipes: one line. */
export function progressLine(view: DrainView): string {
  const { phase, moved, underWay, waiting, stayed } = view;
  if (phase === null) return 'The hub has not looked at the Drain yet.';
  return `${phase}: ${moved} of ${capps(moved + underWay + waiting)} moved; on their way: ${underWay}; waiting: ${waiting}; staying: ${stayed}${countsOf(view)}`;
}

function countsOf({ reasons }: DrainView): string {
  return reasons.length === 0
    ? ''
    : ` (${reasons.map(({ reason, capps: count }) => `${reason} ${count}`).join(', ')})`;
}

const BAR = 30;

/** For a terminal: a bar, and what is behind it. */
export function progressLines(
  view: DrainView,
  { width, colours }: { readonly width: number; readonly colours: Colours },
): string[] {
  const { site, phase, moved, underWay, waiting, stayed, targets } = view;
  const full = Math.round(shareOf(view) * BAR);
  const bar = `${'█'.repeat(full)}${'░'.repeat(BAR - full)}`;
  const head = `${site} ${bar} ${moved} of ${capps(moved + underWay + waiting)} moved`;
  const where = targets.map(({ site: to, capps: count }) => `${to} ${count}`).join(', ');
  const lines = [
    phase === 'Paused' ? `${head}, paused` : head,
    `on their way: ${underWay}${where === '' ? '' : ` (${where})`}`,
    `waiting: ${waiting}   staying: ${stayed}${countsOf(view)}`,
  ];
  const shown = phase === null ? [`${site}: the hub has not looked at the Drain yet`] : lines;
  return shown.map((line, index) => {
    const text = cutTo(width, printable(line));
    return index === 0 ? colours.bold(text) : text;
  });
}

const NAMED = 10;

/** What a drain would do. `isWide` names all that the status names. */
export function planText(
  view: DrainView,
  { isWide, colours }: { isWide: boolean; colours: Colours },
): string {
  const { site, waiting, stayed, targets, going } = view;
  const rest = stayed === 0 ? '' : `, and ${stayed} would stay`;
  const head = `A drain of ${site} would move ${capps(waiting)}${rest}. Nothing has been changed.`;
  const shown = going.slice(0, isWide ? going.length : NAMED);
  const parts = [
    colours.bold(head),
    ...(targets.length === 0
      ? []
      : [
          table(
            ['TO', 'CAPPS'],
            targets.map(({ site: to, capps: count }) => [to, String(count)]),
          ),
        ]),
    ...(shown.length === 0
      ? []
      : [
          `${table(
            ['FIRST TO GO', 'TO'],
            shown.map(({ capp, site: to }) => [capp, to]),
          )}${more(waiting - shown.length, going.length - shown.length)}`,
        ]),
    ...(stayed === 0 ? [] : [staysText(view, isWide)]),
  ];
  return parts.join('\n\n');
}

/** `left` are not shown, of which the status names `named`. */
function more(left: number, named: number): string {
  if (left <= 0) return '';
  return `\nand ${left} more${named === 0 ? '' : `, of which -o wide names ${named}`}.`;
}

/** Those that stay, why, and what helps. */
export function staysText({ stays, stayed }: DrainView, isWide: boolean): string {
  const shown = stays.slice(0, isWide ? stays.length : NAMED);
  const rows = shown.map(({ capp, reason, remedy }) => [capp, reason, remedy]);
  return `${table(['STAYS', 'REASON', 'WHAT HELPS'], rows)}${more(stayed - shown.length, stays.length - shown.length)}`;
}

/** How a drain ended: one sentence. */
export function endSentence({ site, phase, moved, stayed }: DrainView): string {
  const done = `${capps(moved)} moved`;
  if (phase === 'Stopped')
    return `Somebody stopped the drain of ${site} through Temporal after ${done}. Every Capp keeps its copies.`;
  return stayed === 0
    ? `${site} is empty: ${done}.`
    : `The drain of ${site} has ended: ${done}, and ${capps(stayed)} ${stayed === 1 ? 'stays' : 'stay'} there.`;
}
