// Keeps a hub running until it is told to stop: its supervisor, its certificates.
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningHub } from './hub.ts';
import { HUB_COMMAND_TIMES } from './times.ts';

/** What has to be done again and again. */
export interface Duty {
  act(): Promise<void>;
  readonly everyMs: number;
  /** In the time of `performance.now()`, which no clock that is set changes. */
  dueAt: number;
  /** Why the last try failed; null: it did not. */
  told: string | null;
}

/**
 * Until `stop`, or `isOver` says so. Never throws: what fails is said once for each reason, and done again
 * soon, however rarely it is done otherwise.
 */
export async function keepHub(
  hub: Pick<RunningHub, 'keep' | 'renew' | 'publish' | 'lookAtStore'>,
  { stop, isOver }: { readonly stop: AbortSignal; readonly isOver: () => boolean },
  say: (line: string) => void,
): Promise<void> {
  const { renewal, publish, storeMoment } = HUB_COMMAND_TIMES;
  const duties: readonly Duty[] = [
    { act: () => hub.keep(), everyMs: 0, dueAt: 0, told: null },
    { act: () => hub.renew(), everyMs: renewal.ms, dueAt: performance.now() + renewal.ms, told: null },
    { act: () => hub.lookAtStore(), everyMs: storeMoment.ms, dueAt: 0, told: null },
    { act: () => hub.publish(), everyMs: publish.ms, dueAt: 0, told: null },
  ];
  await keepDoing(duties, { stop, isOver }, say);
}

/**
 * Until `stop`, or `isOver` says so. None keeps another from being done: a Secret that cannot be written must
 * not end the certificates. Never throws.
 */
export async function keepDoing(
  duties: readonly Duty[],
  { stop, isOver }: { readonly stop: AbortSignal; readonly isOver: () => boolean },
  say: (line: string) => void,
): Promise<void> {
  const { look } = HUB_COMMAND_TIMES;
  while (!stop.aborted && !isOver()) {
    await sleep(look.ms, undefined, { signal: stop }).catch(() => undefined);
    for (const duty of duties) {
      if (stop.aborted || isOver()) return;
      if (performance.now() >= duty.dueAt) await attempt(duty, say);
    }
  }
}

async function attempt(duty: Duty, say: (line: string) => void): Promise<void> {
  try {
    await duty.act();
    duty.dueAt = performance.now() + duty.everyMs;
    duty.told = null;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    duty.dueAt = performance.now() + Math.min(duty.everyMs, HUB_COMMAND_TIMES.dutyAgain.ms);
    if (said !== duty.told) say(`Tried again soon: ${said}`);
    duty.told = said;
  }
}
