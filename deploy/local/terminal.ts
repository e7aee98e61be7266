// What the commands of the local stack print: progress, and errors as sentences instead of stack traces.
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Runs the command and sets the exit code. Prints an error with its causes, then the text of `remedy`. */
export async function runCommand(
  command: (progress: Progress) => Promise<void>,
  remedy = async (): Promise<string> => '',
): Promise<void> {
  const progress = progressOn({
    write: (text) => process.stdout.write(text),
    isTTY: process.stdout.isTTY && process.env['CI'] === undefined,
    columns: process.stdout.columns || 120,
  });
  try {
    if (process.platform !== 'linux') throw new Error('This runs on Linux only. Use a virtual machine.');
    await command(progress);
  } catch (error) {
    process.stderr.write(`${['', describeError(error), await remedy()].join('\n').trimEnd()}\n`);
    process.exitCode = 1;
  }
}

/** The message of an error and of each of its causes, one per line. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined
    ? error.message
    : `${error.message}\n  because: ${describeError(error.cause)}`;
}

/** A whole number from the environment, or null when the variable is not set. Throws for any other value. */
export function numberFrom(
  variable: string,
  { least, most }: { least: number; most: number },
): number | null {
  const text = process.env[variable] ?? '';
  if (text === '') return null;
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(
    `${variable}=${text} is not a whole number from ${least} to ${most}. Set it to one, or unset it.`,
  );
}

/** Whether the PATH has this program. */
export async function isOnPath(program: string): Promise<boolean> {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const answers = await Promise.allSettled(
    folders.map((folder) => access(join(folder, program), constants.X_OK)),
  );
  return answers.some(({ status }) => status === 'fulfilled');
}

const LIVE_MS = 200;
const QUIET_MS = 15_000;

export interface StepOptions {
  /** The usual duration on a small machine, in seconds. It is printed beside the time so far. */
  readonly expectSeconds?: number;
}

export interface Progress {
  say(line: string): void;
  /**
   * Prints the text while the work runs, then its duration. `note` sets the detail behind the text. Rethrows
   * what the work throws.
   */
  step<T>(
    text: string,
    work: (note: (detail: string) => void) => Promise<T>,
    options?: StepOptions,
  ): Promise<T>;
}

export interface Screen {
  write(text: string): void;
  readonly isTTY: boolean;
  readonly columns: number;
}

/** Prints nothing. */
export const noProgress: Progress = { say: () => undefined, step: (_text, work) => work(() => undefined) };

export function progressOn(screen: Screen): Progress {
  const step: Progress['step'] = async (text, work, { expectSeconds } = {}) => {
    const startedAt = Date.now();
    let detail = '';
    const line = (): string =>
      describe({ text, detail, seconds: (Date.now() - startedAt) / 1000, expectSeconds });
    const show = (): void =>
      screen.write(screen.isTTY ? `\r\u001B[2K${line().slice(0, screen.columns - 1)}` : `${line()}\n`);
    const timer = setInterval(show, screen.isTTY ? LIVE_MS : QUIET_MS);
    let end = 'failed';
    try {
      const result = await work((next) => {
        detail = next;
      });
      end = 'done';
      return result;
    } finally {
      clearInterval(timer);
      screen.write(
        `${screen.isTTY ? '\r\u001B[2K' : ''}${text}: ${end} (${duration((Date.now() - startedAt) / 1000)})\n`,
      );
    }
  };
  return { say: (line) => screen.write(`${line}\n`), step };
}

/** One line: the step, its time so far, its usual duration, and the detail. */
export function describe(now: {
  text: string;
  detail: string;
  seconds: number;
  expectSeconds: number | undefined;
}): string {
  const expected =
    now.expectSeconds === undefined ? '' : ` of about ${duration(now.expectSeconds)} on 2 cores`;
  return `${now.text}: ${duration(now.seconds)}${expected}${now.detail === '' ? '' : ` · ${now.detail}`}`;
}

/** "0.4 s", "12 s", "3 min 05 s". */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}
