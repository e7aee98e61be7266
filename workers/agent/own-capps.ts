// Which Capps of the site are the agent's, asked until the site's API server answers: an agent that ended for
// want of an answer would start ever later, and answer for nothing meanwhile.
import { setTimeout as pause } from 'node:timers/promises';
import { cappsOf } from '../../activities/agent/report/of-hub.ts';
import type { Capp } from '../../crds/capp/capp.ts';
import type { Kube } from '../../kube/client.ts';
import type { Logger } from '../process/log.ts';
import { PROCESS_TIMES } from '../process/times.ts';

interface Waiting {
  readonly log: Pick<Logger, 'warn'>;
  readonly stopping: Promise<unknown>;
}

/** Null if the agent is to stop before anybody has answered. Says once that nobody does. */
export async function ownCapps(
  kube: Pick<Kube, 'get'>,
  hub: string,
  { log, stopping }: Waiting,
): Promise<((capp: Capp) => boolean) | null> {
  const stopped = stopping.then(() => null);
  let isTold = false;
  for (;;) {
    const found = await Promise.race([stopped, cappsOf(kube, hub).catch((error: unknown) => ({ error }))]);
    if (found === null || typeof found === 'function') return found;
    if (!isTold)
      log.warn({ err: found.error }, 'the site does not say whose its Capps are; asked again until it does');
    isTold = true;
    if ((await Promise.race([stopped, pause(PROCESS_TIMES.identity.ms, true)])) === null) return null;
  }
}
