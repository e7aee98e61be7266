// The way to the API server and back: it takes time, and what is sent may be refused, held up, or done
// without its answer coming back.
import { connectedBy } from '../../../../kube/client.ts';
import type { Kube } from '../../../../kube/client.ts';
import { EXPIRED, unlessAborted, within } from '../../../../kube/http/deadline.ts';
import { ApiError } from '../../../../kube/failure.ts';
import type { CallOptions, KubeRequest, Transport } from '../../../../kube/http/transport.ts';
import type { ApiServer } from './api-server.ts';
import type { Clockwork } from '../engine/clockwork.ts';
import { follow, type Lag } from './feed.ts';

/** What becomes of one request. Times are milliseconds. */
export interface Fate {
  readonly there: number;
  readonly back: number;
  /** The server refuses, without having done anything or after it has. */
  readonly refusal: { readonly code: number; readonly isDone: boolean } | null;
  /** The server asks to be left alone so long before it does it. */
  readonly wait: number;
  /** What was on its way when its sender gave it up is done all the same. */
  readonly isLate: boolean;
}

export interface Way {
  readonly server: ApiServer;
  readonly clock: Clockwork;
  /** Who writes, for the rules. */
  readonly by: string;
  readonly fateOf: (request: KubeRequest) => Fate;
  readonly lag: Lag;
  /** Carries a request by `go`, or lets it go wrong. */
  readonly trial?: Tried | undefined;
}

export type Tried = (
  request: KubeRequest,
  limit: AbortSignal,
  go: () => Promise<unknown>,
) => Promise<unknown>;

const DEADLINE_MS = 10_000;
const REASONS: Readonly<Record<number, string>> = {
  0: 'Unreachable',
  401: 'Unauthorized',
  403: 'Forbidden',
  409: 'Conflict',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  504: 'Timeout',
};

/** Our real client, on a simulated way to a simulated server. */
export function kubeBy(way: Way): Kube {
  return { ...connectedBy(transportBy(way)), stream: (path, options) => follow(way, path, options) };
}

function transportBy(way: Way): Transport {
  return {
    deadlineMs: DEADLINE_MS,
    send: (request, options) => send(way, request, options),
    open: () => Promise.reject(new Error('streams have a way of their own')),
    close: () => Promise.resolve(),
  };
}

async function send(
  way: Way,
  request: KubeRequest,
  { deadlineMs = DEADLINE_MS, signal }: CallOptions = {},
): Promise<unknown> {
  const until = way.clock.now + deadlineMs;
  return within({ deadlineMs, signal }, async (limit) => {
    try {
      const go = (): Promise<unknown> => carry(way, request, { limit, until });
      return await (way.trial === undefined ? go() : way.trial(request, limit, go));
    } catch (error) {
      throw error === EXPIRED ? failure(request, 0, 'Timeout') : error;
    }
  });
}

async function carry(
  way: Way,
  request: KubeRequest,
  { limit, until }: { limit: AbortSignal; until: number },
): Promise<unknown> {
  const { there, back, refusal, wait, isLate } = way.fateOf(request);
  if (wait > 0) await hold(way, request, { limit, until, wait });
  const arrives = way.clock.now + there;
  await unlessAborted(limit, way.clock.pause(there)).catch((error: unknown) => {
    if (isLate && arrives <= until) arriveLate(way, request, arrives);
    throw error;
  });
  if (refusal?.isDone === false) throw failure(request, refusal.code);
  const answer = way.server.answer(request, way.by);
  await unlessAborted(limit, way.clock.pause(back));
  if (refusal !== null) throw failure(request, refusal.code);
  return answer;
}

/** 429 with Retry-After is waited out, if there is time for it. */
async function hold(
  { clock }: Way,
  request: KubeRequest,
  { limit, until, wait }: { limit: AbortSignal; until: number; wait: number },
): Promise<void> {
  if (clock.now + wait >= until)
    throw new ApiError({ ...request, code: 429, reason: 'TooManyRequests', retryAfterMs: wait });
  await unlessAborted(limit, clock.pause(wait));
}

function arriveLate({ clock, server, by }: Way, request: KubeRequest, at: number): void {
  void clock.after(at - clock.now, () => {
    try {
      server.answer(request, by);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  });
}

/** As the client would throw it. */
export function failure(
  { method, path }: KubeRequest,
  code: number,
  reason = REASONS[code] ?? 'Unknown',
): ApiError {
  return new ApiError({ method, path: path.split('?', 1)[0] ?? path, code, reason });
}
