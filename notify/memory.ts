// What is put into the queue of a Notification, by what is so now and what was told before. Pure. A repeat
// with the same memory says the same; with the memory that it gave, nothing.
import { cutText } from '../crds/cut-text.ts';
import { digestOf } from '../crds/digest.ts';
import {
  LONGEST_TEXT,
  MOST_QUEUED,
  MOST_TOLD,
  type MessageTopic,
  type QueuedMessage,
} from '../crds/notify/notification.ts';
import type { News } from './news/news.ts';
import { NOTIFIER_TIMES } from './times.ts';

export interface NotifierMemory {
  /** Ids of news; null for a Notification that has not begun. */
  readonly told: readonly string[] | null;
  readonly queue: readonly QueuedMessage[];
}

export interface Receiver {
  /** The uid of the Notification: another one gets other ids. */
  readonly uid: string;
  /** Of what it is told, for its first message. */
  readonly scope: string;
  /** It has had many messages: all that happens becomes one. */
  readonly isBusy?: boolean;
}

/** More at once become one message. */
const SINGLY = 10;
/** So many of them it names. */
const MOST_LINES = 20;
const LONGEST_LINE = 180;
const DIGITS = 32;
/** Among the ids: that there are too many has been told. */
const TOO_MANY = 'too-many';
const TOO_MANY_TEXT = `More than ${MOST_TOLD - 1} things are so at once. Further ones are told when some of these are over.`;

/**
 * `news` is all that is so now. Gives the same memory where nothing is to be told. What finds no room in the
 * queue is told later, if it is still so.
 */
export function enqueued(
  memory: NotifierMemory,
  news: readonly News[],
  { uid, scope, isBusy = false }: Receiver,
  now: number,
): NotifierMemory {
  const room = MOST_QUEUED - memory.queue.length;
  // One more than a message for the case that there are too many.
  if (room <= 1) return memory;
  const due = news.filter((one) => isDue(one, now)).toSorted(byTime);
  const seen = due.slice(0, MOST_TOLD - 1);
  const write = written(uid, now);
  if (memory.told === null) {
    const begun = write('Begun', 'begun', begunText(scope, seen));
    return { told: seen.map(({ id }) => id), queue: [...memory.queue, begun] };
  }
  const isOver = due.length > seen.length;
  const known = new Set(memory.told);
  const fresh = seen.filter(({ id }) => !known.has(id));
  const isNewlyOver = isOver && !known.has(TOO_MANY);
  if (fresh.length === 0 && !isNewlyOver) return memory;
  const over = isNewlyOver ? [write('TooMany', now.toString(), TOO_MANY_TEXT)] : [];
  const told = trimmed([...memory.told, ...fresh.map(({ id }) => id)], seen, isOver);
  return {
    told,
    queue: [...memory.queue, ...messagesOf(fresh, isBusy ? 1 : room - over.length, write), ...over],
  };
}

/** With no room for one each, they are one. */
function messagesOf(fresh: readonly News[], room: number, write: Write): readonly QueuedMessage[] {
  if (fresh.length <= Math.min(room, SINGLY)) return fresh.map((one) => singly(write, one));
  return [
    write('Several', fresh.map(({ id }) => id).join(), severalText(fresh, ['has happened', 'have happened'])),
  ];
}

function byTime(a: News, b: News): number {
  return a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1;
}

/** When the next of these news is due, in milliseconds since the epoch; null if none waits for its time. */
export function nextDue(news: readonly News[], now: number): number | null {
  const later = news.map(({ dueAt }) => dueAt).filter((at) => at > now);
  return later.length === 0 ? null : Math.min(...later);
}

function isDue({ dueAt, isPast }: News, now: number): boolean {
  return dueAt <= now && !(isPast && dueAt < now - NOTIFIER_TIMES.past.ms);
}

/** What is no longer so is forgotten first. */
function trimmed(told: readonly string[], seen: readonly News[], isOver: boolean): readonly string[] {
  const [ids, most] = [told.filter((id) => id !== TOO_MANY), MOST_TOLD - 1];
  const current = new Set(seen.map(({ id }) => id));
  const spare = ids.filter((id) => !current.has(id));
  const forgotten = new Set(spare.slice(0, Math.max(0, ids.length - most)));
  const kept = ids.filter((id) => !forgotten.has(id)).slice(-most);
  return isOver ? [...kept, TOO_MANY] : kept;
}

type Write = (topic: MessageTopic, of: string, text: string) => QueuedMessage;

function written(uid: string, now: number): Write {
  const at = new Date(now).toISOString();
  return (topic, of, text) => ({
    id: `msg_${digestOf(`${uid}\n${topic}\n${of}`, DIGITS)}`,
    topic,
    text: cutText(text, LONGEST_TEXT),
    at,
    queuedAt: at,
  });
}

function singly(write: Write, { id, topic, text, at, reason, about }: News): QueuedMessage {
  const { kind, namespace, name } = about;
  const place = namespace === null ? {} : { namespace };
  return { ...write(topic, id, text), at, reason, kind, name, ...place };
}

function begunText(scope: string, news: readonly News[]): string {
  const lasting = news.filter((one) => !one.isPast);
  const first = `Notifications of ${scope} come here from now on.`;
  return lasting.length === 0
    ? first
    : `${first} ${severalText(lasting, ['is so already', 'are so already'])}`;
}

/** Counts by topic, then the first of them, a line each. */
function severalText(news: readonly News[], [one, several]: readonly [string, string]): string {
  const counts = new Map<string, number>();
  for (const { topic } of news) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  const sums = [...counts].map(([topic, count]) => `${count} ${topic}`).join(', ');
  const lines = news.slice(0, MOST_LINES).map(({ text }) => `- ${cutText(text, LONGEST_LINE)}`);
  const more = news.length - lines.length;
  const rest = more === 0 ? [] : [`and ${more} more: kubectl capp list, kubectl get cappset,bundle -A`];
  const what = news.length === 1 ? `1 thing ${one}` : `${news.length} things ${several}`;
  return [`${what} (${sums}):`, ...lines, ...rest].join('\n');
}
