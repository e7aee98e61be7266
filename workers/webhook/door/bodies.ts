// Reads request bodies within a bound on memory: anybody who reaches the port may send.
import type { IncomingMessage } from 'node:http';

export interface Capacity {
  /** Bytes of the largest request. */
  readonly largest: number;
  /** Bytes of all requests that are read or answered at the same time. */
  readonly total: number;
}

/** The text of a body, or why it was not read to its end. */
export type Body =
  /** `done` frees its memory in the bound; call it once. */
  | { readonly outcome: 'Read'; readonly text: string; done(): void }
  /** It is larger than any object that the API server stores. */
  | { readonly outcome: 'TooLarge' }
  /** Other requests use too much memory just now. */
  | { readonly outcome: 'NoRoom' }
  /** The client went away, or was too slow. */
  | { readonly outcome: 'CutOff' };

/** An object has 1.5 MiB at most in etcd, an update brings two of them, and a little comes round them. */
export const CAPACITY: Capacity = { largest: 3.25 * 1024 * 1024, total: 6 * 1024 * 1024 };

/** Gives a reader of bodies. It never throws. */
export function bodies({ largest, total }: Capacity): (request: IncomingMessage) => Promise<Body> {
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
      // The request is not destroyed with the loop: the answer needs its connection.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        held += chunk.length;
        if (size > largest) return refused('TooLarge');
        if (held > total) return refused('NoRoom');
        chunks.push(chunk);
      }
    } catch {
      return refused('CutOff');
    }
    return { outcome: 'Read', text: Buffer.concat(chunks).toString('utf8'), done };
  };
}
