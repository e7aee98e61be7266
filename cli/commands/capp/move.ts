// `kubectl capp move`: asks the hub to move a Capp, and waits for the answer if told to.
import { randomUUID } from 'node:crypto';
import { FORCE, MIGRATE, PAUSED } from '../../../crds/labels.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { parseMoveRequest } from '../../../crds/capp/requests.ts';
import { answerTo, type MoveAsked } from '../../explain/capp/answer.ts';
import { isPaused } from '../../explain/capp/phase.ts';
import { CommandFailure, type Exit } from '../../exit.ts';
import { annotate, readCapp } from '../../hub/capps.ts';
import { acting, onHub, type Call, type Program } from '../command.ts';
import { confirmed, timeout, waitFor, type TimeoutFlag } from './waiting.ts';

interface Flags extends TimeoutFlag {
  readonly force?: true;
  readonly yes?: true;
  readonly wait?: true;
}

export function addMove(program: Program): void {
  const command = onHub(program.root.command('move'))
    .description('ask for a move, to a site or to the best other one')
    .argument('<capp>', 'its name, or namespace/name')
    .argument('[site]', 'where to; the best other site if not given')
    .option('--force', 'confirm that the old copy counts for nothing, which asks you first')
    .option('-y, --yes', 'do not ask')
    .option('--wait', 'wait until it has moved, or has not');
  timeout(command).action(acting<Flags>(program, move));
}

async function move(call: Call<Flags>): Promise<Exit> {
  const { args, flags, hub, terminal } = call;
  const to = args[1] ?? null;
  const capp = await readCapp(hub, args[0] ?? '');
  const asked = requestFor(capp, to, flags);
  if (flags.force === true && !(await confirmed(call, forceQuestion(capp, to)))) return 'notSo';
  const value = `${to ?? ''}#${asked.id}`;
  await annotate(hub, capp, { [asked.source === 'force' ? FORCE : MIGRATE]: value });
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

/** Each call asks anew. Throws CommandFailure for what cannot be written as a request. */
function requestFor({ status }: Capp, to: string | null, { force }: Flags): MoveAsked {
  const id = randomUUID().slice(0, 8);
  if (force === true && to === null)
    throw new CommandFailure('usage', 'Name the site with --force: kubectl capp move <capp> <site> --force.');
  if (parseMoveRequest(`${to ?? ''}#${id}`) === null)
    throw new CommandFailure('usage', `"${to}" is no name of a site: kubectl capp sites lists them.`);
  const lastEndedAt = status?.migration?.lastMove?.endedAt ?? null;
  return { source: force === true ? 'force' : 'migrate', id, to, lastEndedAt };
}

function forceQuestion({ metadata, status }: Capp, to: string | null): string {
  const site = status?.applicationLinks?.site;
  const old = site === undefined ? 'an earlier copy' : `the copy on ${site}`;
  return `With --force ${metadata.name} starts on ${to} although ${old} may still run, and that copy is removed even if the new one does not serve. Do you mean it?`;
}
