// Reads the body of a call when it may be read, and ends the connection of who goes on sending what nobody
// reads: gRPC takes in and drops whatever follows an answer that came before the end of a call.
import {
  ServerInterceptingCall,
  ServerListenerBuilder,
  type Metadata,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import type { Connections } from './bounds/connections.ts';
import type { Reading } from './bounds/reading.ts';

export interface BodiesOptions {
  readonly reading: Reading;
  /** The cluster whose agent calls; null for a stranger. Takes the value of the header `authorization`. */
  readonly whose: (authorization: string) => Promise<string | null>;
  /** What has come in on the connection with this peer since it was asked before, and how to end it. */
  readonly connections: Pick<Connections, 'read' | 'cut'>;
}

/** No name of a cluster: strangers share what one site may have read. */
const STRANGERS = '';
/**
 * Said of every call at its end. Made once: without a reason each signal would make an error with its stack.
 */
export const GONE = new Error('The caller has gone.');

export function bodies({ reading, whose, connections }: BodiesOptions): ServerInterceptor {
  return (_method, call) => {
    const gone = new AbortController();
    let cluster = STRANGERS;
    let [isRead, isWhole, hasMessage] = [false, false, false];
    let plain = 0;
    const cutOff = (): void => connections.cut(call.getPeer());
    // By what came in, and not by what it said: what is no message counts as well. What came compressed, as
    // agents send it, counts as what it has become here. Of calls that come together, the first that ends
    // counts what came of all, and each other one its own once more: up to twice in all.
    const end = (): void => reading.end(cluster, Math.max(connections.read(call.getPeer()), plain));
    const admit = async (metadata: Metadata, next: (metadata: Metadata) => void): Promise<void> => {
      cluster = (await whose(authorizationOf(metadata))) ?? STRANGERS;
      if (gone.signal.aborted || !(await reading.begin(cluster, gone.signal))) return cutOff();
      isRead = true;
      if (gone.signal.aborted) end();
      else next(metadata);
    };
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => void admit(metadata, next))
      .withOnReceiveMessage((message, next) => {
        hasMessage = true;
        plain = (message as Buffer).length;
        next(message);
      })
      .withOnReceiveHalfClose((next) => {
        isWhole = true;
        end();
        // gRPC would say so at once, past everything that holds a flood up.
        if (hasMessage) next();
        else cutOff();
      })
      .withOnCancel(() => {
        gone.abort(GONE);
        if (isWhole) return;
        if (isRead) end();
        cutOff();
      })
      .build();
    return new ServerInterceptingCall(call, { start: (next) => next(listener) });
  };
}

/** Who sends the header twice is asked about the first. */
export function authorizationOf(metadata: Metadata): string {
  const [authorization = ''] = metadata.get('authorization');
  return String(authorization);
}
