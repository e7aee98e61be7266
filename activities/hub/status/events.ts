// Writes Kubernetes events on a Capp or a Drain, with the Go operator's reasons and ours.
import { EVENT, type Event } from '../../../crds/kubernetes/core.ts';
import { eventOf, type Happening, type Reporter } from '../../../crds/kubernetes/event.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import { keyTextOf, type KubeObject } from '../../../kube/resource.ts';
import { pause } from '../../../kube/pause.ts';
import { valueQueue, type ValueQueue } from '../../../kube/value-queue.ts';
import { HUB_TIMES } from '../times.ts';

export interface EventRecorder {
  /** Writes the event as soon as those before it are written. */
  note(object: KubeObject, happening: Happening): void;
  readonly queue: Omit<ValueQueue<Event>, 'add'>;
}

const REPORTER: Reporter = { controller: 'cappstan.dana.io/hub', instance: 'cappstan' };

/** About 10 MB of them. */
const MOST_WAITING = 10_000;

/**
 * Writes events one at a time after the writes that they report, twenty a second at most. Events that wait
 * when the process is killed are lost, as with any recorder of events: the status has what must be
 * remembered.
 */
export function eventRecorder(kube: Kube): EventRecorder {
  const queue = valueQueue<Event>({
    keyOf: keyTextOf,
    work: async (event) => {
      await write(kube, event);
      await pause(HUB_TIMES.eventPause.ms);
    },
    mostWaiting: MOST_WAITING,
  });
  return { queue, note: (object, happening) => void queue.add(eventOf(object, happening, REPORTER)) };
}

/**
 * Writes the event at once unless it exists, where a person must be able to read it when the activity ends.
 */
export function emit(kube: Kube, object: KubeObject, happening: Happening): Promise<void> {
  return write(kube, eventOf(object, happening, REPORTER));
}

/** An event that the API server does not take fails no activity: its namespace may be on its way out. */
async function write(kube: Kube, event: Event): Promise<void> {
  await kube.create(EVENT, event).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
}
