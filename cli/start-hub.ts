// `cappstan hub`: starts the program of the hub beside which this one lies, in a checkout.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT } from './exit.ts';

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/**
 * Runs it with these arguments until it ends, and returns its exit code. `program` is the path of this one.
 * Signals reach it: it stops its processes in order. Never throws: `note` gets what is wrong.
 */
export async function startHub(
  args: readonly string[],
  program: string,
  note: (line: string) => void,
): Promise<number> {
  const root = join(dirname(realpathSync(program)), '..');
  const main = join(root, 'deploy', 'hub', 'main.ts');
  if (!existsSync(main)) {
    note(`There is no hub beside ${program}. Run dist/cappstan in a checkout, where make cli has built it.`);
    return EXIT.failed.code;
  }
  const pinned = join(root, 'node_modules', '.bin', 'node');
  const child = spawn(existsSync(pinned) ? pinned : process.execPath, [main, 'hub', ...args], {
    stdio: 'inherit',
  });
  // Ctrl-C reaches the child by the terminal as well; a second one does no harm.
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('error', ({ message }) => {
      note(`The hub's program did not start (${message}). Run make cli again.`);
      resolve(EXIT.failed.code);
    });
    child.once('exit', (code) => resolve(code ?? EXIT.failed.code));
  });
}
