// What the notifier remembers of one Notification while it runs. After a restart it begins anew: that costs a
// look and a try, and loses nothing.
import type { Notification } from '../crds/notify/notification.ts';
import { isAtLeast } from '../kube/watch/cache.ts';

export interface NotificationCourse {
  /** As our last write left it: a cache may be behind. */
  written: Notification | null;
  /** When the Secret was last read, in milliseconds since the epoch; null for never. */
  lookedAt: number | null;
  /** Of what: a change of these is looked at anew. */
  lookedFor: string;
  /** Failures in a row of the first message of the queue. */
  failures: { readonly id: string; readonly count: number };
  /** Before this time nothing is sent. */
  notBefore: number;
  /** When messages were put into the queue, the newest last. */
  readonly queued: number[];
}

export function newCourse(): NotificationCourse {
  return {
    written: null,
    lookedAt: null,
    lookedFor: '',
    failures: { id: '', count: 0 },
    notBefore: 0,
    queued: [],
  };
}

/** The newer of what the cache has and what we have written. */
export function newest(cached: Notification, { written }: NotificationCourse): Notification {
  if (written === null || written.metadata.uid !== cached.metadata.uid) return cached;
  const { resourceVersion: seen = '' } = cached.metadata;
  return isAtLeast(seen, written.metadata.resourceVersion ?? '') ? cached : written;
}

/** So many messages within `busy` make it busy. */
const MANY = 20;

export function isBusy({ queued }: NotificationCourse): boolean {
  return queued.length >= MANY;
}

/** Until when nothing more is put into the queue, in milliseconds since the epoch; 0 for now. */
export function quietUntil(
  course: NotificationCourse,
  { busy, busyGather }: { readonly busy: number; readonly busyGather: number },
  now: number,
): number {
  while ((course.queued[0] ?? now) < now - busy) course.queued.shift();
  const last = course.queued.at(-1) ?? 0;
  return isBusy(course) && now < last + busyGather ? last + busyGather : 0;
}
