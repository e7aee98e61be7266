// Where the program reads and writes: the two streams, their colours, and questions to the person in front.
import { createInterface } from 'node:readline/promises';
import picocolors from 'picocolors';
import { CommandFailure } from './exit.ts';

export type Colours = ReturnType<typeof picocolors.createColors>;

export interface Terminal {
  /** Writes a line, or several, to standard output. */
  out(text: string): void;
  /** The same to standard error. */
  note(text: string): void;
  readonly colours: Colours;
  /** Somebody looks at standard output as it is written. */
  readonly isLive: boolean;
  /** Columns of standard output. */
  readonly width: number;
  /** Throws CommandFailure if nobody can be asked. */
  confirm(question: string): Promise<boolean>;
  /** Aborts when the person presses Ctrl-C, or when nobody reads standard output any more. */
  readonly interrupted: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Colours only for a person's eyes: https://no-color.org */
export function wantsColour(
  { isTTY }: { readonly isTTY?: boolean | undefined },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

const WIDTH = 80;

function onClosedPipe(stream: NodeJS.WriteStream, then: () => void): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    then();
  });
}

export function terminalOf(process: NodeJS.Process): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const interruption = new AbortController();
  process.once('SIGINT', () => interruption.abort());
  // A reader such as `head` may close a pipe before all is written. Without standard output nothing is left
  // to wait for; without notes the work goes on. The command's own exit code says how it ended.
  onClosedPipe(stdout, () => interruption.abort());
  onClosedPipe(stderr, () => undefined);
  return {
    out: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    colours: picocolors.createColors(wantsColour(stdout, env)),
    isLive: stdout.isTTY && env['TERM'] !== 'dumb',
    // Some terminals do not say how wide they are, and call that 0.
    width: stdout.columns > 0 ? stdout.columns : WIDTH,
    interrupted: interruption.signal,
    env,
    async confirm(question) {
      if (!stdin.isTTY)
        throw new CommandFailure('usage', `${question} Nobody can be asked here: say --yes if you mean it.`);
      const asking = createInterface({ input: stdin, output: stderr });
      try {
        const answer = await asking.question(`${question} [y/N] `, { signal: interruption.signal });
        return /^y(?:es)?$/i.test(answer.trim());
      } catch {
        return false;
      } finally {
        asking.close();
      }
    },
  };
}
