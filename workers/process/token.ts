// The token by which the gateway knows an agent: a file, which is replaced while the agent runs.
import { readFileSync } from 'node:fs';
import type { Logger } from './log.ts';
import { PROCESS_TIMES } from './times.ts';

export interface TokenFile {
  /** Path; absent where Temporal is spoken to directly. */
  readonly TEMPORAL_TOKEN_FILE?: string | undefined;
}

/** The token as the file has it now; null without a file. Throws the error of the read. */
export function tokenOf({ TEMPORAL_TOKEN_FILE: file }: TokenFile): string | null {
  return file === undefined ? null : readFileSync(file, 'utf8').trim();
}

/**
 * Calls `use` with each further token, until that succeeds. A file that cannot be read, or is
 * empty, as while it is replaced, is read again.
 */
export function followToken(
  config: TokenFile,
  use: (token: string) => Promise<void> | void,
  log: Pick<Logger, 'info' | 'warn'>,
  everyMs: number = PROCESS_TIMES.token.ms,
): { stop(): void } {
  let known = tokenOf(config);
  if (known === null) return { stop: () => undefined };
  const look = async (): Promise<void> => {
    const token = tokenOf(config);
    if (token === null || token === '' || token === known) return;
    await use(token);
    known = token;
    log.info('a new token for the gateway is in use');
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) =>
      log.warn({ err: error }, 'the token for the gateway cannot be used yet, will be retried'),
    );
  }, everyMs).unref();
  return { stop: () => clearInterval(timer) };
}
