// The door for agents: every call is identified, bounded, and built again by its rule; every other call is
// refused.
import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import { allowance, CALLS, OPEN_POLLS, SIGNALS, type Bounds } from './allowance.ts';
import type { Context } from './calls/call.ts';
import { RULES } from './calls/rules.ts';
import type { OpenCalls } from './open-calls.ts';
import { denied, refusalOf, type Refusal } from './refusal.ts';
import { RULED, servicesOfTemporal } from './services.ts';
import type { Site } from './site.ts';
import { listenWithTls, type TlsListener, type ServingPair } from './tls-listener.ts';

export interface DoorOptions {
  readonly context: Context;
  readonly identify: (authorization: string) => Promise<Site>;
  readonly open: OpenCalls;
  /** host:port. */
  readonly address: string;
  readonly certificate: ServingPair;
  /** What one site may ask for; `CALLS` and `SIGNALS` if not given. */
  readonly bounds?: { readonly calls: Bounds; readonly signals: Bounds };
  /** Is told of every call that ended: its name, the gRPC code, and how long it took in seconds. */
  readonly onEnded: (call: Ended) => void;
}

export interface Ended {
  readonly method: string;
  /** Null where nobody was identified. */
  readonly cluster: string | null;
  readonly refusal: Refusal | null;
  /** What failed, where the refusal does not say it. Never told to a site. */
  readonly cause: unknown;
  readonly seconds: number;
}

/** Bytes of one message: the largest inventory, and some room. */
const LARGEST_MESSAGE = 1_310_720;
const OPTIONS = {
  'grpc.max_receive_message_length': LARGEST_MESSAGE,
  'grpc.max_concurrent_streams': 128,
  'grpc.max_connection_idle_ms': 300_000,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 20_000,
};
/** Calls of one site that are open at one time, beside polls: more than its agent's two connections carry. */
const OPEN_CALLS = 512;

export interface Door extends TlsListener {
  /** Ends open calls and stops listening. */
  close(): Promise<void>;
}

/** Throws the error of `listen`. */
export async function openDoor(options: DoorOptions): Promise<Door> {
  const server = new Server(OPTIONS);
  const answer = answering(options);
  for (const { name, definition } of servicesOfTemporal()) {
    const handlers = Object.entries(definition).map(
      ([method]) =>
        [
          method,
          (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) =>
            void answer(name, method, call).then(
              (bytes) => done(null, Buffer.from(bytes)),
              ({ code, message }: Refusal) => done({ code, details: message }),
            ),
        ] as const,
    );
    server.addService(definition, Object.fromEntries(handlers));
  }
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = await listenWithTls(options.address, options.certificate, (socket) =>
    injector.injectConnection(socket),
  );
  return {
    ...listener,
    close: async () => {
      const closed = listener.close();
      server.forceShutdown();
      injector.destroy();
      await closed;
    },
  };
}

const BOUNDS = { calls: CALLS, signals: SIGNALS };

/** Its promise rejects with a Refusal alone. */
function answering({ context, identify, open, bounds = BOUNDS, onEnded }: DoorOptions) {
  const calls = allowance('calls', bounds.calls);
  const signals = allowance('signals', bounds.signals);
  const admitted = async (
    service: string,
    method: string,
    call: ServerUnaryCall<Buffer, Buffer>,
    site: Site,
  ) => {
    calls.take(site.cluster);
    const found = service === RULED && Object.hasOwn(RULES, method) ? RULES[method] : undefined;
    if (found === undefined) throw denied(`A site may not call ${method}.`);
    if (found.kind === 'signal') signals.take(site.cluster);
    const kind = found.kind === 'poll' ? 'poll' : 'call';
    const most = kind === 'poll' ? OPEN_POLLS : OPEN_CALLS;
    const gone = goneOf(call);
    return open.during({ cluster: site.cluster, kind, most, signal: gone }, async (signal) =>
      found.rule(context, { site, request: call.request, signal }),
    );
  };
  return async (
    service: string,
    method: string,
    call: ServerUnaryCall<Buffer, Buffer>,
  ): Promise<Uint8Array> => {
    const begun = performance.now();
    let cluster: string | null = null;
    const ended = (refusal: Refusal | null, cause: unknown = null): void =>
      onEnded({ method, cluster, refusal, cause, seconds: (performance.now() - begun) / 1_000 });
    try {
      const [authorization = ''] = call.metadata.get('authorization');
      const site = await identify(String(authorization));
      cluster = site.cluster;
      const bytes = await admitted(service, method, call, site);
      ended(null);
      return bytes;
    } catch (error) {
      const refusal = refusalOf(error);
      ended(refusal, error === refusal ? null : error);
      throw refusal;
    }
  };
}

function goneOf(call: ServerUnaryCall<Buffer, Buffer>): AbortSignal {
  const gone = new AbortController();
  if (call.cancelled) gone.abort();
  call.once('cancelled', () => gone.abort());
  return gone.signal;
}
