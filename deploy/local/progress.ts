// What a person sees of long work: a live line on a terminal, now and then a whole line anywhere else.
const LIVE_MS = 200;
const QUIET_MS = 15_000;

export interface StepOptions {
  /** What it takes on a small machine, in seconds; shown when it takes longer than a moment. */
  readonly expectSeconds?: number;
}

export interface Progress {
  say(line: string): void;
  /** Shows the text while the work goes on, and how long it took. `note` tells what is under way within. Passes on what the work throws. */
  step<T>(text: string, work: (note: (detail: string) => void) => Promise<T>, options?: StepOptions): Promise<T>;
}

export interface Screen {
  write(text: string): void;
  readonly isTTY: boolean;
  readonly columns: number;
}

/** For tests and other callers that have nobody to show things to. */
export const silent: Progress = { say: () => undefined, step: (_text, work) => work(() => undefined) };

export function progressOn(screen: Screen): Progress {
  const step: Progress['step'] = async (text, work, { expectSeconds } = {}) => {
    const startedAt = Date.now();
    let detail = '';
    const line = (): string => describe({ text, detail, seconds: (Date.now() - startedAt) / 1000, expectSeconds });
    const show = (): void => screen.write(screen.isTTY ? `\r\u001B[2K${line().slice(0, screen.columns - 1)}` : `${line()}\n`);
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
      screen.write(`${screen.isTTY ? '\r\u001B[2K' : ''}${text}: ${end} (${duration((Date.now() - startedAt) / 1000)})\n`);
    }
  };
  return { say: (line) => screen.write(`${line}\n`), step };
}

/** One line: what, since when, how long it usually takes, and what is under way. */
export function describe(now: { text: string; detail: string; seconds: number; expectSeconds: number | undefined }): string {
  const expected = now.expectSeconds === undefined ? '' : ` of about ${duration(now.expectSeconds)} on 2 cores`;
  return `${now.text}: ${duration(now.seconds)}${expected}${now.detail === '' ? '' : ` · ${now.detail}`}`;
}

/** "0.4 s", "12 s", "3 min 05 s". */
export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}
