// `kubectl capp report`: one archive for whoever helps, without a secret.
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { CommandFailure, type Exit } from '../exit.ts';
import { isSite, onSite } from '../hub/connection/elsewhere.ts';
import { collect } from '../report/collect.ts';
import { tarOf } from '../report/tar.ts';
import { acting, onHub, withExamples, type CommandCall, type Program } from './command.ts';

interface Flags {
  readonly file?: string;
}

export function addReport(program: Program): void {
  const command = onHub(program.root.command('report'))
    .description(
      'write an archive for whoever helps you: what the hub says of itself, its sites and Capps, without a secret',
    )
    .option('-f, --file <file>', 'the archive to make; cappstan-report-<time>.tar.gz if not given')
    .action(acting<Flags>(program, (call) => report(call, program.root.version() ?? '')));
  withExamples(command, ['report', 'report -n team-a -f report.tar.gz']);
}

async function report({ flags, hub, terminal }: CommandCall<Flags>, client: string): Promise<Exit> {
  if (await isSite(hub)) throw onSite(hub, 'a report is of a hub');
  const now = Date.now();
  const name =
    flags.file ?? `cappstan-report-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar.gz`;
  const { files, unread } = await collect(hub, client, now);
  if (terminal.interrupted.aborted)
    throw new CommandFailure('interrupted', 'Interrupted: nothing was written.');
  await writeNew(name, await promisify(gzip)(tarOf(files, now)));
  if (unread.length > 0) terminal.note(`You may not read, so this is missing: ${unread.join(', ')}.`);
  terminal.out(
    `Wrote ${name}. It names objects, sites, images and hostnames, and holds no Secret, no value of a variable and no manifest. Look into it before you give it away: tar -xzOf ${name} | less`,
  );
  return 'done';
}

/** Only its owner may read it, and nothing is written over. */
async function writeNew(name: string, content: Uint8Array): Promise<void> {
  try {
    await writeFile(name, content, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const other = 'name another file with --file.';
    throw code === 'EEXIST'
      ? new CommandFailure('usage', `There is a file ${name} already: ${other}`)
      : new CommandFailure('failed', `${name} cannot be written (${message}): ${other}`);
  }
}
