// `kubectl capp list`: a line for each Capp.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { PAUSED } from '../../../crds/labels.ts';
import { summaryOf } from '../../explain/capp/summary.ts';
import type { Exit } from '../../exit.ts';
import { listCapps } from '../../hub/objects/capps.ts';
import { followAll } from '../../hub/follow/follow-all.ts';
import { listText } from '../../show/capps.ts';
import { formatFrom, isForPrograms, print } from '../../show/output.ts';
import { acting, inFormats, onHub, withExamples, type CommandCall, type Program } from '../command.ts';
import { changeWriter, rowWriter } from './list-changes.ts';

interface Flags {
  readonly allNamespaces?: true;
  readonly output?: string;
  readonly selector?: string;
  readonly watch?: true;
}

export function addList(program: Program): void {
  const command = inFormats(onHub(program.root.command('list').alias('ls')))
    .description('list Capps with their site, phase and reason')
    .option('-A, --all-namespaces', 'of all namespaces')
    .option('-l, --selector <labels>', 'only those with these labels, as kubectl selects them')
    .option('-w, --watch', 'go on with a line for each change; Ctrl-C ends it')
    .action(acting<Flags>(program, list));
  withExamples(command, ['list -n team-a', 'list -A -l app=shop -w']);
}

async function list({ flags, hub, terminal }: CommandCall<Flags>): Promise<Exit> {
  const format = formatFrom(flags.output);
  const namespace = flags.allNamespaces === true ? null : hub.namespace;
  const options = { isAll: namespace === null, isWide: format === 'wide', colours: terminal.colours };
  if (flags.watch === true) {
    const show = isForPrograms(format) ? changeWriter : rowWriter;
    await followAll<Capp>(
      hub,
      { resource: CAPP, namespace, labelSelector: flags.selector },
      show(terminal, format, options),
      terminal.interrupted,
    );
    return 'done';
  }
  const capps = await listCapps(hub, namespace, flags.selector);
  const summaries = capps.map((capp) => summaryOf(capp, PAUSED));
  if (summaries.length === 0) terminal.note(nothingIn(namespace, flags.selector));
  if (summaries.length > 0 || isForPrograms(format))
    print(terminal, format, summaries, () => listText(summaries, { ...options, now: Date.now() }));
  return 'done';
}

function nothingIn(namespace: string | null, labels: string | undefined): string {
  const which = labels === undefined ? '' : ` with labels ${labels}`;
  return namespace === null
    ? `There are no Capps${which}.`
    : `There are no Capps${which} in namespace ${namespace}. Another namespace: -n <namespace>, all: -A.`;
}
