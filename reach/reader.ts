// The reader: answers for the logs and Pods of one Capp, to whom the hub lets read them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Kube } from '../kube/client.ts';
import type { Certificate } from '../tls/shared-certificate.ts';
import { requireAccess } from './allowed.ts';
import { answerLog } from './answer/log.ts';
import { answerPods } from './answer/pods.ts';
import { askedBy, type Question } from './asked.ts';
import { MOST_BYTES, MOST_STREAMS, streams, type Streams } from './bounds.ts';
import type { Caller } from './door/caller.ts';
import { frontProxy } from './door/front-proxy.ts';
import { openDoor, type Door } from './door/server.ts';
import type { Context, Sink } from './answer/context.ts';
import { ways, type UserServer } from './site/way.ts';
import { REMARK } from './lines.ts';
import { Refused } from './refusal.ts';
import { READER_TIMES } from './times.ts';

export interface ReaderOptions {
  readonly address: string;
  readonly certificate: Certificate;
  readonly userServer: UserServer;
  /** Called for each question that was answered or refused; it has nothing of what was told. */
  readonly onAsked: (asked: { caller: Caller; question: Question; refused: string | null }) => void;
  readonly onError: (error: unknown) => void;
}

export interface Reader {
  readonly port: number;
  /** Reads certificates and authorities again, and serves with them. Throws ApiError; the old ones stay. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** Throws what `frontProxy` and `openDoor` throw. */
export async function startReader(hub: Kube, options: ReaderOptions): Promise<Reader> {
  const context: Context = { hub, ways: ways(hub, options.userServer) };
  const open = streams(MOST_STREAMS);
  const serving = async () => ({ pair: await options.certificate.read(), proxy: await frontProxy(hub) });
  const door: Door = await openDoor({
    address: options.address,
    serving: await serving(),
    onError: options.onError,
    answer: async (caller, request, response) => {
      const asked = askedBy(request.method ?? '', request.url ?? '');
      if (asked.is === 'discovery') return json(response, asked.document);
      const { question } = asked;
      try {
        await answerOne({ context, open, onError: options.onError }, { caller, question, request, response });
        options.onAsked({ caller, question, refused: null });
      } catch (error) {
        const refused = error instanceof Refused ? error.message : 'the reader failed';
        options.onAsked({ caller, question, refused });
        throw error;
      }
    },
  });
  return {
    port: door.port,
    renew: async () => door.serve(await serving()),
    close: async () => {
      await door.close();
      await context.ways.close();
    },
  };
}

interface Answering {
  readonly context: Context;
  readonly open: Streams;
  readonly onError: (error: unknown) => void;
}

interface Asking {
  readonly caller: Caller;
  readonly question: Question;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function answerOne({ context, open, onError }: Answering, asking: Asking): Promise<void> {
  const { caller, question, response } = asking;
  await requireAccess(context.hub, caller, question);
  const leave = open.begin(caller.user);
  if (leave === null)
    throw new Refused(429, `User ${JSON.stringify(caller.user)} has too many streams open, or all have.`);
  const ending = new AbortController();
  response.once('close', () => ending.abort()).once('error', () => ending.abort());
  const timers = [
    setTimeout(() => ending.abort(), READER_TIMES.stream.ms),
    // Who may no longer read it gets no further line.
    setInterval(() => {
      requireAccess(context.hub, caller, question).catch((error: unknown) => {
        if (error instanceof Refused) ending.abort();
        else onError(error);
      });
    }, READER_TIMES.rights.ms),
  ];
  try {
    if (question.part === 'pods') return json(response, await answerPods(context, question));
    await answerLog(context, question, () => sinkOf(response, ending, question.follow));
    response.end();
  } finally {
    for (const timer of timers) clearTimeout(timer);
    ending.abort();
    leave();
  }
}

function json(response: ServerResponse, document: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}

/** Ends the stream when it has become too long: who follows asks again, and others are told. */
function sinkOf(response: ServerResponse, ending: AbortController, isFollowed: boolean): Sink {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.flushHeaders();
  let left = MOST_BYTES;
  let room = Promise.resolve();
  let wake = (): void => undefined;
  response.on('drain', () => wake());
  ending.signal.addEventListener('abort', () => wake(), { once: true });
  return {
    signal: ending.signal,
    write: async (text) => {
      // Many containers write, and each waits for room.
      await room;
      if (ending.signal.aborted) return;
      left -= Buffer.byteLength(text);
      if (left < 0) {
        if (!isFollowed) response.write(`${REMARK} Only the first 64 MiB are told: ask for less.\n`);
        return ending.abort();
      }
      if (!response.write(text)) room = new Promise((resolve) => void (wake = resolve));
    },
  };
}
