// The reader: answers for the logs and Pods of one Capp, to whom the hub lets read them.
import type { ServerResponse } from 'node:http';
import type { Kube } from '../kube/client.ts';
import type { Certificate } from '../tls/shared-certificate.ts';
import { requireAccess } from './allowed.ts';
import { answerLog } from './answer/log.ts';
import { answerPods } from './answer/pods.ts';
import { askedBy, type Question } from './asked.ts';
import { MOST_STREAMS, streams, type Streams } from './bounds.ts';
import type { Caller } from './door/caller.ts';
import { frontProxy } from './door/front-proxy.ts';
import { openDoor, type Door } from './door/server.ts';
import type { Context, Sink } from './answer/context.ts';
import { sinkOf } from './answer/sink.ts';
import { ways, type UserServer } from './site/way.ts';
import { Refused } from './refusal.ts';
import { watchRights } from './rights.ts';
import { READER_TIMES } from './times.ts';

export interface ReaderOptions {
  readonly address: string;
  readonly certificate: Certificate;
  readonly userServer: UserServer;
  /** Called when a question begins to be answered, for whom it may be: what follows may take an hour. */
  readonly onBegun: (begun: { caller: Caller; question: Question }) => void;
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
        await answerOne({ context, open, ...options }, { caller, question, response });
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
  readonly onBegun: ReaderOptions['onBegun'];
  readonly onError: (error: unknown) => void;
}

interface Asking {
  readonly caller: Caller;
  readonly question: Question;
  readonly response: ServerResponse;
}

async function answerOne({ context, open, onError, onBegun }: Answering, asking: Asking): Promise<void> {
  const { caller, question, response } = asking;
  const ending = new AbortController();
  const { signal } = ending;
  response.once('close', () => ending.abort()).once('error', () => ending.abort());
  const review = (): Promise<void> => requireAccess(context.hub, caller, question, signal);
  const leave: (() => void)[] = [];
  try {
    await review();
    if (question.part === 'log') leave.push(place(open, asking));
    onBegun({ caller, question });
    if (question.part === 'pods') return json(response, await answerPods(context, question, signal));
    const timer = setTimeout(() => ending.abort(), READER_TIMES.stream.ms);
    leave.push(() => clearTimeout(timer));
    // Who may no longer read it gets no further line.
    void watchRights({ review, onError }, ending);
    await answerLog(context, question, { signal, begin: () => begun(response, ending, question) });
    response.end();
  } catch (error) {
    if (!signal.aborted) throw error;
    // Who asked is told why, if nothing has been told yet and somebody is still there.
    if (!response.headersSent && !response.closed) throw refusalFrom(signal.reason);
    response.end();
  } finally {
    for (const one of leave) one();
    ending.abort();
  }
}

function refusalFrom(reason: unknown): Refused {
  if (reason instanceof Refused) return reason;
  return new Refused(503, 'The hub does not say just now who may read this: ask again in a minute.');
}

/** Throws Refused (429). */
function place(open: Streams, { caller: { user }, question: { capp } }: Asking): () => void {
  const leave = open.begin({ user, namespace: capp.namespace });
  if (leave !== null) return leave;
  throw new Refused(
    429,
    `Too many logs are being read: user ${JSON.stringify(user)} may have ${MOST_STREAMS.ofOne} streams at the same time, and namespace ${capp.namespace} ${MOST_STREAMS.ofNamespace}. End others, or ask again in a minute.`,
  );
}

function json(response: ServerResponse, document: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
}

function begun(response: ServerResponse, ending: AbortController, { follow }: Question): Sink {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
  response.flushHeaders();
  return sinkOf(response, { ending, isFollowed: follow });
}
