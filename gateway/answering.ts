// Answers the calls of agents: each is identified, bounded, and built again by its rule; every other call is
// refused. How it came here, and how the answer goes back, is the door's concern.
import { status } from '@grpc/grpc-js';
import { allowance, CALLS, OPEN_POLLS, SIGNALS, type RateBounds } from './bounds/allowance.ts';
import type { CallContext } from './calls/call.ts';
import { RULES } from './calls/rules.ts';
import { holding } from './bounds/holding.ts';
import type { OpenCalls } from './bounds/open-calls.ts';
import { denied, refusalOf, type GatewayRefusal } from './refusal.ts';
import { RULED } from './services.ts';
import type { CallingSite } from './site.ts';
import { fairShare } from './bounds/fair-share.ts';

export interface AnsweringOptions {
  readonly context: CallContext;
  readonly identify: (authorization: string) => Promise<CallingSite>;
  readonly open: OpenCalls;
  /** What one site may ask for; `CALLS` and `SIGNALS` if not given. */
  readonly bounds?: { readonly calls: RateBounds; readonly signals: RateBounds };
  /** Is told of every call that ended. */
  readonly onEnded: (call: EndedCall) => void;
}

export interface EndedCall {
  readonly method: string;
  /** Null where nobody was identified. */
  readonly cluster: string | null;
  readonly refusal: GatewayRefusal | null;
  /** What failed, where the refusal does not say it. Never told to a site. */
  readonly cause: unknown;
  readonly seconds: number;
}

/** A call as it came. */
export interface Incoming {
  /** The names of the gRPC service and of its method. */
  readonly service: string;
  readonly method: string;
  /** The value of the header `authorization`; empty if there is none. */
  readonly authorization: string;
  readonly request: Uint8Array;
  /** Aborted when the caller has gone. */
  readonly gone: AbortSignal;
  /** Is told who calls, as soon as that is known. */
  readonly onKnown?: (site: CallingSite) => void;
  /** Ends the connection on which it came. */
  readonly cut?: () => void;
}

/** Calls of one site that are open at one time, beside polls: what its agent's two connections carry. */
const OPEN_CALLS = 256;
/** No name of a cluster. */
const STRANGERS = '';
const BOUNDS = { calls: CALLS, signals: SIGNALS };

/** Gives encoded answers. The promise rejects with a GatewayRefusal alone. */
export function answering({ context, identify, open, bounds = BOUNDS, onEnded }: AnsweringOptions) {
  const { hold } = holding();
  const order = fairShare();
  const calls = allowance('calls', bounds.calls);
  const signals = allowance('signals', bounds.signals);
  const admitted = async (
    site: CallingSite,
    { service, method, authorization, request, gone }: Incoming,
  ): Promise<Uint8Array> => {
    calls.take(site.cluster);
    const found = service === RULED && Object.hasOwn(RULES, method) ? RULES[method] : undefined;
    if (found === undefined) throw denied(`A site may not call ${method}.`);
    if (found.kind === 'signal') signals.take(site.cluster);
    const kind = found.kind === 'poll' ? 'poll' : 'call';
    const most = kind === 'poll' ? OPEN_POLLS : OPEN_CALLS;
    const bytes = await open.during({ cluster: site.cluster, kind, most, signal: gone }, async (signal) =>
      found.rule(context, { site, request, signal }),
    );
    // The poll may have lasted longer than a review counts, and the token may have been revoked since.
    if (kind === 'poll' && bytes.length > 0) await identify(authorization).catch(unlessUnasked);
    return bytes;
  };
  return async (call: Incoming): Promise<Uint8Array> => {
    const { method } = call;
    const begun = performance.now();
    let cluster: string | null = null;
    const ended = (refusal: GatewayRefusal | null, cause: unknown = null): void =>
      onEnded({ method, cluster, refusal, cause, seconds: (performance.now() - begun) / 1_000 });
    try {
      const site = await identify(call.authorization);
      cluster = site.cluster;
      call.onKnown?.(site);
      await order.take(cluster);
      const bytes = await admitted(site, call);
      ended(null);
      return bytes;
    } catch (error) {
      const refusal = refusalOf(error);
      ended(refusal, error === refusal ? null : error);
      if (!(await hold(refusal, call.gone))) call.cut?.();
      // Many that were held are due at one time.
      await order.take(cluster ?? STRANGERS);
      throw refusal;
    }
  };
}

/**
 * A caller whose token cannot be reviewed at the moment keeps the task that it was given: the answer to it is
 * identified again.
 */
function unlessUnasked(error: unknown): void {
  if (refusalOf(error).code === status.UNAUTHENTICATED) throw error;
}
