// One turn of a Notification: look, put what is new into the queue, send the first message, and write down
// what came of it. A turn may end anywhere: a message that was sent and not written down is sent again, with
// the same id and body. Where nothing is to be told, nothing is written.
import { canonical } from '../crds/digest.ts';
import { NOTIFICATION, type Notification, type QueuedMessage } from '../crds/notify/notification.ts';
import { applyStatus } from '../kube/apply-status.ts';
import type { Kube } from '../kube/client.ts';
import { retryOnConflict } from '../kube/failure.ts';
import { backoff } from '../kube/http/backoff.ts';
import { newsFor } from './concerning.ts';
import { type NotificationCourse, isBusy, newest, quietUntil } from './course.ts';
import { look, type NotifierPlace } from './look.ts';
import { enqueued, nextDue } from './memory.ts';
import type { News } from './news/news.ts';
import { EVERYWHERE, type NotifierCaches } from './seen.ts';
import type { PostOutcome } from './send/post.ts';
import { requestOf, type PostRequest } from './send/request.ts';
import { changed, conditionOf, CONFIGURED, memoryOf, type Changes, type NotificationSaid } from './status.ts';
import type { FoundTarget, MessageTarget } from './target/target.ts';
import type { NotifierTimes } from './times.ts';

export const FIELD_MANAGER = 'cappstan-notifier';
/** A message that its receiver refuses whenever it comes is tried so often. */
const FINAL_TRIES = 5;

export type Result = 'delivered' | 'failed' | 'given up';

export interface TurnOptions {
  readonly kube: Pick<Kube, 'get' | 'apply'>;
  readonly caches: NotifierCaches;
  readonly place: NotifierPlace;
  /** Says which hub it is. */
  readonly source: string;
  readonly times: NotifierTimes;
  readonly now: () => number;
  readonly send: (target: MessageTarget, request: PostRequest) => Promise<PostOutcome>;
  readonly onEnded: (result: Result, of: { readonly notification: string; readonly reason: string }) => void;
}

/**
 * Gives the milliseconds until the next turn. Throws ApiError; a Conflict says that somebody else has
 * written, or that the cache is behind.
 */
export async function turn(
  options: TurnOptions,
  cached: Notification,
  course: NotificationCourse,
): Promise<number> {
  const { times, now } = options;
  const notification = newest(cached, course);
  const news = newsOf(options, notification);
  const found = isLookDue(options, notification, course) ? await lookAt(options, notification, course) : null;
  const current = await tell(options, { notification, news, found }, course);
  const sent = await deliver(options, current, found, course);
  return next(sent, { news, course, times }, now());
}

function newsOf(
  { caches, place }: TurnOptions,
  { metadata: { namespace = '' }, spec }: Notification,
): readonly News[] {
  const scope = namespace === place.namespace ? EVERYWHERE : namespace;
  return newsFor(caches, { namespace: scope, ...(spec.topics === undefined ? {} : { topics: spec.topics }) });
}

/** A Secret is read when something hangs on it, and seldom otherwise. */
function isLookDue(options: TurnOptions, notification: Notification, course: NotificationCourse): boolean {
  const { times, now } = options;
  if (course.lookedAt === null || course.lookedFor !== lookedFor(options, notification)) return true;
  const isReady = conditionOf(notification, 'Ready')?.status === 'True';
  return now() - course.lookedAt >= (isReady ? times.ready : times.unready);
}

function lookedFor({ caches, place }: TurnOptions, { metadata }: Notification): string {
  const config = caches.configs.get(place.configKey)?.metadata.resourceVersion ?? '';
  const beside = caches.notifications.list(metadata.namespace).length;
  return [metadata.uid, metadata.generation, config, beside].join('/');
}

async function lookAt(
  options: TurnOptions,
  notification: Notification,
  course: NotificationCourse,
): Promise<FoundTarget> {
  const found = await look(options.kube, options.caches, notification, options.place);
  course.lookedAt = options.now();
  course.lookedFor = lookedFor(options, notification);
  return found;
}

interface Sight {
  readonly notification: Notification;
  readonly news: readonly News[];
  /** Null if nobody has looked in this turn. */
  readonly found: FoundTarget | null;
}

/** Writes what is new into the queue, and how the Secret is. */
async function tell(
  options: TurnOptions,
  { notification, news, found }: Sight,
  course: NotificationCourse,
): Promise<Notification | null> {
  const { times, now } = options;
  const before = memoryOf(notification);
  const hasBegun = before.told !== null || (found !== null && 'target' in found);
  const isQuiet = quietUntil(course, times, now()) > 0;
  const memory =
    hasBegun && !isQuiet
      ? enqueued(before, news, { ...receiverOf(options, notification), isBusy: isBusy(course) }, now())
      : before;
  const written = await write(options, notification, { memory, ...readyOf(found) }, course);
  for (let more = memory.queue.length - before.queue.length; more > 0; more -= 1) course.queued.push(now());
  return written;
}

function receiverOf({ place }: TurnOptions, { metadata }: Notification): { uid: string; scope: string } {
  const { uid = '', namespace = '' } = metadata;
  return { uid, scope: namespace === place.namespace ? 'the whole hub' : `namespace ${namespace}` };
}

