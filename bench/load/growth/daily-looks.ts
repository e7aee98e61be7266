// When the workflows at rest look again: read from the timers in their histories.
import type { Load } from './load.ts';
import { tenth } from '../../../testbed/quantiles.ts';

export interface DailyLooks {
  /** Workflows whose history was read. */
  readonly workflows: number;
  /** Hours from now until the first and the last of them look. */
  readonly firstHours: number;
  readonly lastHours: number;
  /** So many of a hundred look within the fullest hour. */
  readonly fullestHourPercent: number;
}

const SAMPLE = 300;
const HOUR_MS = 3_600_000;

/** Throws when a workflow at rest has no timer. */
export async function dailyLooks({ testbed, population }: Load): Promise<DailyLooks> {
  const names = population.names();
  const every = Math.max(1, Math.floor(names.length / SAMPLE));
  const now = Date.now();
  const hours: number[] = [];
  for (const name of names.filter((_, index) => index % every === 0))
    hours.push(((await nextLook(testbed, name)) - now) / HOUR_MS);
  hours.sort((a, b) => a - b);
  const inFullest = Math.max(
    ...hours.map((first) => hours.filter((hour) => hour >= first && hour < first + 1).length),
  );
  return {
    workflows: hours.length,
    firstHours: tenth(hours[0] ?? Number.NaN),
    lastHours: tenth(hours.at(-1) ?? Number.NaN),
    fullestHourPercent: tenth((100 * inFullest) / hours.length),
  };
}

/** When the first of its waiting timers is due, in milliseconds since the epoch. */
async function nextLook({ stack, namespace }: Load['testbed'], name: string): Promise<number> {
  const handle = stack.temporal.workflow.getHandle(`capp/${namespace}/${name}`);
  const waiting = new Map<string, number>();
  for (const event of (await handle.fetchHistory()).events ?? []) {
    const begun = event.timerStartedEventAttributes;
    const ended = event.timerCanceledEventAttributes ?? event.timerFiredEventAttributes;
    if (ended != null) waiting.delete(ended.timerId ?? '');
    if (begun == null || event.eventTime == null) continue;
    const seconds = Number(event.eventTime.seconds) + Number(begun.startToFireTimeout?.seconds);
    waiting.set(begun.timerId ?? '', 1_000 * seconds);
  }
  if (waiting.size === 0) throw new Error(`The workflow of ${name} waits for no timer.`);
  return Math.min(...waiting.values());
}
