// The program: its commands, and how it ends.
import { Command, CommanderError } from 'commander';
import { EXIT, CommandFailure, type Exit } from './exit.ts';
import { addList } from './commands/capp/list.ts';
import { addCompletion } from './commands/completion/completion.ts';
import { addDashboard } from './commands/dashboard.ts';
import { addDrain } from './commands/drain/drain.ts';
import { addDrill } from './commands/drain/drill.ts';
import { addDoctor } from './commands/doctor.ts';
import { addHistory } from './commands/history.ts';
import { addSites } from './commands/sites.ts';
import { addUi } from './commands/capp/ui.ts';
import { addHands } from './commands/logs/hands.ts';
import { addKubeconfig } from './commands/logs/kubeconfig.ts';
import { addLogs } from './commands/logs/logs.ts';
import { addTop } from './commands/logs/top.ts';
import { addPods } from './commands/logs/pods.ts';
import { addAccept } from './commands/join/accept.ts';
import { addJoins } from './commands/join/joins.ts';
import { addToken } from './commands/join/token.ts';
import { addAbandon } from './commands/capp/abandon.ts';
import { addMove } from './commands/capp/move.ts';
import { addPlan } from './commands/drain/plan.ts';
import { addPause, addResume } from './commands/capp/pause.ts';
import { addRollback } from './commands/capp/rollback.ts';
import { addRollout } from './commands/rollout/rollout.ts';
import { addWait } from './commands/capp/wait.ts';
import { addTree } from './commands/tree.ts';
import { addWatch } from './commands/capp/watch.ts';
import { addReport } from './commands/report.ts';
import { addVersion } from './commands/version.ts';
import { addWhy } from './commands/why.ts';
import { addCreate } from './commands/write/create.ts';
import { addSet } from './commands/write/set.ts';
import type { Program } from './commands/command.ts';
import { leadingFlagsLast } from './leading-flags.ts';
import { tasksText } from './tasks.ts';
import type { Terminal } from './terminal.ts';
import { sentence } from './wording.ts';

/** In the order of the help, under its headings. */
const COMMANDS: Readonly<Record<string, readonly ((program: Program) => void)[]>> = {
  'See apps:': [addList, addWhy, addTree, addHistory, addWatch, addWait, addLogs, addPods, addTop, addUi],
  'Change apps:': [addCreate, addSet, addRollback, addMove, addPause, addResume, addAbandon],
  'Change many sites, stage by stage:': [addRollout],
  'Get to a site itself:': [addKubeconfig, addHands],
  'Look after sites:': [addSites, addPlan, addDrill, addDrain, addToken, addAccept, addJoins],
  'Look after the hub:': [addDashboard, addDoctor, addVersion, addReport],
  'This program:': [addCompletion],
};

const ABOUT = 'Place, watch and move Capps, with your own rights on the hub.';

const EXIT_CODES = `Exit codes:
${Object.values(EXIT)
  .map(({ code, means }) => `  ${String(code).padEnd(4)} ${means.replaceAll('`', '')}`)
  .join('\n')}`;

const OF_A_HUB = `Beside these commands:
  hub    runs a hub on this machine: cappstan hub --help
  hubs   lists the hubs of this machine: cappstan hubs --help
  etcd   runs an etcd of three members for hubs: cappstan etcd --help
  base   brings to a site what it needs of others, such as Knative: cappstan base --help
  join   lets a site join a hub: cappstan join --help
  leave  lets it leave again`;

export interface Invocation {
  /** Without the program itself. */
  readonly args: readonly string[];
  /** As the person called it: `kubectl capp` or `cappstan`. */
  readonly name: string;
  readonly version: string;
}

/** The program with all its commands, before it is run. */
export function programFor(name: string, terminal: Terminal): Program & { readonly exit: () => Exit } {
  const root = new Command(name)
    .description(name === 'cappstan' ? `${ABOUT}\n\n${OF_A_HUB}` : ABOUT)
    .addHelpText('after', `\n${tasksText()}\n\n${EXIT_CODES}`)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => terminal.out(text.trimEnd()),
      writeErr: (text) => terminal.note(sentence(text.trimEnd().replace(/^error: /, ''), root.args)),
    });
  let exit: Exit = 'done';
  const program = { root, terminal, end: (how: Exit) => void (exit = how), exit: () => exit };
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    root.commandsGroup(heading);
    for (const add of commands) add(program);
  }
  return program;
}

/** The exit code. Never throws: what goes wrong is one sentence on standard error. */
export async function run({ args, name, version }: Invocation, terminal: Terminal): Promise<number> {
  const { root, exit } = programFor(name, terminal);
  try {
    await root.version(version).parseAsync(leadingFlagsLast(args), { from: 'user' });
    return EXIT[exit()].code;
  } catch (error) {
    return EXIT[endOf(error, terminal)].code;
  }
}

function endOf(error: unknown, { note, colours }: Terminal): Exit {
  // commander has said what was wrong, or has shown its help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'done' : 'usage';
  if (error instanceof CommandFailure) {
    note(colours.red(error.message));
    return error.exit;
  }
  note(`The program failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return 'failed';
}
