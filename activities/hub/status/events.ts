// Writes Kubernetes events on a Capp or a Drain, with the Go operator's reasons and ours. The name of an event follows
// from its content, so a repeat writes none.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVENT, type Event } from '../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { keyedQueue, type KeyedQueue } from '../../../kube/queue.ts';
import { HUB_TIMES } from '../times.ts';

export interface Happening {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  /** One sentence; the API allows 1024 bytes. */
  readonly note: string;
  /** Distinguishes this event from another one with the same text. */
  readonly occasion: string;
}

export interface EventRecorder {
  /** Writes the event as soon as those before it are written. */
  note(object: KubeObject, happening: Happening): void;
  readonly queue: Pick<KeyedQueue, 'size' | 'oldestAt' | 'idle' | 'stop'>;
}

const LONGEST_NOTE = 1000;
const REPORTER = 'cappstan';

/** About 10 MB of them. Further events are dropped, as Kubernetes' own recorder does after 1000. */
const MOST_WAITING = 10_000;

/**
 * Writes events one at a time after the writes that they report, twenty a second at most. Events that wait
 * when the process is killed are lost, as with any recorder of events: the status has what must be
 * remembered.
 */
export function eventRecorder(kube: Kube): EventRecorder {
  const waiting = new Map<string, Event>();
  const queue = keyedQueue({
    concurrency: 1,
    work: async (key) => {
      const event = waiting.get(key);
      waiting.delete(key);
      if (event !== undefined) await write(kube, event);
      await sleep(HUB_TIMES.eventPause.ms);
    },
  });
  return {
    queue,
    note: (object, happening) => {
      if (waiting.size >= MOST_WAITING) return;
      const event = eventOf(object, happening);
      const key = `${event.metadata.namespace}/${event.metadata.name}`;
      waiting.set(key, event);
      queue.add(key);
    },
  };
}

/**
 * Writes the event at once unless it exists, where a person must be able to read it when the activity ends.
 */
export function emit(kube: Kube, object: KubeObject, happening: Happening): Promise<void> {
  return write(kube, eventOf(object, happening));
}

/** An event that cannot be written does not fail the activity. */
async function write(kube: Kube, event: Event): Promise<void> {
  await kube.create(EVENT, event).catch(() => undefined);
}

/** Events on what has no namespace are in the namespace `default`. */
function eventOf({ apiVersion = '', kind = '', metadata }: KubeObject, happening: Happening): Event {
  const { type, reason, note, occasion } = happening;
  const { name, namespace, uid = '' } = metadata;
  const id = createHash('sha256').update([uid, reason, note, occasion].join('\n')).digest('hex').slice(0, 16);
  return {
    apiVersion: EVENT.apiVersion,
    kind: EVENT.kind,
    metadata: { name: `${name}.${id}`, namespace: namespace ?? 'default' },
    eventTime: new Date().toISOString().replace('Z', '000Z'),
    reportingController: `${REPORTER}.dana.io/hub`,
    reportingInstance: REPORTER,
    action: reason,
    reason,
    type,
    regarding: { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }), uid },
    note: note.slice(0, LONGEST_NOTE),
  };
}
