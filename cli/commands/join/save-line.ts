// The line of a token in a file of its own: whoever reads it can use it.
import { existsSync, writeFileSync } from 'node:fs';
import { CommandFailure } from '../../exit.ts';

/** Before there is a token. */
export function refuseExisting(file: string): void {
  if (existsSync(file))
    throw new CommandFailure('usage', `${file} exists already. Give another file with --save.`);
}

/** Readable by its owner alone, and never over another file. Throws CommandFailure. */
export function saveLine(file: string, line: string): void {
  try {
    writeFileSync(file, `${line}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new CommandFailure(
      'failed',
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'}). Make another token: this one is shown nowhere, and ends by itself.`,
    );
  }
}
