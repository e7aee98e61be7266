// What a person gives on a command line: flags, and the files that they name.
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** `refused` makes the error for flags that are none: what it gets quotes a flag, and no value. */
export function flagsIn<const T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
  refused: (said: string) => Error,
) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // Of an unknown flag Node says on how to give an argument that looks like one, which nobody wanted.
    const [said = ''] = (error as Error).message.split(/\.? To specify a positional argument /);
    throw refused(/[.?!]$/.test(said) ? said : `${said}.`);
  }
}

/** Goes behind the name of the file, of which it says why it was not read. */
export function whyUnread(error: unknown): string {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
}
