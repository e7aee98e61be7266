// When the resting workflows look again: read from the timers in their histories.
import type { Load } from './load.ts';
import { tenth } from '../../../testbed/quantiles.ts';

export interface DailyLooks {
  /** Workflows whose history was read. */
  readonly workflows: number;
  /** Hours from now until the first and the last of them look. */
  readonly firstHours: number;
  readonly lastHours: number;
  /** The fullest hour of the day has so many times the mean of all hours. */
  readonly fullestHour: number;
}

const SAMPLE = 500;
const HOUR_MS = 3_600_000;

export async function dailyLooks({ testbed, population }: Load): Promise<DailyLooks> {
  const names = population.names();
  const every = Math.max(1, Math.floor(names.length / SAMPLE));
  const dues: number[] = [];
  for (const name of names.filter((_, index) => index % every === 0)) {
    const due = await nextLook(testbed, name);
    if (due !== null) dues.push(due);
  }
  const now = Date.now();
  const hours = dues.map((due) => (due - now) / HOUR_MS).toSorted((a, b) => a - b);
  const byHour = Object.values(Object.groupBy(hours, (hour) => Math.floor(hour))).map(
    (some) => some?.length ?? 0,
  );
  return {
    workflows: dues.length,
    firstHours: tenth(hours[0] ?? Number.NaN),
    lastHours: tenth(hours.at(-1) ?? Number.NaN),
    fullestHour: tenth((24 * Math.max(...byHour)) / dues.length),
  };
}

/** When its last timer is due, in milliseconds since the epoch; null if it has none that waits. */
async function nextLook({ stack, namespace }: Load['testbed'], name: string): Promise<number | null> {
  const { events } = await stack.temporal.workflow.getHandle(`capp/${namespace}/${name}`).fetchHistory();
  const begun = events?.findLast((event) => event.timerStartedEventAttributes != null);
  const attributes = begun?.timerStartedEventAttributes;
  const ended = (events ?? []).some(
    ({ timerCanceledEventAttributes: cancelled, timerFiredEventAttributes: fired }) =>
      (cancelled ?? fired)?.timerId === attributes?.timerId,
  );
  if (attributes == null || ended || begun?.eventTime == null) return null;
  return 1_000 * (Number(begun.eventTime.seconds) + Number(attributes.startToFireTimeout?.seconds));
}
