// `kubectl capp move`: asks the hub to move a Capp, and waits for the answer if told to.
import { PAUSED } from '../../../crds/labels.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { answerTo } from '../../explain/capp/answer.ts';
import { isPaused } from '../../explain/capp/phase.ts';
import type { Exit } from '../../exit.ts';
import { askToMove, moveRequest } from '../../hub/acts/capp.ts';
import { readCapp } from '../../hub/objects/capps.ts';
import { acting, onHub, type CommandCall, type Program } from '../command.ts';
import { confirmed, timeout, waitFor, type TimeoutFlag } from './waiting.ts';

interface Flags extends TimeoutFlag {
  readonly force?: true;
  readonly yes?: true;
  readonly wait?: true;
}

export function addMove(program: Program): void {
  const command = onHub(program.root.command('move'))
    .description('ask for a move of a Capp, to a site or to the best other one')
    .argument('<capp>', 'its name, or namespace/name')
    .argument('[site]', 'where to; the best other site if not given')
    .option('--force', 'confirm that the old copy counts for nothing, which asks you first')
    .option('-y, --yes', 'do not ask')
    .option('--wait', 'wait until it has moved, or has not');
  timeout(command).action(acting<Flags>(program, move));
}

async function move(call: CommandCall<Flags>): Promise<Exit> {
  const { args, flags, hub, terminal } = call;
  const to = args[1] ?? null;
  const capp = await readCapp(hub, args[0] ?? '');
  const asked = moveRequest(capp, to, flags.force === true);
  if (flags.force === true && !(await confirmed(call, forceQuestion(capp, to)))) return 'notSo';
  await askToMove(hub, capp, asked);
  const { namespace = '', name: plain } = capp.metadata;
  const where = to ?? 'the best other site';
  if (isPaused(capp, PAUSED)) terminal.note('The Capp is paused: it does not move before you resume it.');
  if (flags.wait === true)
    return waitFor(call, capp, (now) => answerTo(asked, now), `${plain} was asked to move to ${where}`);
  terminal.out(
    `Asked ${namespace}/${plain} to move to ${where}. Follow it: kubectl capp watch ${plain} -n ${namespace}`,
  );
  return 'done';
}

function forceQuestion({ metadata, status }: Capp, to: string | null): string {
  const site = status?.applicationLinks?.site;
  const old = site === undefined ? 'an earlier copy' : `the copy on ${site}`;
  return `With --force ${metadata.name} starts on ${to} although ${old} may still run, and that copy is removed even if the new one does not serve. Do you mean it?`;
}
