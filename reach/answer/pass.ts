// Passes the log of one container on to who asked.
import { MOST_BYTES_OF_ONE } from '../bounds.ts';
import { seen, timed, written, type Seen } from '../lines.ts';
import { logOf, TooManyLogs, type LogWanted, type LogMeter } from '../site/log.ts';
import { noWay } from '../site/sentences.ts';
import { whyNot } from '../site/way.ts';
import type { Sink } from './context.ts';
import type { FoundLog } from './look.ts';
import type { Remarks } from './remarks.ts';

/** Where the lines of one site go. */
export interface Outlet {
  readonly sink: Sink;
  readonly remarks: Remarks;
  /** Aborts when no line of this site may be told any more; with the sink's too. */
  readonly signal: AbortSignal;
  /** Called once the site has begun to answer. */
  readonly opened?: () => void;
}

/** `broken`: it may be read on, from its last line. */
export type Passed = 'whole' | 'broken' | 'left';

/**
 * How far the log was told; `left` for good, since too much came that is no line. Never throws: a site that
 * breaks off is a remark.
 */
export async function pass(
  { sink, remarks, signal, opened }: Outlet,
  { site, way, source }: FoundLog,
  wanted: LogWanted,
  lines: Seen = seen(),
): Promise<Passed> {
  const { pod, container } = source;
  const meter: LogMeter = { left: MOST_BYTES_OF_ONE };
  try {
    for await (const line of logOf(way, source, wanted, {
      signal,
      meter,
      ...(opened === undefined ? {} : { opened }),
    })) {
      const found = timed(line);
      if (found === null || !lines.isNew(found.at)) continue;
      if (wanted.follow) meter.left = MOST_BYTES_OF_ONE;
      await sink.write(written({ site, pod, container, ...found }), signal);
      if (signal.aborted) return 'broken';
    }
    if (signal.aborted) return 'broken';
    const isTooMuch = wanted.follow ? meter.left < 0 : meter.left <= 0;
    if (isTooMuch) await remarks.say([{ site, why: tooMuch(site, `${pod}/${container}`, wanted) }]);
    return isTooMuch ? 'left' : 'whole';
  } catch (error) {
    const isOver = signal.aborted;
    if (!isOver) await remarks.say([{ site, why: brokenBy(error, site, `${pod}/${container}`) }]);
    return 'broken';
  }
}

function tooMuch(site: string, what: string, { follow }: LogWanted): string {
  if (!follow) return `only the first 8 MiB of ${what} are told: ask for less`;
  return `the log of ${what} on ${site} has 8 MiB that are no lines, and is not told any further: ask again`;
}

function brokenBy(error: unknown, site: string, what: string): string {
  if (error instanceof TooManyLogs)
    return `too many logs of ${site} or of all sites are open, so that of ${what} waits: ask for one container, or end other streams`;
  return whyNot(site, error) ?? `the log of ${what} on ${site} cannot be read just now`;
}

/** For a site whose time is over. */
export function late(site: string): string {
  return `${noWay(site, 'NoAnswer')}, so its lines are not all told`;
}
