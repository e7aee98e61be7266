// Sends requests to one API server, and retries within the deadline when the server asks for it.
import type { Dispatcher } from 'undici';
import { poolTo, type Agents, type AgentPool } from './agents.ts';
import type { Credentials, Endpoint } from './credentials.ts';
import type { AnswerBounds } from './bounded-text.ts';
import { dumped, noAnswerFrom, refused, textOf, type AnswerReading } from './answer.ts';
import { EXPIRED, unlessAborted, within } from './deadline.ts';
import { shallow } from '../depth.ts';
import { ApiError } from '../failure.ts';
import { CARRIES_DIGITS, parseDigits } from '../files/digits.ts';
import { JSON_TYPE } from './request.ts';
import { noAnswer, type RequestLine } from '../refusal.ts';
import { pause } from '../pause.ts';
import { KUBE_TIMES } from '../times.ts';

export interface CallOptions {
  /** How long this call may take in all, waits included, in milliseconds. */
  readonly deadlineMs?: number | undefined;
  /** When it aborts, the call rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Its error repeats what the server says: only for a write of what has nothing secret in it. */
  readonly quotesRefusal?: boolean | undefined;
  /**
   * Bytes of the answer; a longer one throws ApiError (code 0, TooLong). It never raises the transport's own.
   */
  readonly mostBytes?: number;
  /** Hears how many bytes the answer had. */
  readonly onLength?: ((bytes: number) => void) | undefined;
}

export interface KubeRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
  /** Accepts text too; otherwise only JSON is an answer. */
  readonly orText?: boolean;
  /** As of the resource (`Resource`). Node 20 rounds all the same. */
  readonly keepsDigits?: boolean;
}

export interface Transport {
  /** How long a call may take in all where its caller does not say, in milliseconds. */
  readonly deadlineMs: number;
  /** The answer's JSON. Throws ApiError, or the signal's reason. */
  send(request: KubeRequest, options?: CallOptions): Promise<unknown>;
  /** The answer's bytes as they come. It never waits: 429 is thrown like any refusal. */
  open(
    request: KubeRequest,
    options: { signal: AbortSignal; idleMs: number },
  ): Promise<AsyncIterable<Uint8Array>>;
  close(): Promise<void>;
}

interface Settings extends Partial<AnswerBounds> {
  readonly deadlineMs: number;
  readonly userAgent: string;
  /** Errors repeat what the server says: only for a program that shows them to the person who asked. */
  readonly quotesRefusals?: boolean;
  /**
   * For a server that is not trusted: a longer answer throws ApiError (code 0, TooLong). What `open` gives is
   * its caller's to bound.
   */
  readonly mostBytes?: number;
  /** Calls at the same time; others wait. */
  readonly callsAtOnce?: number;
}

/** After this many waits the refusal is thrown. */
const MOST_WAITS = 8;

export function transportTo(endpoint: Endpoint, settings: Settings): Transport {
  const pool = poolTo(endpoint.proxyUrl, settings.callsAtOnce);
  const dispatch = dispatcherTo(endpoint, pool, settings);
  const { deadlineMs: longest, quotesRefusals: quoted = false } = settings;
  const { mostBytes = Infinity, mostValues, enter } = settings;
  const bounds = { mostBytes, mostValues, enter };
  return {
    deadlineMs: settings.deadlineMs,
    send: (request, { deadlineMs = settings.deadlineMs, signal, quotesRefusal = quoted, ...own } = {}) => {
      const until = Date.now() + deadlineMs;
      const ownMost = Math.min(mostBytes, own.mostBytes ?? Infinity);
      const reading = { ...bounds, mostBytes: ownMost, quoted: quotesRefusal, onLength: own.onLength };
      return within({ deadlineMs, signal }, (limit) =>
        withRetries(request, { limit, until }, () =>
          once(dispatch, endingBy(request, until), { ...reading, limit }),
        ),
      );
    },
    async open(request, { signal, idleMs }) {
      const limits = { headersTimeout: longest, bodyTimeout: idleMs };
      const answer = await dispatch('streams', request, { signal, ...limits });
      if (answer.statusCode >= 300)
        throw await within({ deadlineMs: longest, signal }, (limit) =>
          refused(request, answer, { limit, ...bounds, quoted }),
        );
      return bytesOf(request, answer.body, signal);
    },
    close: () => pool.close(),
  };
}

