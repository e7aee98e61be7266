// The table of Capps, and a line of it.
import type { Summary } from '../explain/capp/summary.ts';
import type { Colours } from '../terminal.ts';
import { age } from './age.ts';
import { phaseCell } from './phase.ts';
import { table, type Cell } from './table.ts';

export interface CappListOptions {
  readonly isWide: boolean;
  readonly isAll: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly colours: Colours;
}

export function listText(summaries: readonly Summary[], options: CappListOptions): string {
  const hasSets = summaries.some(({ set }) => set !== null);
  return table(
    headOf(options, hasSets),
    summaries.map((one) => rowOf(one, options, hasSets)),
  );
}

/** `hasSets`: there is a column for the CappSets that keep them. */
export function headOf(
  { isAll, isWide }: Pick<CappListOptions, 'isAll' | 'isWide'>,
  hasSets: boolean,
): string[] {
  return [
    ...(isAll ? ['NAMESPACE'] : []),
    'NAME',
    ...(hasSets ? ['SET'] : []),
    'PHASE',
    'SITE',
    'REASON',
    'SEEN',
    'AGE',
    ...(isWide ? ['GENERATION', 'HOSTNAME', 'LAST MOVE', 'MESSAGE'] : []),
  ];
}

export function rowOf(summary: Summary, options: CappListOptions, hasSets: boolean): Cell[] {
  const { isAll, isWide, now, colours } = options;
  const { namespace, name, set, phase, site, reason, createdAt, generation, hostname, lastMove, message } =
    summary;
  const move = lastMove === null ? '' : `${lastMove.from} → ${lastMove.to} (${lastMove.result})`;
  return [
    ...(isAll ? [namespace] : []),
    name,
    ...(hasSets ? [set ?? ''] : []),
    phaseCell(phase, colours),
    site ?? '',
    reason ?? '',
    seenCell(summary, now, colours),
    age(createdAt ?? undefined, now),
    ...(isWide ? [String(generation), hostname ?? '', move, message ?? ''] : []),
  ];
}

/** How old the answer is: nothing is written about a Capp at which nothing changes, so that is current. */
function seenCell({ freshness, generation }: Summary, now: number, colours: Colours): Cell {
  switch (freshness.is) {
    case 'current':
      return 'now';
    case 'none':
      return { text: 'never', paint: colours.yellow };
    case 'behind':
      return { text: `generation ${freshness.observed} of ${generation}`, paint: colours.yellow };
    case 'unseen':
      return { text: `${age(freshness.since, now)} ago`, paint: colours.yellow };
  }
}
