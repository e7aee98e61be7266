// The calls of one piece of work: none outlives its bounds, waits included, and none starts after them.
import type { Bounds } from './http/deadline.ts';
import { withRights } from './http/rights.ts';
import type { KubeRequest, Transport } from './http/transport.ts';
import { noAnswer } from './refusal.ts';

/** The same transport for one piece of work. Its owner closes it. */
export function bounded(transport: Transport, bounds: Bounds): Transport {
  return {
    deadlineMs: transport.deadlineMs,
    send: async (request, { deadlineMs = transport.deadlineMs, signal, ...more } = {}) => {
      const until = Date.now() + deadlineMs;
      const either = eitherOf(bounds.signal, signal);
      const send = (): Promise<unknown> =>
        transport.send(request, {
          ...more,
          deadlineMs: Math.min(until - Date.now(), leftFor(request, bounds)),
          signal: either,
        });
      return withRights(send, { until: Math.min(until, bounds.until), signal: either });
    },
    open: async (request, { signal, idleMs }) => {
      leftFor(request, bounds);
      return transport.open(request, { signal: eitherOf(bounds.signal, signal), idleMs });
    },
    close: () => Promise.resolve(),
  };
}

/**
 * Milliseconds. Throws what a call throws that was cut off: the signal's reason, or ApiError (code 0,
 * Timeout).
 */
function leftFor(request: KubeRequest, { until, signal }: Bounds): number {
  signal.throwIfAborted();
  const left = until - Date.now();
  if (left <= 0) throw noAnswer(request, 'Timeout');
  return left;
}

function eitherOf(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other === undefined ? one : AbortSignal.any([one, other]);
}
