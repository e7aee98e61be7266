// A watch on the simulated API server, as its reader hears it: all that happens to one kind, in order, and
// later than it happened.
import type { StreamOptions } from '../../../../kube/client.ts';
import type { ApiServer } from './api-server.ts';
import type { Write } from './objects.ts';
import { asked, type Asked } from './request.ts';
import type { Clockwork } from '../engine/clockwork.ts';

/** How much later, in milliseconds; asked for each event. */
export type Lag = () => number;

interface Watching {
  readonly server: ApiServer;
  readonly clock: Clockwork;
  readonly lag: Lag;
}

export async function* follow(
  { server, clock, lag }: Watching,
  path: string,
  { signal, accept }: StreamOptions,
): AsyncGenerator {
  const call = asked({ method: 'GET', path, ...(accept === undefined ? {} : { accept }) });
  const from = Number(new URLSearchParams(path.split('?')[1]).get('resourceVersion'));
  const heard: unknown[] = [];
  let more = Promise.withResolvers<void>();
  let busyUntil = 0;
  const deliver = (write: Write): void => {
    const event = eventOf(call, write);
    if (event === null) return;
    const at = Math.max(clock.now + lag(), busyUntil);
    busyUntil = at;
    clock.after(at - clock.now, () => {
      heard.push(event);
      more.resolve();
    });
  };
  for (const write of server.since(call.plural, from)) deliver(write);
  const leave = server.onWrite(deliver, call.plural);
  signal.addEventListener('abort', () => more.resolve(), { once: true });
  try {
    while (!signal.aborted) {
      await more.promise;
      more = Promise.withResolvers<void>();
      for (const event of heard.splice(0)) yield event;
    }
  } finally {
    leave();
  }
}

function eventOf(call: Asked, { before, after, version }: Write): unknown {
  const object = after ?? {
    ...before,
    metadata: { ...before?.metadata, name: before?.metadata.name ?? '', resourceVersion: version },
  };
  // Of an object that comes into or leaves what a selector selects, a watch says that it came or went.
  const wasSelected = before !== null && call.selects(before);
  const isSelected = after !== null && call.selects(after);
  if (!wasSelected && !isSelected) return null;
  const type = wasSelected ? (isSelected ? 'MODIFIED' : 'DELETED') : 'ADDED';
  return { type, object: call.isMetadataOnly ? { metadata: object.metadata } : object };
}
