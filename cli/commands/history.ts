// `kubectl capp history`: placements, moves, revisions, rollbacks and events of a Capp; revisions, requests
// and events of a CappSet or a Bundle.
import { readHistory } from '../hub/objects/history.ts';
import { readNamed } from '../hub/objects/named.ts';
import { age } from '../show/age.ts';
import { formatFrom, print } from '../show/output.ts';
import { table } from '../show/table.ts';
import { acting, inFormats, onHub, type Program } from './command.ts';

interface Flags {
  readonly output?: string;
}

export function addHistory(program: Program): void {
  inFormats(onHub(program.root.command('history')))
    .description(
      'where a Capp was and why, what was changed in it, a CappSet or a Bundle and by whom, and events',
    )
    .argument('<capp>', 'its name, namespace/name, cappset/name or bundle/name')
    .action(
      acting<Flags>(program, async (call) => {
        const format = formatFrom(call.flags.output);
        const found = await readNamed(call.hub, call.args[0] ?? '');
        const { happenings: history, unread } = await readHistory(call.hub, found);
        for (const what of unread)
          call.terminal.note(
            `You may not read ${what} in namespace ${found.object.metadata.namespace}: they are missing here.`,
          );
        const now = Date.now();
        print(call.terminal, format, history, () =>
          table(
            ['AGO', 'WHAT', 'REASON', 'TEXT'],
            history.map(({ at, what, reason, text }) => [age(at, now), what, reason, text]),
          ),
        );
        return 'done';
      }),
    );
}
