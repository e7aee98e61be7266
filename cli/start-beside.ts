// `cappstan hub`, `hubs`, `etcd`, `base`, `join` and `leave`: starts the program beside which this one lies,
// in a checkout.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT } from './exit.ts';

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/** The folder of deploy/ with the program of each command. */
const PROGRAMS = {
  hub: 'hub',
  hubs: 'hub/hubs',
  etcd: 'etcd',
  base: 'join/base',
  join: 'join',
  leave: 'join',
} as const;

/** Of names in TLS: undici gives the address of a proxy as its name, also where that is an IP address. */
const QUIET = '--disable-warning=DEP0123';

export type ProgramBeside = keyof typeof PROGRAMS;

export function isBeside(command: string | undefined): command is ProgramBeside {
  return command !== undefined && Object.hasOwn(PROGRAMS, command);
}

/**
 * Runs it with these arguments until it ends, and returns its exit code. `program` is the path of this one.
 * Signals reach it: it stops its processes in order. Never throws: `note` gets what is wrong.
 */
export async function startBeside(
  command: ProgramBeside,
  { args, program }: { readonly args: readonly string[]; readonly program: string },
  note: (line: string) => void,
): Promise<number> {
  const root = join(dirname(realpathSync(program)), '..');
  const main = join(root, 'deploy', PROGRAMS[command], 'main.ts');
  if (!existsSync(main)) {
    note(
      `There is no program for ${command} beside ${program}. Run dist/cappstan in a checkout, where make cli has built it.`,
    );
    return EXIT.failed.code;
  }
  const pinned = join(root, 'node_modules', '.bin', 'node');
  const child = spawn(existsSync(pinned) ? pinned : process.execPath, [QUIET, main, command, ...args], {
    stdio: 'inherit',
  });
  // Ctrl-C reaches the child by the terminal as well; a second one does no harm.
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('error', ({ message }) => {
      note(`The program of cappstan ${command} did not start (${message}). Run make cli again.`);
      resolve(EXIT.failed.code);
    });
    child.once('exit', (code) => resolve(code ?? EXIT.failed.code));
  });
}
