// How a command of the local stack speaks: progress on the terminal, and failures as sentences instead of stack traces.
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { progressOn, type Progress } from './progress.ts';

/** Runs it, and sets the exit code. A failure is told with its causes, then with what `remedy` has to say. */
export async function runCommand(command: (progress: Progress) => Promise<void>, remedy = async (): Promise<string> => ''): Promise<void> {
  const progress = progressOn({
    write: (text) => process.stdout.write(text),
    isTTY: process.stdout.isTTY && process.env['CI'] === undefined,
    columns: process.stdout.columns || 120,
  });
  try {
    if (process.platform !== 'linux') throw new Error('The local stack runs on Linux only: use a virtual machine.');
    await command(progress);
  } catch (error) {
    process.stderr.write(`${['', tell(error), await remedy()].join('\n').trimEnd()}\n`);
    process.exitCode = 1;
  }
}

/** An error's message and those of its causes, one a line. */
export function tell(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}\n  because: ${tell(error.cause)}`;
}

/** A whole number from the environment. Throws a sentence when it is something else; null when it is not set. */
export function numberFrom(variable: string, { least, most }: { least: number; most: number }): number | null {
  const text = process.env[variable] ?? '';
  if (text === '') return null;
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`${variable}=${text} is not a whole number from ${least} to ${most}.`);
}

/** Whether this program is on the PATH. */
export async function canRun(program: string): Promise<boolean> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const answers = await Promise.allSettled(folders.map((folder) => access(join(folder, program), constants.X_OK)));
  return answers.some(({ status }) => status === 'fulfilled');
}
