// Runs one short command of the machine, such as ip or mount.
import { execFile } from 'node:child_process';

/** Throws an Error with what the command wrote on stderr. `input` is its standard input. */
export async function runCommandLine([command = '', ...args]: readonly string[], input = ''): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const child = execFile(command, args, (error, _output, said) => {
      if (error === null) resolve();
      else
        reject(
          new Error(`${[command, ...args].join(' ')} failed: ${said.trim() || error.message}`, {
            cause: error,
          }),
        );
    });
    child.stdin?.on('error', () => undefined).end(input);
  });
}
