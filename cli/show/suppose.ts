// What would become of what is on a site, as a table.
import type { Colours } from '../terminal.ts';
import { span } from './age.ts';
import { table } from './table.ts';

/** As the hub's functions say it. */
export interface ShownOutlook {
  readonly kind: string;
  readonly name: string;
  readonly does: string;
  readonly to: string | null;
  readonly afterSeconds: number;
  readonly isEstimate: boolean;
  readonly reason: string;
  readonly message: string;
}

const NAMED = 10;

/** `what` is the supposition, such as `the loss of site-3`. */
export function supposedText(
  { what, outlooks }: { readonly what: string; readonly outlooks: readonly ShownOutlook[] },
  { isWide, colours }: { isWide: boolean; colours: Colours },
): string {
  if (outlooks.length === 0) return `Nothing would change with ${what}: no Capp, CappSet or Bundle is there.`;
  const shown = isWide ? outlooks : outlooks.slice(0, NAMED);
  const rows = shown.map((one) => [
    `${one.kind.toLowerCase()}/${one.name}`,
    one.does,
    one.to ?? '',
    one.does === 'Stays' ? '' : one.afterSeconds === 0 ? 'at once' : `after ${span(one.afterSeconds * 1000)}`,
    one.isEstimate ? 'estimate' : 'the hub',
    one.message,
  ]);
  const left = outlooks.length - shown.length;
  const more = left === 0 ? '' : `\nand ${left} more, which -o wide names.`;
  const parts = [
    colours.bold(`With ${what}, ${countsOf(outlooks)}. Nothing has been changed.`),
    `${table(['WHAT', 'DOES', 'TO', 'WHEN', 'RESTS ON', 'WHY'], rows)}${more}`,
  ];
  return [...parts, ...(outlooks.some(({ isEstimate }) => isEstimate) ? [ESTIMATE] : [])].join('\n\n');
}

const ESTIMATE =
  'estimate: OCM was not asked. It rests on the tolerations of the Placements and on what they select now; a new taint or loss may have OCM select other sites.';

function countsOf(outlooks: readonly ShownOutlook[]): string {
  const counted = WORDS.map(([does, word]) => {
    const count = outlooks.filter((one) => one.does === does).length;
    return count === 0 ? '' : `${count} would ${word}`;
  });
  return counted.filter((one) => one !== '').join(', ');
}

const WORDS = [
  ['Moves', 'move'],
  ['Waits', 'wait'],
  ['Leaves', 'leave'],
  ['Stays', 'stay'],
] as const;
