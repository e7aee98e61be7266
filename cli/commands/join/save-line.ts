// What whoever reads it can use, such as the line of a token, in a file of its own.
import { existsSync, writeFileSync } from 'node:fs';
import { CommandFailure } from '../../exit.ts';

const ANOTHER_TOKEN = 'Make another token: this one is shown nowhere, and ends by itself.';

/** Before it is made. */
export function refuseExisting(file: string): void {
  if (existsSync(file))
    throw new CommandFailure('usage', `${file} exists already. Give another file with --save.`);
}

/** Readable by its owner alone, and never over another file. Throws CommandFailure. */
export function saveLine(file: string, line: string, remedy: string = ANOTHER_TOKEN): void {
  try {
    writeFileSync(file, `${line}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new CommandFailure(
      'failed',
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown'}). ${remedy}`,
    );
  }
}
