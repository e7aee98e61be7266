// Cuts a stream of bytes into JSON lines.
import { shallow } from '../depth.ts';
import { noAnswer } from '../refusal.ts';
import type { KubeRequest, Transport } from '../http/transport.ts';

export interface StreamOptions {
  readonly signal: AbortSignal;
  /** Silence after which the stream counts as dead, in milliseconds. */
  readonly idleMs: number;
  readonly accept?: string;
  /** Called when the server starts to answer, which may be long before the first line. */
  readonly onOpen?: () => void;
}

/** Throws ApiError: also for a line that is no JSON, as Unreadable, and without quoting it. */
export async function* openStream(
  transport: Transport,
  path: string,
  { signal, idleMs, accept, onOpen }: StreamOptions,
): AsyncGenerator {
  const request: KubeRequest = { method: 'GET', path, ...(accept === undefined ? {} : { accept }) };
  const answer = await transport.open(request, { signal, idleMs });
  onOpen?.();
  for await (const line of linesOf(answer)) {
    let value: unknown;
    try {
      value = JSON.parse(shallow(line));
    } catch {
      throw noAnswer(request, 'Unreadable');
    }
    yield value;
  }
}

/** A last line without a line break was cut off, and is dropped. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    parts.push(first);
    for (const other of others) {
      const line = parts.join('');
      if (line.trim() !== '') yield line;
      parts = [other];
    }
  }
}

export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

/** What an ERROR carries is a Status, and no object. */
export function isEvent<T>(value: unknown): value is WatchEvent<T> {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('object' in value)) return false;
  const { type, object } = value;
  if (type === 'ERROR') return true;
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return false;
  return ['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK'].includes(String(type));
}
