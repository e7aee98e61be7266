// Keeps a hub running until it is told to stop: its supervisor, its certificates.
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningHub } from './hub.ts';
import { HUB_COMMAND_TIMES } from './times.ts';

/** Until `stop`, or `isOver` says so. Never throws: what fails is said, and done again at the next look. */
export async function keepHub(
  hub: Pick<RunningHub, 'keep' | 'renew' | 'publish'>,
  { stop, isOver }: { readonly stop: AbortSignal; readonly isOver: () => boolean },
  say: (line: string) => void,
): Promise<void> {
  let renewAt = Date.now() + HUB_COMMAND_TIMES.renewal.ms;
  const renew = async (): Promise<void> => {
    if (Date.now() < renewAt) return;
    renewAt = Date.now() + HUB_COMMAND_TIMES.renewal.ms;
    await hub.renew();
  };
  let publishAt = 0;
  const publish = async (): Promise<void> => {
    if (Date.now() < publishAt) return;
    publishAt = Date.now() + HUB_COMMAND_TIMES.publish.ms;
    await hub.publish();
  };
  // None keeps another from being done: a Secret that cannot be written must not end the certificates.
  const duties = [() => hub.keep(), renew, publish];
  const told = new Map<number, string>();
  while (!stop.aborted && !isOver()) {
    await sleep(HUB_COMMAND_TIMES.look.ms, undefined, { signal: stop }).catch(() => undefined);
    for (const [index, duty] of duties.entries()) {
      if (stop.aborted || isOver()) return;
      try {
        await duty();
        told.delete(index);
      } catch (error) {
        const said = error instanceof Error ? error.message : String(error);
        // Once, and not each second.
        if (said !== told.get(index)) say(`Tried again soon: ${said}`);
        told.set(index, said);
      }
    }
  }
}