function readyOf(found: FoundTarget | null): { readonly ready?: NotificationSaid } {
  if (found === null) return {};
  return { ready: 'target' in found ? CONFIGURED : { status: 'False', ...found.fault } };
}

/** Null if it is gone. Writes only what differs, and only over what was read. Throws a Conflict. */
async function write(
  { kube, now }: TurnOptions,
  notification: Notification,
  changes: Changes,
  course: NotificationCourse,
): Promise<Notification | null> {
  const status = changed(notification, changes, now());
  if (canonical(status) === canonical(notification.status)) return notification;
  const how = { status, fieldManager: FIELD_MANAGER, asRead: true };
  const written = await applyStatus<Notification>(kube, NOTIFICATION, notification, how);
  course.written = written;
  return written;
}

/**
 * The same for what came of a try, which is so whoever else has written: after a Conflict it is read anew. A
 * message that is over leaves the queue by its id.
 */
function record(
  options: TurnOptions,
  notification: Notification,
  { over, ...changes }: Changes & { readonly over: string | null },
  course: NotificationCourse,
): Promise<Notification | null> {
  const { namespace = '', name, uid } = notification.metadata;
  return retryOnConflict(async (tries) => {
    const current =
      tries === 1 ? notification : await options.kube.get<Notification>(NOTIFICATION, { namespace, name });
    if (current === null || current.metadata.uid !== uid) return null;
    const { told, queue } = memoryOf(current);
    const memory = { told, queue: queue.filter(({ id }) => id !== over) };
    return write(options, current, { ...changes, memory }, course);
  });
}

/** Sends the first message of the queue, if there is one and its time has come. */
async function deliver(
  options: TurnOptions,
  notification: Notification | null,
  known: FoundTarget | null,
  course: NotificationCourse,
): Promise<Notification | null> {
  const { times, now, source, send } = options;
  const [message] = notification?.status?.queue ?? [];
  if (notification === null || message === undefined || now() < course.notBefore) return notification;
  const found = known ?? (await lookAt(options, notification, course));
  if (!('target' in found)) return write(options, notification, readyOf(found), course);
  const { namespace = '', name } = notification.metadata;
  const { target } = found;
  const how = { format: notification.spec.format, keys: target.keys };
  const outcome = await send(target, requestOf(message, how, { namespace, name, source }, now()));
  if (outcome.delivered) {
    options.onEnded('delivered', { notification: `${namespace}/${name}`, reason: 'Accepted' });
    course.failures = { id: '', count: 0 };
    course.notBefore = now() + times.spacing;
    return record(
      options,
      notification,
      { ...DELIVERED, over: message.id, lastDelivered: stamp(now()) },
      course,
    );
  }
  const isOver = failedOnce(options, { message, outcome }, course);
  options.onEnded(isOver ? 'given up' : 'failed', {
    notification: `${namespace}/${name}`,
    reason: outcome.reason,
  });
  const delivered: NotificationSaid = { status: 'False', reason: outcome.reason, message: outcome.message };
  const over = isOver ? { over: message.id, givenUp: 1 } : { over: null };
  return record(options, notification, { delivered, ...over }, course);
}

const DELIVERED = {
  ready: CONFIGURED,
  delivered: { status: 'True', reason: 'Accepted', message: 'The receiver took the last message.' },
} as const;

function stamp(at: number): string {
  return new Date(at).toISOString();
}

/** Whether it is given up. */
function failedOnce(
  { times, now }: TurnOptions,
  {
    message,
    outcome,
  }: { readonly message: QueuedMessage; readonly outcome: PostOutcome & { delivered: false } },
  course: NotificationCourse,
): boolean {
  const { failures } = course;
  const count = failures.id === message.id ? failures.count + 1 : 1;
  const isOver =
    now() - Date.parse(message.queuedAt) > times.giveUp || (outcome.isFinal && count >= FINAL_TRIES);
  course.failures = isOver ? { id: '', count: 0 } : { id: message.id, count };
  const pause = backoff(count, { firstMs: times.retryFirst, longestMs: times.retryLongest });
  course.notBefore = now() + Math.max(pause, outcome.retryAfterMs ?? 0);
  return isOver;
}

function next(
  notification: Notification | null,
  {
    news,
    course,
    times,
  }: { readonly news: readonly News[]; readonly course: NotificationCourse; readonly times: NotifierTimes },
  now: number,
): number {
  if (notification === null) return times.ready;
  const isReady = conditionOf(notification, 'Ready')?.status === 'True';
  const hasMessage = (notification.status?.queue ?? []).length > 0;
  const waits = [
    isReady ? times.ready : times.unready,
    ...(isReady && hasMessage ? [course.notBefore - now] : []),
    ...[nextDue(news, now)].flatMap((at) => (at === null ? [] : [at - now])),
    ...[quietUntil(course, times, now)].flatMap((at) => (at === 0 ? [] : [at - now])),
  ];
  return Math.max(1, Math.min(...waits));
}
