// The answer to `log`: the lines of all containers of a Capp, over its sites and through its moves.
import type { Question } from '../asked.ts';
import { MOST_BYTES } from '../bounds.ts';
import { Refused } from '../refusal.ts';
import type { LogWanted } from '../site/log.ts';
import { READER_TIMES } from '../times.ts';
import { isNotThere } from './capp.ts';
import type { Context, Sink } from './context.ts';
import { followAll, type Stream } from './follow.ts';
import { look, type FoundLog, type LogLook } from './look.ts';
import { late, pass } from './pass.ts';
import { remarksTo, sentence } from './remarks.ts';

/** Where the answer goes: begun once, when it is known that there is something to tell. */
export interface LogStart {
  readonly signal: AbortSignal;
  begin(): Sink;
}

/**
 * Resolves when all is told, or when the signal aborts. Throws Refused before it has begun, ApiError where
 * the hub does not answer, and the signal's reason where it aborts at the first look.
 */
export async function answerLog(context: Context, question: Question, start: LogStart): Promise<void> {
  const first = await look(context, question, start.signal);
  const [why] = first.missing;
  if (first.reached.size === 0 && why !== undefined) throw new Refused(503, sentence(why.why));
  if (first.reached.size === 0 && !question.follow) throw isNotThere(question);
  const sink = start.begin();
  const stream: Stream = { question, sink, remarks: remarksTo(sink) };
  await stream.remarks.say(first.remarks);
  if (question.follow) return followAll(context, stream, first, (site) => atFirst(question, site));
  await tellOnce(stream, first);
}

function atFirst(question: Question, site: string): LogWanted {
  const { capp, follow, tail, sinceSeconds, sinceTime, siteTimes } = question;
  const own = Object.hasOwn(siteTimes, site) ? siteTimes[site] : undefined;
  return { namespace: capp.namespace, follow, tail, sinceSeconds, sinceTime: own ?? sinceTime };
}

/** All sites at the same time, each with its part of the answer: none keeps another from being told. */
async function tellOnce(stream: Stream, { found }: LogLook): Promise<void> {
  const sites = Map.groupBy(found, ({ site }) => site);
  const share = Math.floor(MOST_BYTES / Math.max(1, sites.size));
  await Promise.all([...sites].map(([site, own]) => tellSite(stream, site, own, share)));
}

async function tellSite(
  { sink, remarks, question }: Stream,
  site: string,
  own: readonly FoundLog[],
  share: number,
): Promise<void> {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), READER_TIMES.whole.ms);
  const signal = AbortSignal.any([sink.signal, ending.signal]);
  let left = share;
  const shared: Sink = {
    signal,
    write: async (text, own) => {
      left -= Buffer.byteLength(text);
      if (left < 0) ending.abort();
      else await sink.write(text, own);
    },
  };
  try {
    for (const found of own) {
      if (signal.aborted) break;
      await pass({ sink: shared, remarks, signal }, found, atFirst(question, site));
    }
  } finally {
    clearTimeout(timer);
  }
  if (sink.signal.aborted || !ending.signal.aborted) return;
  const mib = Math.floor(share / (1024 * 1024));
  const tooMuch = `only the first ${mib} MiB of ${site} are told: ask for less`;
  await remarks.say([{ site, why: left < 0 ? tooMuch : late(site) }]);
}
