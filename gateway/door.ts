// The door for agents: TLS and gRPC, with what one message and one connection may be.
import { Server, ServerCredentials, type ServerUnaryCall } from '@grpc/grpc-js';
import { answering, type AnsweringOptions, type Incoming } from './answering.ts';
import { authorizationOf, bodies, GONE } from './bodies.ts';
import { connections, type GatewayRoom } from './bounds/connections.ts';
import type { GatewayRefusal } from './refusal.ts';
import { BYTES, reading, type Bytes } from './bounds/reading.ts';
import { servicesOfTemporal } from './services.ts';
import { leadUnknownCalls, UNKNOWN_CALL, type Handler } from './unknown-calls.ts';
import { listenWithTls, type TlsListener, type ServingPair } from './tls-listener.ts';

export interface GatewayDoorOptions extends AnsweringOptions {
  /** host:port. */
  readonly address: string;
  readonly certificate: ServingPair;
  /** How many connections may be open; what suits a thousand sites if not given. */
  readonly room?: GatewayRoom;
  /** What may be read of one site; `BYTES` if not given. */
  readonly bytes?: Bytes;
}

/** Bytes of one message: the largest inventory, and some room. */
const LARGEST_MESSAGE = 1_310_720;
const OPTIONS = {
  'grpc.max_receive_message_length': LARGEST_MESSAGE,
  // An agent that waits for 5,000 Capps has 75 heartbeats under way where an answer takes 100 ms, beside its
  // polls and answers, on one connection.
  'grpc.max_concurrent_streams': 128,
  'grpc.max_connection_idle_ms': 300_000,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 20_000,
};

export interface GatewayDoor extends TlsListener {
  /** Ends open calls and stops listening. */
  close(): Promise<void>;
}

/** Throws the error of `listen`. */
export async function openDoor(options: GatewayDoorOptions): Promise<GatewayDoor> {
  const room = connections(options.room);
  const read = bodies({
    reading: reading(options.bytes ?? BYTES),
    whose: (authorization) =>
      options.identify(authorization).then(
        ({ cluster }) => cluster,
        () => null,
      ),
    connections: room,
  });
  const server = new Server({ ...OPTIONS, interceptors: [read] });
  const answer = answering(options);
  const handlerOf =
    (service: string, method: string): Handler =>
    (call, done) =>
      void answer({
        ...incoming(service, method, call),
        onKnown: ({ cluster }) => room.known(call.getPeer(), cluster),
        cut: () => room.cut(call.getPeer()),
      }).then(
        (bytes) => done(null, Buffer.from(bytes)),
        ({ code, message }: GatewayRefusal) => done({ code, details: message }),
      );
  const known = new Set<string>();
  for (const { name, definition } of servicesOfTemporal()) {
    const methods = Object.keys(definition);
    server.addService(
      definition,
      Object.fromEntries(methods.map((method) => [method, handlerOf(name, method)])),
    );
    for (const { path } of Object.values(definition)) known.add(path);
  }
  leadUnknownCalls(server, known, handlerOf('', UNKNOWN_CALL));
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = await listenWithTls(options.address, options.certificate, {
    onConnection: (socket) => room.came(socket),
    onSocket: (socket) => injector.injectConnection(socket),
  });
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

function incoming(service: string, method: string, call: ServerUnaryCall<Buffer, Buffer>): Incoming {
  const authorization = authorizationOf(call.metadata);
  return { service, method, authorization, request: call.request, gone: goneOf(call) };
}

function goneOf(call: ServerUnaryCall<Buffer, Buffer>): AbortSignal {
  const gone = new AbortController();
  if (call.cancelled) gone.abort(GONE);
  call.once('cancelled', () => gone.abort(GONE));
  return gone.signal;
}