type Dispatch = (
  agent: keyof Agents,
  request: KubeRequest,
  options: Pick<Dispatcher.RequestOptions, 'headersTimeout' | 'bodyTimeout'> & { signal: AbortSignal },
) => Promise<Dispatcher.ResponseData>;

function dispatcherTo(
  { origin, root, credentials }: Endpoint,
  pool: AgentPool,
  { deadlineMs, userAgent }: Settings,
): Dispatch {
  const authenticate = async (
    asked: RequestLine,
    signal: AbortSignal,
    refused?: Credentials,
  ): Promise<Credentials> =>
    within({ deadlineMs, signal }, (limit) => unlessAborted(limit, credentials(refused))).catch(
      (cause: unknown) => {
        if (cause === EXPIRED) throw noAnswer(asked, 'Timeout');
        throw signal.aborted ? cause : noAnswer(asked, 'NoCredentials', cause);
      },
    );
  return async (agent, { method, path, accept = JSON_TYPE, contentType, body }, options) => {
    const asked = { method, path };
    const described = {
      accept,
      'user-agent': userAgent,
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    };
    const target = {
      origin,
      method,
      path: `${root}${path}`,
      ...(body === undefined ? {} : { body }),
      ...options,
    };
    const ask = async ({ headers, tls }: Credentials): Promise<Dispatcher.ResponseData> => {
      try {
        return await pool.of(tls)[agent].request({ ...target, headers: { ...described, ...headers } });
      } catch (error) {
        throw noAnswerFrom(asked, error, options.signal);
      }
    };
    const first = await authenticate(asked, options.signal);
    const answer = await ask(first);
    if (answer.statusCode !== UNAUTHORIZED) return answer;
    // Nothing was carried out. A token may have been replaced since it was read.
    let second: Credentials | null = null;
    try {
      second = await authenticate(asked, options.signal, first);
    } finally {
      // An answer that is passed on keeps its text.
      if (second !== first) await dumped(answer, options.signal, deadlineMs);
    }
    return second === first ? answer : ask(second);
  };
}

const UNAUTHORIZED = 401;

/** The server drops a write when we do: what was not carried out by then must not be carried out later. */
function endingBy(request: KubeRequest, until: number): KubeRequest {
  if (request.method === 'GET') return request;
  const left = Math.max(1, Math.ceil(until - Date.now()));
  return { ...request, path: `${request.path}${request.path.includes('?') ? '&' : '?'}timeout=${left}ms` };
}

async function once(
  dispatch: Dispatch,
  request: KubeRequest,
  { onLength, ...reading }: AnswerReading & Pick<CallOptions, 'onLength'>,
): Promise<unknown> {
  const { limit } = reading;
  const answer = await dispatch('calls', request, { signal: limit, headersTimeout: 0, bodyTimeout: 0 });
  if (answer.statusCode >= 300) throw await refused(request, answer, reading);
  const text = await textOf(request, answer, reading);
  onLength?.(Buffer.byteLength(text));
  if (request.orText === true && !String(answer.headers['content-type']).includes('json')) return text;
  try {
    const read = shallow(text);
    return request.keepsDigits === true && CARRIES_DIGITS ? parseDigits(read) : JSON.parse(read);
  } catch {
    // Without its cause, which would quote the answer.
    throw noAnswer(request, 'Unreadable');
  }
}

async function* bytesOf(
  request: KubeRequest,
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw noAnswerFrom(request, error, signal);
  }
}

async function withRetries<T>(
  request: KubeRequest,
  { limit, until }: { limit: AbortSignal; until: number },
  ask: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      const wait = waitAfter(request, error, tries);
      if (wait === null || Date.now() + wait >= until) throw error;
      await pause(wait, limit).catch(() => {
        throw noAnswerFrom(request, error, limit);
      });
    }
  }
}

/** Milliseconds to wait before asking again, or null not to. */
function waitAfter({ method }: KubeRequest, error: unknown, tries: number): number | null {
  if (!(error instanceof ApiError)) return null;
  // The server may have closed a kept-alive connection just as it was chosen. A write might have been carried
  // out.
  if (error.code === 0) return error.reason === 'Unreachable' && method === 'GET' && tries === 1 ? 0 : null;
  const asksForIt = error.code === 429 || (error.code >= 500 && error.retryAfterMs !== null);
  if (!asksForIt || tries > MOST_WAITS) return null;
  // Jitter, so that clients that were refused together do not return together.
  return (error.retryAfterMs ?? KUBE_TIMES.retryAfter.ms) * (1 + Math.random() / 4);
}
