// Follows a Capp: looks again and again, and tells what is there, for as long as it is the Capp's.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Question } from '../asked.ts';
import { MOST_LOGS } from '../bounds.ts';
import { MOST_REMEMBERED, REMARK, seen, type Seen } from '../lines.ts';
import type { LogWanted } from '../site/log.ts';
import { READER_TIMES } from '../times.ts';
import type { Context, Sink } from './context.ts';
import { look, type FoundLog, type LogLook } from './look.ts';
import { pass } from './pass.ts';
import type { Remarks } from './remarks.ts';

/** A run of a container whose lines are passed on, or were. */
interface Reading {
  readonly lines: Seen;
  /** Which lines, for as long as the site has not begun to answer. */
  readonly wanted: LogWanted;
  /** When it first began to, in milliseconds since the epoch; null if it has not. */
  openedAt: number | null;
  isOpen: boolean;
  /** Nothing more of it is to be told. */
  isDone: boolean;
}

/** What a stream knows of one site. */
interface SiteStream {
  readonly readings: Map<string, Reading>;
  /** Aborts what is read of it. */
  ending: AbortController;
}

export interface Stream {
  readonly question: Question;
  readonly sink: Sink;
  readonly remarks: Remarks;
}

/**
 * Of what is there at the first look, the lines that `first` gives; of what comes later, all: no line of a
 * new Pod is lost, however late it is seen. Resolves when the Capp is another, or the sink's signal aborts;
 * throws what `look` throws.
 */
export async function followAll(
  context: Context,
  stream: Stream,
  seenFirst: LogLook,
  first: (site: string) => LogWanted,
): Promise<void> {
  const { sink, question, remarks } = stream;
  const beat = setInterval(() => void sink.write(`${REMARK}\n`), READER_TIMES.heartbeat.ms);
  const sites = new Map<string, SiteStream>();
  try {
    for (const found of seenFirst.found) await begin(stream, sites, found, first(found.site));
    while (await again(sink.signal)) {
      const next = await look(context, question, sink.signal);
      // Another object has its name now: the caller asks again, and is reviewed again.
      if (next.uid !== seenFirst.uid) return;
      leave(sites, next);
      await remarks.say(next.remarks);
      const all = { namespace: question.capp.namespace, follow: true, sinceTime: null };
      for (const found of next.found) await begin(stream, sites, found, all);
    }
  } catch (error) {
    if (!sink.signal.aborted) throw error;
  } finally {
    clearInterval(beat);
    for (const { ending } of sites.values()) ending.abort();
  }
}

async function again(signal: AbortSignal): Promise<boolean> {
  await sleep(READER_TIMES.look.ms, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

/**
 * What is not the Capp's any more is told no further, and what is no longer there is forgotten: a site cannot
 * fill our memory with Pods that come and go.
 */
function leave(sites: Map<string, SiteStream>, { own, reached, found }: LogLook): void {
  const there = new Set(found.map(idOf));
  for (const [site, known] of sites) {
    if (!own.has(site)) {
      known.ending.abort();
      known.ending = new AbortController();
    }
    if (!reached.has(site)) continue;
    for (const [id, { isOpen }] of known.readings) if (!isOpen && !there.has(id)) known.readings.delete(id);
  }
}

function idOf({ site, source: { id } }: FoundLog): string {
  return `${site}/${id}`;
}

/** Unless it is being read, or was read to its end. A log that broke off is read on behind its last line. */
async function begin(
  { sink, remarks }: Stream,
  sites: Map<string, SiteStream>,
  found: FoundLog,
  wanted: LogWanted,
): Promise<void> {
  const { site } = found;
  const known = sites.get(site) ?? { readings: new Map<string, Reading>(), ending: new AbortController() };
  sites.set(site, known);
  const id = idOf(found);
  const before = known.readings.get(id);
  if (before?.isOpen === true || before?.isDone === true) return;
  if (before === undefined && known.readings.size >= MOST_LOGS.ofStream)
    return remarks.say([{ site, why: `only ${MOST_LOGS.ofStream} containers on ${site} are followed` }]);
  // The containers of a site share what is remembered of one, however many it says that there are.
  const share = (): number => Math.ceil(MOST_REMEMBERED / known.readings.size);
  const lines = before?.lines ?? seen(Date.now, share);
  const reading = before ?? { lines, wanted, openedAt: null, isOpen: false, isDone: false };
  known.readings.set(id, reading);
  reading.isOpen = true;
  reading.lines.again();
  const signal = AbortSignal.any([sink.signal, known.ending.signal]);
  const opened = (): void => void (reading.openedAt ??= Date.now());
  void pass({ sink, remarks, signal, opened }, found, restOf(reading), reading.lines)
    .then((passed) => {
      reading.isDone = passed === 'left' || (passed === 'whole' && found.source.hasEnded);
    })
    .finally(() => void (reading.isOpen = false));
}

/** Behind the last line; where the site has answered without one, all since then, whatever its clock says. */
function restOf({ lines, wanted, openedAt }: Reading): LogWanted {
  const last = lines.last();
  if (last === null && openedAt === null) return wanted;
  const sinceTime = last ?? new Date((openedAt ?? 0) - READER_TIMES.skew.ms).toISOString();
  return { namespace: wanted.namespace, follow: true, sinceTime };
}
