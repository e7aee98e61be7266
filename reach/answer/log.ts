// The answer to `log`: the lines of all containers of a Capp, over its sites and through its moves.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Question } from '../asked.ts';
import { MOST_BYTES_OF_ONE } from '../bounds.ts';
import { seen, timed, written, REMARK, type Seen } from '../lines.ts';
import { sourcesIn, type Source } from '../pods.ts';
import { Refused } from '../refusal.ts';
import { logOf, lookAt, type LogWanted } from '../site/look.ts';
import { whyNot, type Way } from '../site/way.ts';
import { READER_TIMES } from '../times.ts';
import { isNotThere, readCapp } from './capp.ts';
import type { Context, Sink } from './context.ts';

/** A run of a container whose lines are passed on, or were. */
interface Reading {
  readonly lines: Seen;
  isOpen: boolean;
  /** It has ended by itself, and everything was read. */
  isDone: boolean;
}

/** What one stream knows. */
interface Stream {
  readonly question: Question;
  readonly sink: Sink;
  readonly readings: Map<string, Reading>;
  /** The sentences about sites that were said. */
  readonly said: Set<string>;
}

/** A container, where it is. */
interface Found {
  readonly site: string;
  readonly way: Way;
  readonly source: Source;
}

/**
 * `start` is called once, when it is known that there is something to tell, and gives where to. Resolves when
 * all is told, or when the sink's signal aborts. Throws Refused before `start`, and ApiError where the hub
 * does not answer.
 */
export async function answerLog(context: Context, question: Question, start: () => Sink): Promise<void> {
  const first = await look(context, question);
  const [why] = first.missing;
  if (first.reached === 0 && why !== undefined) throw new Refused(503, sentence(why.why));
  if (first.reached === 0 && !question.follow) throw isNotThere(question);
  const stream: Stream = { question, sink: start(), readings: new Map(), said: new Set() };
  await remark(stream, first.missing);
  if (question.follow) return followAll(context, stream, first);
  for (const found of first.found) {
    if (stream.sink.signal.aborted) return;
    await pass(stream, found, atFirst(question));
  }
}

interface Look {
  readonly uid: string;
  readonly reached: number;
  readonly found: readonly Found[];
  readonly missing: readonly { readonly site: string; readonly why: string }[];
}

async function look({ hub, ways }: Context, question: Question): Promise<Look> {
  const { capp, sites } = await readCapp(hub, question);
  const all = await Promise.all(sites.map((site) => lookAt(ways, site, capp)));
  const there = all.filter((one) => one.is === 'pods');
  return {
    uid: capp.metadata.uid ?? '',
    reached: there.length,
    missing: all.filter((one) => one.is === 'none'),
    found: there.flatMap(({ site, way, pods }) =>
      pods.flatMap((pod) =>
        sourcesIn(pod, question.container).map((source): Found => ({ site, way, source })),
      ),
    ),
  };
}

function atFirst({ capp: { namespace }, follow, tail, sinceSeconds, sinceTime }: Question): LogWanted {
  return { namespace, follow, tail, sinceSeconds, sinceTime };
}

/**
 * Looks again and again. Of what is there at the first look, the lines that were asked for; of what comes
 * later, all: no line of a new Pod is lost, however late it is seen.
 */
async function followAll(context: Context, stream: Stream, first: Look): Promise<void> {
  const { sink, question } = stream;
  const beat = setInterval(() => void sink.write(`${REMARK}\n`), READER_TIMES.heartbeat.ms);
  try {
    for (const found of first.found) begin(stream, found, atFirst(question));
    while (await again(sink.signal)) {
      const next = await look(context, question);
      // Another object has its name now: the caller asks again, and is reviewed again.
      if (next.uid !== first.uid) return;
      await remark(stream, next.missing);
      const { namespace } = question.capp;
      const all = { namespace, follow: true, sinceTime: null };
      for (const found of next.found) begin(stream, found, all);
    }
  } finally {
    clearInterval(beat);
  }
}

async function again(signal: AbortSignal): Promise<boolean> {
  await sleep(READER_TIMES.look.ms, undefined, { signal }).catch(() => undefined);
  return !signal.aborted;
}

/** Unless it is being read, or was read to its end. A log that broke off is read on behind its last line. */
function begin(stream: Stream, found: Found, wanted: LogWanted): void {
  const id = `${found.site}/${found.source.id}`;
  const known = stream.readings.get(id);
  if (known?.isOpen === true || known?.isDone === true) return;
  const reading = known ?? { lines: seen(), isOpen: false, isDone: false };
  stream.readings.set(id, reading);
  reading.isOpen = true;
  reading.lines.again();
  const last = reading.lines.last();
  const { namespace } = wanted;
  const rest: LogWanted = known === undefined ? wanted : { namespace, follow: true, sinceTime: last };
  void pass(stream, found, rest, reading.lines)
    .then((isWhole) => void (reading.isDone = isWhole && found.source.hasEnded))
    .finally(() => void (reading.isOpen = false));
}

/** Whether the log was told to its end. Never throws: a site that breaks off is a remark. */
async function pass(
  stream: Stream,
  { site, way, source }: Found,
  wanted: LogWanted,
  lines: Seen = seen(),
): Promise<boolean> {
  const { sink } = stream;
  const { pod, container } = source;
  let size = 0;
  try {
    for await (const line of logOf(way, source, wanted, sink.signal)) {
      size += Buffer.byteLength(line) + 1;
      const found = timed(line);
      if (found === null || !lines.isNew(found.at)) continue;
      await sink.write(written({ site, pod, container, ...found }));
      if (sink.signal.aborted) return false;
    }
    if (!wanted.follow && size >= MOST_BYTES_OF_ONE)
      await remark(stream, [
        { site, why: `only the first 8 MiB of ${pod}/${container} are told: ask for less` },
      ]);
    return !sink.signal.aborted;
  } catch (error) {
    if (!sink.signal.aborted)
      await remark(stream, [{ site, why: whyNot(site, error) ?? broken(site, source) }]);
    return false;
  }
}

function broken(site: string, { pod, container }: Source): string {
  return `the log of ${pod}/${container} on ${site} cannot be read just now`;
}

/** Each sentence once in a stream. */
async function remark({ sink, said }: Stream, missing: Look['missing']): Promise<void> {
  for (const { why } of missing) {
    if (said.has(why)) continue;
    said.add(why);
    await sink.write(`${REMARK} ${sentence(why)}\n`);
  }
}

function sentence(why: string): string {
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
}
