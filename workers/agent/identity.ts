// How an agent gets in at the gateway: by what the hub ships to its site.
import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Logger } from '../process/log.ts';
import type { TemporalConfig } from '../process/temporal.ts';
import { PROCESS_TIMES } from '../process/times.ts';

export const IDENTITY = {
  GATEWAY_IDENTITY: z
    .string()
    .min(1)
    .optional()
    .describe(
      'path of the folder with `token` and `ca.crt` for the gateway at TEMPORAL_ADDRESS; without it the agent speaks to Temporal itself',
    ),
} as const;

interface Waiting {
  readonly log: Pick<Logger, 'info'>;
  readonly stopping: Promise<unknown>;
}

/**
 * Waits until the token is there. Null if the agent is to stop before. Without the folder's path, the
 * settings as they are.
 */
export async function identified<T extends TemporalConfig & z.infer<z.ZodObject<typeof IDENTITY>>>(
  config: T,
  { log, stopping }: Waiting,
): Promise<T | null> {
  const { GATEWAY_IDENTITY: folder } = config;
  if (folder === undefined) return config;
  let isStopping = false;
  void stopping.then(() => (isStopping = true));
  const token = join(folder, 'token');
  if (!(await isThere(token)))
    log.info({ token }, 'waiting for the identity that the hub ships to this site');
  while (!(await isThere(token))) {
    if (isStopping) return null;
    await pause(PROCESS_TIMES.identity.ms);
  }
  const ca = join(folder, 'ca.crt');
  return {
    ...config,
    TEMPORAL_TOKEN_FILE: token,
    ...((await isThere(ca)) ? { TEMPORAL_TLS_CA: ca } : {}),
  };
}

/**
 * Whether it has what it gets in with. Before, it is not ready: where it takes the place of an agent that is
 * in, that one goes on.
 */
export function mayGetIn({ GATEWAY_IDENTITY: folder }: z.infer<z.ZodObject<typeof IDENTITY>>): boolean {
  return folder === undefined || existsSync(join(folder, 'token'));
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
