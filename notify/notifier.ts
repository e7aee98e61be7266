// The notifier: watches what the hub says of its objects, and has each Notification take its turn when
// something that it is told of changes, or its time has come.
import type { Notification } from '../crds/notify/notification.ts';
import type { Kube } from '../kube/client.ts';
import { isConflict } from '../kube/failure.ts';
import { keyedQueue, type KeyedQueue } from '../kube/queue.ts';
import { keyTextOf } from '../kube/resource.ts';
import { allSynced, stopAll, type Cache, type OnProblem } from '../kube/watch/cache.ts';
import { isOther } from './concerning.ts';
import { newCourse, type NotificationCourse } from './course.ts';
import type { NotifierPlace } from './look.ts';
import { notifierCaches, type NotifierCaches, type NotedObject } from './seen.ts';
import { post, type PostOptions } from './send/post.ts';
import { notifierTimes, type NotifierTimes } from './times.ts';
import { turn, type TurnOptions } from './turn.ts';

/** So many messages are sent at a time. */
const LANES = 8;

export interface NotifierOptions extends Pick<TurnOptions, 'place' | 'source' | 'onEnded'> {
  /** Whether it may read Bundles. */
  readonly withBundles: boolean;
  /** Further authorities (PEM) of receivers; read for each message. */
  readonly authorities?: () => Promise<string | undefined>;
  readonly onProblem: OnProblem;
  /** A turn that failed, and is taken again. */
  readonly onError: (notification: string, error: unknown) => void;
  readonly times?: Partial<NotifierTimes>;
  readonly post?: PostOptions;
  readonly now?: () => number;
}

export interface Notifier {
  readonly caches: NotifierCaches;
  readonly queue: Pick<KeyedQueue, 'size' | 'oldestAt'>;
  /** Messages that wait for their receivers. */
  waiting(): number;
  /** Sends what is being sent, and no more. */
  stop(): Promise<void>;
}

/** Resolves once it has seen what is there. */
export async function startNotifier(kube: Kube, options: NotifierOptions): Promise<Notifier> {
  const times = notifierTimes(options.times);
  const caches = notifierCaches(kube, options.withBundles, options.onProblem);
  const courses = new Map<string, NotificationCourse>();
  const given: TurnOptions = {
    ...options,
    kube,
    caches,
    times,
    now: options.now ?? Date.now,
    send: async (target, request) => {
      const authorities = await options.authorities?.();
      return post(target, request, {
        timeoutMs: times.send,
        ...(authorities === undefined ? {} : { authorities }),
        ...options.post,
      });
    },
  };
  const queue = keyedQueue({
    concurrency: LANES,
    work: async (key) => {
      const notification = byKey(caches, key);
      if (notification === undefined) return void courses.delete(key);
      const course = courses.get(key) ?? newCourse();
      courses.set(key, course);
      queue.add(key, await takeTurn(given, notification, course));
    },
    onError: options.onError,
  });
  await allSynced(caches);
  listen(caches, options.place, (key, delayMs) => queue.add(key, delayMs), times.gather);
  for (const one of caches.notifications.list()) queue.add(keyTextOf(one), 0);
  return {
    caches,
    queue,
    waiting: () => caches.notifications.list().reduce((sum, { status }) => sum + (status?.waiting ?? 0), 0),
    stop: async () => {
      await queue.stop();
      await stopAll(caches);
    },
  };
}

/** Somebody else's write, or a cache that is behind: it looks again soon. */
async function takeTurn(
  options: TurnOptions,
  notification: Notification,
  course: NotificationCourse,
): Promise<number> {
  try {
    return await turn(options, notification, course);
  } catch (error) {
    if (!isConflict(error)) throw error;
    return options.times.behind;
  }
}

function byKey({ notifications }: NotifierCaches, key: string): Notification | undefined {
  const [namespace = '', name = ''] = key.split('/');
  return notifications.get({ namespace, name });
}

type Ring = (key: string, delayMs: number) => void;

/** A change of an object rings the Notifications of its namespace and of the hub. */
function listen(
  caches: NotifierCaches,
  { namespace: home }: NotifierPlace,
  ring: Ring,
  gatherMs: number,
): void {
  const { notifications, configs, clusters, drains, capps, sets, bundles } = caches;
  const all = (delayMs: number): void => {
    for (const one of notifications.list()) ring(keyTextOf(one), delayMs);
  };
  const of = (namespace: string | undefined): void => {
    for (const place of new Set([home, namespace]))
      for (const one of notifications.list(place)) ring(keyTextOf(one), gatherMs);
  };
  const follow = (cache: Cache<NotedObject> | undefined, then: (seen: NotedObject) => void): void => {
    cache?.subscribe(({ previous, object, type }) => {
      if (type !== 'Deleted' && isOther(previous, object)) then(object);
    });
  };
  for (const cache of [capps, sets, bundles]) follow(cache, ({ metadata }) => of(metadata.namespace));
  for (const cache of [clusters, drains]) follow(cache, () => all(gatherMs));
  configs.subscribe(() => all(gatherMs));
  notifications.subscribe(({ object, previous }) => {
    const isOurs = previous !== null && previous.metadata.generation === object.metadata.generation;
    if (!isOurs) for (const one of notifications.list(object.metadata.namespace)) ring(keyTextOf(one), 0);
  });
}
