// What all commands have in common: their flags, their connection to the hub, and how they end.
import { type Command, InvalidArgumentError } from 'commander';
import { CommandFailure, type Exit } from '../exit.ts';
import { openHub, type HubFlags, type OpenedHub } from '../hub/connection/hub.ts';
import { durationFrom } from '../explain/capp/goal.ts';
import { elsewhere } from '../hub/connection/elsewhere.ts';
import { failureFrom } from '../hub/connection/sentences.ts';
import { isForbidden, isNotFound } from '../../kube/failure.ts';
import { FORMATS } from '../show/output.ts';
import type { Terminal } from '../terminal.ts';

/** The whole program, to which each command adds itself. */
export interface Program {
  readonly root: Command;
  readonly terminal: Terminal;
  /** Sets the exit code; the program ends when nothing is left to do. */
  end(exit: Exit): void;
}

/** A command's arguments, its flags, and what it needs to act. */
export interface CommandCall<Flags> {
  readonly args: readonly (string | undefined)[];
  readonly flags: Flags & HubFlags;
  readonly hub: OpenedHub;
  readonly terminal: Terminal;
}

/** Adds the flags by which the hub is found. */
export function onHub(command: Command): Command {
  return command
    .option('-n, --namespace <namespace>', "the namespace, instead of the context's")
    .option('--context <context>', 'another context of the kubeconfig')
    .option('--kubeconfig <file>', 'another kubeconfig')
    .option('--as <user>', 'act as this user')
    .option('--as-group <group>', 'act as a member of this group; may be repeated', collect)
    .option(
      '--request-timeout <time>',
      'how long the hub may take to answer, such as 5s or 1m (10s)',
      seconds,
    );
}

/** Also a plain number of seconds. */
function seconds(text: string): number {
  const found = durationFrom(/^\d+$/.test(text) ? `${text}s` : text);
  if (found === null || found === 0) throw new InvalidArgumentError('Write 5s or 1m.');
  return found / 1000;
}

/** Adds the flag by which the form of the answer is chosen. */
export function inFormats(command: Command): Command {
  return command.option('-o, --output <format>', `the form of the answer: ${FORMATS.join(', ')}`);
}

/** Adds to its help how it is called; each example is what stands behind the program's name. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  const lines = (): string => {
    let root = command;
    while (root.parent !== null) root = root.parent;
    return examples.map((example) => `  ${root.name()} ${example}`).join('\n');
  };
  return command.addHelpText('after', () => `\nExamples:\n${lines()}`);
}

export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('It is no whole number above 0.');
  return Number(text);
}

/** Who finds nothing on a cluster, or may do nothing there, has perhaps just chosen the wrong one. */
function isNothingThere(error: unknown): boolean {
  const isMissing = error instanceof CommandFailure && error.exit === 'notFound';
  return isMissing || isForbidden(error) || isNotFound(error);
}

/** Nothing is meant by it, and for some commands a site that is left out means any. */
const EMPTY =
  'An argument is empty: write a name, or leave it out. Perhaps a variable of a script is not set.';

/** The last word of the body is the exit code. Failures become one sentence and an exit code. */
export function acting<Flags extends object>(
  { terminal, end }: Program,
  body: (call: CommandCall<Flags>) => Promise<Exit>,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    // commander's order: arguments, flags, the command.
    const flags = given.at(-2) as Flags & HubFlags;
    const args = given.slice(0, -2).flat() as (string | undefined)[];
    if (args.includes('')) throw new CommandFailure('usage', EMPTY);
    const hub = openHub(flags, terminal.env);
    try {
      end(await body({ args, flags, hub, terminal }));
    } catch (error) {
      if (terminal.interrupted.aborted) throw new CommandFailure('interrupted', 'Interrupted.');
      throw (isNothingThere(error) ? await elsewhere(hub) : null) ?? failureFrom(error, hub) ?? error;
    } finally {
      await hub.kube.close();
    }
  };
}
