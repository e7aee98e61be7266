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

type Looks = { readonly isWide: boolean; readonly colours: Colours };

interface Shown {
  readonly what: string;
  readonly outlooks: readonly ShownOutlook[];
}

/** `what` is the supposition, such as `the loss of site-3`. */
export function supposedText({ what, outlooks }: Shown, looks: Looks): string {
  if (outlooks.length === 0) return nothingWith(what);
  return text({ what, outlooks }, looks, ESTIMATE);
}

export function nothingWith(what: string): string {
  return `Nothing would change with ${what}: no Capp, CappSet or Bundle is there.`;
}

/**
 * `what` is the edited object, such as `Placement places/edge as in edge.yaml`; `selected` the sites that OCM
 * selects by it, null for an RCSConfig.
 */
export function editedText(
  { what, selected, outlooks }: Shown & { readonly selected: readonly string[] | null },
  looks: Looks,
): string {
  const by = selected === null ? '' : `\nOCM selects ${sitesIn(selected)} by it.`;
  return outlooks.length === 0
    ? `With ${what}, every Capp, CappSet and Bundle stays as it is. Nothing has been changed.${by}`
    : `${text({ what, outlooks }, looks, TRIAL)}${by === '' ? '' : `\n${by}`}`;
}

/** Up to ten by name. */
function sitesIn(names: readonly string[]): string {
  if (names.length === 0) return 'no site';
  const left = names.length - NAMED;
  return left > 0 ? `${names.slice(0, NAMED).join(', ')} and ${left} more sites` : names.join(', ');
}

function text({ what, outlooks }: Shown, { isWide, colours }: Looks, estimate: string): string {
  const shown = isWide ? outlooks : outlooks.slice(0, NAMED);
  const rows = shown.map((one) => [
    `${one.kind.toLowerCase()}/${one.name}`,
    one.does,
    one.to ?? '',
    whenOf(one),
    one.isEstimate ? 'estimate' : 'the hub',
    one.message,
  ]);
  const left = outlooks.length - shown.length;
  const more = left === 0 ? '' : `\nand ${left} more, which -o wide names.`;
  const parts = [
    colours.bold(`With ${what}, ${countsOf(outlooks)}. Nothing has been changed.`),
    `${table(['WHAT', 'DOES', 'TO', 'WHEN', 'RESTS ON', 'WHY'], rows)}${more}`,
  ];
  return [...parts, ...(outlooks.some(({ isEstimate }) => isEstimate) ? [estimate] : [])].join('\n\n');
}

/** Empty for what stays. */
export function whenOf({ does, afterSeconds }: Pick<ShownOutlook, 'does' | 'afterSeconds'>): string {
  if (does === 'Stays') return '';
  return afterSeconds === 0 ? 'at once' : `after ${span(afterSeconds * 1000)}`;
}

export const ESTIMATE =
  'estimate: OCM was not asked. It rests on the tolerations of the Placements and on what they select now; a new taint or loss may have OCM select other sites.';

const TRIAL =
  'estimate: OCM was asked by a trial, which has no sites that it could keep. OCM may keep others of those that it has selected: by its prioritizers where the Placement has a numberOfClusters, and where a taint is for new selections (NoSelectIfNew).';

/** Such as `3 would move, 1 would wait`. */
export function countsOf(outlooks: readonly ShownOutlook[]): string {
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
  ['Arrives', 'arrive'],
  ['Stays', 'stay'],
] as const;
