// Keeps a hub running until it is told to stop: its supervisor, its certificates.
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningHub } from './hub.ts';
import { HUB_COMMAND_TIMES } from './times.ts';

/** Until `stop`, or `isOver` says so. Never throws: what fails is said, and done again at the next look. */
export async function keepHub(
  hub: RunningHub,
  { stop, isOver }: { readonly stop: AbortSignal; readonly isOver: () => boolean },
  say: (line: string) => void,
): Promise<void> {
  let renewAt = Date.now() + HUB_COMMAND_TIMES.renewal.ms;
  let last = '';
  while (!stop.aborted && !isOver()) {
    await sleep(HUB_COMMAND_TIMES.look.ms, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted || isOver()) return;
    try {
      await hub.keep();
      if (Date.now() < renewAt) continue;
      renewAt = Date.now() + HUB_COMMAND_TIMES.renewal.ms;
      await hub.renew();
      last = '';
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      // Once, and not each second.
      if (said !== last) say(`Tried again soon: ${said}`);
      last = said;
    }
  }
}
