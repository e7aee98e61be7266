// From what is so and what was told before to what is put into the queue: nothing twice, nothing lost, and
// never a flood.
import { MOST_QUEUED, MOST_TOLD, type Topic } from '../../../crds/notify/notification.ts';
import { enqueued, nextDue, type NotifierMemory } from '../../../notify/memory.ts';
import type { News } from '../../../notify/news/news.ts';

const NOW = Date.parse('2026-11-27T12:00:00.000Z');
const HOUR = 3_600_000;
const RECEIVER = { uid: 'n1', scope: 'namespace team-a' };
const BEGUN: NotifierMemory = { told: [], queue: [] };

const news = (
  id: string,
  more: {
    readonly topic?: Topic;
    readonly ago?: number;
    readonly in?: number;
    readonly isPast?: boolean;
  } = {},
): News => {
  const at = NOW - (more.ago ?? 1_000);
  return {
    id,
    topic: more.topic ?? 'AppStuck',
    reason: 'R',
    about: { kind: 'Capp', namespace: 'team-a', name: id },
    text: `text of ${id}`,
    at: new Date(at).toISOString(),
    dueAt: more.in === undefined ? at : NOW + more.in,
    isPast: more.isPast ?? false,
  };
};
const many = (count: number, more?: Parameters<typeof news>[1]): News[] =>
  Array.from({ length: count }, (_, index) => news(`n${index}`, more));
const say = (memory: NotifierMemory, all: readonly News[], now = NOW): NotifierMemory =>
  enqueued(memory, all, RECEIVER, now);

test('each happening is told once, oldest first, with an id that its Notification gives it', () => {
  const after = say(BEGUN, [news('b', { ago: 1 }), news('a', { ago: 2 })]);
  expect(after.queue.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(after.queue[0]).toMatchObject({
    topic: 'AppStuck',
    text: 'text of a',
    kind: 'Capp',
    namespace: 'team-a',
  });
  expect(say(after, [news('b', { ago: 1 }), news('a', { ago: 2 })])).toBe(after);
  const [first] = say(BEGUN, [news('a')]).queue;
  const [other] = enqueued(BEGUN, [news('a')], { ...RECEIVER, uid: 'n2' }, NOW).queue;
  expect([first?.id, other?.id]).toEqual([expect.stringMatching(/^msg_[0-9a-f]{32}$/), expect.any(String)]);
  expect(first?.id).not.toBe(other?.id);
  expect(say(BEGUN, [news('a')], NOW + HOUR).queue[0]?.id).toBe(first?.id);
});

test('what is over and comes again as the same happening is not told again', () => {
  const after = say(BEGUN, [news('a')]);
  expect(say(say(after, []), [news('a')])).toBe(after);
});

test('what must last first is told when its time has come', () => {
  expect(say(BEGUN, [news('a', { in: 1_000 })])).toBe(BEGUN);
  expect(say(BEGUN, [news('a', { in: 1_000 })], NOW + 1_000).queue).toHaveLength(1);
  expect(nextDue([news('a', { in: 1_000 }), news('b', { in: 500 }), news('c')], NOW)).toBe(NOW + 500);
  expect(nextDue([news('c')], NOW)).toBeNull();
});

test('what ended more than a day ago is told nobody, what still is so is', () => {
  const old = 25 * HOUR;
  expect(say(BEGUN, [news('a', { isPast: true, ago: old })])).toBe(BEGUN);
  expect(
    say(BEGUN, [news('a', { isPast: true, ago: 23 * HOUR }), news('b', { ago: old })]).queue,
  ).toHaveLength(2);
});

test('the first message says what is so already, once, and leaves the past out', () => {
  const all = [news('a'), news('moved', { topic: 'AppMoved', isPast: true }), news('later', { in: HOUR })];
  const after = say({ told: null, queue: [] }, all);
  expect(after.queue.map(({ topic }) => topic)).toEqual(['Begun']);
  expect(after.queue[0]?.text).toMatch(
    /^Notifications of namespace team-a come here from now on\. 1 thing is so already \(1 AppStuck\):\n- text of a$/,
  );
  expect(say(after, all)).toBe(after);
  expect(say(after, all, NOW + HOUR).queue.at(-1)?.name).toBe('later');
});

test('more than ten at once are one message with their numbers and the first of them', () => {
  const after = say(BEGUN, [...many(30), news('lost', { topic: 'SiteLost', ago: 9_000 })]);
  expect(after.queue).toHaveLength(1);
  const { topic, text = '' } = after.queue[0] ?? {};
  expect(topic).toBe('Several');
  expect(text).toContain('31 things have happened (1 SiteLost, 30 AppStuck):\n- text of lost\n');
  expect(text.split('\n')).toHaveLength(22);
  expect(text).toContain('and 11 more');
  expect(say(after, many(30))).toBe(after);
});

test('what finds no room waits where it is, and is told when there is room', () => {
  const full: NotifierMemory = {
    told: [],
    queue: Array.from({ length: MOST_QUEUED - 1 }, () => say(BEGUN, [news('x')]).queue).flat(),
  };
  expect(say(full, [news('a')])).toBe(full);
  const room = { told: [], queue: full.queue.slice(0, 5) };
  expect(say(room, [news('a')]).queue).toHaveLength(6);
  const little = { told: [], queue: full.queue.slice(0, MOST_QUEUED - 3) };
  expect(say(little, many(5)).queue.at(-1)?.topic).toBe('Several');
});

test('however much is so, the memory is bounded, and that there is too much is told once', () => {
  const all = many(MOST_TOLD + 500);
  const after = say(BEGUN, all);
  expect(after.told?.length).toBeLessThanOrEqual(MOST_TOLD);
  expect(after.queue.map(({ topic }) => topic)).toEqual(['Several', 'TooMany']);
  expect(Buffer.byteLength(JSON.stringify(after))).toBeLessThan(200_000);
  expect(say(after, all)).toBe(after);
});

test('what is over makes room in the memory before what is so', () => {
  const old = Array.from({ length: MOST_TOLD - 2 }, (_, index) => `old${index}`);
  const after = say({ told: ['a', ...old], queue: [] }, [news('a'), news('b'), news('c')]);
  expect(after.told?.length).toBeLessThanOrEqual(MOST_TOLD);
  expect(after.told).toEqual(expect.arrayContaining(['a', 'b', 'c']));
});

test('whatever happens in whatever order, each happening is in one message and the queue is bounded', () => {
  let memory = BEGUN;
  const ids: string[] = [];
  for (let turn = 0; turn < 300; turn += 1) {
    const all = Array.from({ length: (turn * 7) % 15 }, (_, index) => news(`t${(turn % 50) * 15 + index}`));
    const next = say(memory, all);
    expect(next.queue.length).toBeLessThanOrEqual(MOST_QUEUED);
    const told = (next.told ?? []).slice((memory.told ?? []).length);
    ids.push(...told);
    // The receiver takes some now and then.
    memory = turn % 3 === 0 ? { ...next, queue: next.queue.slice(4) } : next;
  }
  expect(new Set(ids).size).toBe(ids.length);
});

test('of a Notification that has had many messages all that happens becomes one', () => {
  const [busy, calm] = [true, false].map((isBusy) =>
    enqueued(BEGUN, [news('a'), news('b')], { ...RECEIVER, isBusy }, NOW).queue.slice(BEGUN.queue.length),
  );
  expect([busy?.map(({ topic }) => topic), calm?.length]).toEqual([['Several'], 2]);
});
