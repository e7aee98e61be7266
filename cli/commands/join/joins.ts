// `cappstan joins`: which clusters are joining, how far they are, and what they wait for.
import { joinVerdict, type JoinPhase, type JoinReason } from '../../../workflows/join/verdict.ts';
import { readJoins } from '../../hub/objects/joins.ts';
import { formatFrom, isForPrograms, print } from '../../show/output.ts';
import { table } from '../../show/table.ts';
import type { Colours } from '../../terminal.ts';
import { acting, inFormats, onHub, type Program } from '../command.ts';

interface Flags {
  readonly output?: string;
  readonly all?: true;
}

interface Join {
  readonly cluster: string;
  readonly phase: JoinPhase;
  readonly reason: JoinReason | null;
  readonly message: string;
}

export function addJoins(program: Program): void {
  inFormats(onHub(program.root.command('joins')))
    .description('list clusters that are joining, and what they wait for (for operators)')
    .option('--all', 'also those that have joined')
    .action(
      acting<Flags>(program, async ({ flags, hub, terminal }) => {
        const format = formatFrom(flags.output);
        const now = Date.now();
        const all = [...(await readJoins(hub))].map(([cluster, sight]): Join => {
          const { phase, reason, message } = joinVerdict(cluster, sight, now);
          return { cluster, phase, reason, message };
        });
        const joins = all
          .filter(({ phase, reason }) => flags.all === true || phase !== 'Equipped' || reason !== null)
          .toSorted((a, b) => (a.cluster < b.cluster ? -1 : 1));
        if (joins.length === 0)
          terminal.note('No cluster is joining. cappstan token --cluster <name> makes a token for one.');
        if (joins.length > 0 || isForPrograms(format))
          print(terminal, format, joins, () => joinsText(joins, terminal.colours));
        return 'done';
      }),
    );
}

export function joinsText(joins: readonly Join[], { green, red }: Pick<Colours, 'green' | 'red'>): string {
  return table(
    ['CLUSTER', 'PHASE', 'REASON', 'MESSAGE'],
    joins.map(({ cluster, phase, reason, message }) => [
      cluster,
      phase,
      { text: reason ?? '', paint: reason === null ? green : red },
      message,
    ]),
  );
}
