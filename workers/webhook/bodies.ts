// Reads what the API server sends to the webhook, and never holds more of it than there is memory for: anybody who reaches the port may send.
import type { IncomingMessage } from 'node:http';

export interface Room {
  /** Bytes of the largest request. */
  readonly largest: number;
  /** Bytes of all requests that are read or answered at the same time. */
  readonly together: number;
}

/** What became of a body: its text, or why it was not read to its end. */
export type Body =
  /** `done` gives its room back; to be called when nothing of it is needed any more. */
  | { readonly outcome: 'Read'; readonly text: string; done(): void }
  /** It is larger than any object that the API server stores. */
  | { readonly outcome: 'TooLarge' }
  /** There is no room beside the others just now. */
  | { readonly outcome: 'NoRoom' }
  /** The other side went away, or was too slow. */
  | { readonly outcome: 'CutOff' };

/** An object has 1.5 MiB at most in etcd, an update brings two of them, and a little comes round them. */
export const ROOM: Room = { largest: 4 * 1024 * 1024, together: 6 * 1024 * 1024 };

/** Gives a reader of bodies. It never throws. */
export function bodies({ largest, together }: Room): (request: IncomingMessage) => Promise<Body> {
  let held = 0;
  return async (request) => {
    if (Number(request.headers['content-length'] ?? 0) > largest) return { outcome: 'TooLarge' };
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (): void => {
      held -= size;
      size = 0;
    };
    const refused = (outcome: 'TooLarge' | 'NoRoom' | 'CutOff'): Body => {
      done();
      return { outcome };
    };
    try {
      // What is not read to its end is not destroyed with the loop: the answer has to go the same way.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        held += chunk.length;
        if (size > largest) return refused('TooLarge');
        if (held > together) return refused('NoRoom');
        chunks.push(chunk);
      }
    } catch {
      return refused('CutOff');
    }
    return { outcome: 'Read', text: Buffer.concat(chunks).toString('utf8'), done };
  };
}
