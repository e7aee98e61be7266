// `kubectl capp list`: a line for each Capp.
import { PAUSED } from '../../../crds/labels.ts';
import { summaryOf, type Summary } from '../../explain/capp/summary.ts';
import { listCapps } from '../../hub/capps.ts';
import { age } from '../../show/age.ts';
import { formatFrom, print } from '../../show/output.ts';
import { phaseCell } from '../../show/phase.ts';
import { table, type Cell } from '../../show/table.ts';
import type { Colours } from '../../terminal.ts';
import { acting, inFormats, onHub, type Program } from '../command.ts';

interface Flags {
  readonly allNamespaces?: true;
  readonly output?: string;
}

export function addList(program: Program): void {
  inFormats(onHub(program.root.command('list').alias('ls')))
    .description('list Capps with their site, phase and reason')
    .option('-A, --all-namespaces', 'of all namespaces')
    .action(
      acting<Flags>(program, async ({ flags, hub, terminal }) => {
        const format = formatFrom(flags.output);
        const namespace = flags.allNamespaces === true ? null : hub.namespace;
        const capps = await listCapps(hub, namespace);
        const summaries = capps.map((capp) => summaryOf(capp, PAUSED));
        if (summaries.length === 0) terminal.note(nothingIn(namespace));
        if (summaries.length > 0 || format === 'json' || format === 'yaml')
          print(terminal, format, summaries, (isWide) =>
            listText(summaries, { isWide, isAll: namespace === null, now: Date.now(), ...terminal }),
          );
        return 'done';
      }),
    );
}

function nothingIn(namespace: string | null): string {
  return namespace === null
    ? 'There are no Capps.'
    : `There are no Capps in namespace ${namespace}. Another namespace: -n <namespace>, all: -A.`;
}

export interface ListOptions {
  readonly isWide: boolean;
  readonly isAll: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly colours: Colours;
}

export function listText(summaries: readonly Summary[], options: ListOptions): string {
  const { isWide, isAll } = options;
  const hasSets = summaries.some(({ set }) => set !== null);
  const head = [
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
  return table(
    head,
    summaries.map((one) => [
      ...(isAll ? [one.namespace] : []),
      one.name,
      ...(hasSets ? [one.set ?? ''] : []),
      ...rowOf(one, options),
    ]),
  );
}

/** Without the name. */
function rowOf(summary: Summary, { isWide, now, colours }: ListOptions): Cell[] {
  const { phase, site, reason, createdAt, generation, hostname, lastMove, message } = summary;
  const move = lastMove === null ? '' : `${lastMove.from} → ${lastMove.to} (${lastMove.result})`;
  return [
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
