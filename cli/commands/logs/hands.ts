// `kubectl capp exec` and `port-forward`: what people of kubectl look for, and where they get it.
import { CommandFailure } from '../../exit.ts';
import type { Program } from '../command.ts';

const ACTS = { exec: 'get a shell', 'port-forward': 'reach a port' } as const;

/** Flags of kubectl that take the next word. */
const TAKE_A_VALUE: ReadonlySet<string> = new Set([
  '-n',
  '--namespace',
  '-c',
  '--container',
  '-s',
  '--server',
  '--context',
  '--cluster',
  '--user',
  '--kubeconfig',
  '--as',
  '--as-group',
  '--as-uid',
  '--token',
  '--address',
  '--request-timeout',
  '--pod-running-timeout',
]);

/** They end with the way to a shell: the hub has no rights on sites that it could lend. */
export function addHands({ root }: Program): void {
  for (const [name, aim] of Object.entries(ACTS))
    root
      .command(name)
      .description(`not through the hub: says how to ${aim} on a site`)
      .argument('<capp...>', 'its name, and what kubectl would take')
      .allowUnknownOption()
      .action((words: readonly string[]) => {
        throw new CommandFailure('forbidden', sentence(name, wantedIn(name, words)));
      });
}

/**
 * The Capp, and its namespace where it is given, as flags of `kubectl capp pods`. What a program on the site
 * is to get begins with the next word that is no flag, whose `--` nobody hands on to here.
 */
function wantedIn(act: string, typed: readonly string[]): string {
  const plain = typed.flatMap((word, at) =>
    word.startsWith('-') || TAKE_A_VALUE.has(typed[at - 1] ?? '') ? [] : [at],
  );
  const words = act === 'exec' ? typed.slice(0, plain[1]) : typed;
  const capp = typed[plain[0] ?? typed.length] ?? '<capp>';
  const namespace = words.flatMap((word, at): string[] => {
    if (/^--namespace=./.test(word)) return [word.slice('--namespace='.length)];
    return ['-n', '--namespace'].includes(word) ? words.slice(at + 1, at + 2) : [];
  })[0];
  return namespace === undefined ? capp : `${capp} -n ${namespace}`;
}

function sentence(act: string, wanted: string): string {
  return `${act} needs rights of your own on the site, which the hub has not and cannot lend. kubectl capp pods ${wanted} names site and Pod; with an account there, kubectl capp kubeconfig <site> writes a kubeconfig (or ask that site's admins), and with it run: kubectl ${act} <pod> (docs/logs.md).`;
}
