// `kubectl capp rollback`: gives a Capp the spec of an earlier revision, as a write of the person's own.
import { inWords } from '../../explain/changes.ts';
import type { Exit } from '../../exit.ts';
import { askToRollBack, rollbackOf } from '../../hub/acts/rollback.ts';
import { readCapp } from '../../hub/objects/capps.ts';
import { acting, onHub, wholeNumber, type CommandCall, type Program } from '../command.ts';

interface Flags {
  readonly to?: number;
  readonly reason?: string;
}

export function addRollback(program: Program): void {
  onHub(program.root.command('rollback'))
    .description(
      'go back: give a Capp the spec of an earlier revision (rollout undo for a CappSet or a Bundle)',
    )
    .argument('<capp>', 'its name, or namespace/name')
    .option(
      '--to <revision>',
      'the number of the revision; the last one with another spec if not given',
      wholeNumber,
    )
    .option('--reason <text>', 'why, for the status and the audit: at most 256 characters')
    .action(acting<Flags>(program, rollback));
}

async function rollback({ args, flags, hub, terminal }: CommandCall<Flags>): Promise<Exit> {
  const capp = await readCapp(hub, args[0] ?? '');
  const { namespace = '', name } = capp.metadata;
  const wanted = await rollbackOf(hub, capp, flags.to ?? null);
  const { to, changes } = wanted;
  if (changes.length === 0) {
    terminal.out(`${namespace}/${name} has the spec of revision ${to} already.`);
    return 'done';
  }
  const after = await askToRollBack(hub, capp, wanted, flags.reason);
  terminal.out(
    `${namespace}/${name} has the spec of revision ${to} again, as generation ${after.metadata.generation}: ${inWords(changes)}. Follow it: kubectl capp watch ${name} -n ${namespace}`,
  );
  return 'done';
}
