// The keyed queue: a key that is added often is handled once, and never twice at the same time.
import { mock } from 'node:test';
import { keyedQueue, type KeyedQueue } from '../../../kube/queue.ts';
import { eventually } from '../../../testbed/eventually.ts';

/** A handler that runs for each key until the test lets it go. */
function gated() {
  const begun: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>[]>();
  return {
    begun,
    work: (key: string): Promise<void> => {
      begun.push(key);
      const gate = Promise.withResolvers<void>();
      gates.set(key, [...(gates.get(key) ?? []), gate]);
      return gate.promise;
    },
    letGo: (key: string, error?: Error): void => {
      const gate = gates.get(key)?.shift();
      if (error === undefined) gate?.resolve();
      else gate?.reject(error);
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('a key', () => {
  test('that is added again while it waits is handled once', async () => {
    const { begun, work, letGo } = gated();
    const queue = keyedQueue({ work, concurrency: 1 });
    queue.add('a');
    for (const key of ['b', 'c', 'b', 'c']) queue.add(key);
    for (const key of ['a', 'b', 'c']) {
      letGo(key);
      await turn();
    }
    await queue.idle();
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  test('that is added while it is being handled is handled once more, after that', async () => {
    const { begun, work, letGo } = gated();
    const queue = keyedQueue({ work });
    for (const key of ['a', 'a', 'a']) queue.add(key);
    await turn();
    expect(begun).toEqual(['a']);
    letGo('a');
    await turn();
    expect(begun).toEqual(['a', 'a']);
    letGo('a');
    await queue.idle();
    expect(begun).toEqual(['a', 'a']);
  });

  test('that fails is retried until it succeeds, and each failure is reported with its count', async () => {
    const failures: number[] = [];
    let left = 3;
    const work = async (): Promise<void> => {
      if (left-- > 0) throw new Error('not yet');
    };
    const queue = keyedQueue({
      work,
      pauseMs: 1,
      slowestMs: 2,
      onError: (_key, _error, count) => failures.push(count),
    });
    queue.add('a');
    await queue.idle();
    expect({ failures, left }).toEqual({ failures: [1, 2, 3], left: -1 });
  });

  test('that waits for its retry is handled at once when it is added again', async () => {
    const { begun, work, letGo } = gated();
    const queue = keyedQueue({ work, pauseMs: 3_600_000, slowestMs: 3_600_000 });
    queue.add('a');
    letGo('a', new Error('not yet'));
    await turn();
    expect(queue.size()).toBe(1);
    queue.add('a');
    letGo('a');
    await queue.idle();
    expect(begun).toEqual(['a', 'a']);
  });

  test('that is added with a delay is not handled before, unless it is added again', async () => {
    const { begun, work, letGo } = gated();
    const queue = keyedQueue({ work });
    queue.add('late', 3_600_000);
    queue.add('soon', 1);
    await eventually(() => begun.includes('soon') || undefined);
    letGo('soon');
    await turn();
    expect({ begun, size: queue.size() }).toEqual({ begun: ['soon'], size: 1 });
    queue.add('late');
    letGo('late');
    await queue.idle();
    expect(begun).toEqual(['soon', 'late']);
  });
});

describe('a queue', () => {
  test('handles no more keys at a time than its concurrency', async () => {
    const { begun, work, letGo } = gated();
    const queue = keyedQueue({ work, concurrency: 2 });
    for (const key of ['a', 'b', 'c']) queue.add(key);
    await turn();
    expect(begun).toEqual(['a', 'b']);
    letGo('b');
    await turn();
    expect(begun).toEqual(['a', 'b', 'c']);
    letGo('a');
    letGo('c');
    await queue.idle();
  });

  test('handles other keys while one keeps failing', async () => {
    const done: string[] = [];
    const work = async (key: string): Promise<void> => {
      if (key === 'bad') throw new Error('never');
      done.push(key);
    };
    const queue = keyedQueue({ work, concurrency: 1, pauseMs: 1 });
    for (const key of ['bad', 'a', 'b']) queue.add(key);
    await eventually(() => done.length === 2 || undefined);
    await queue.stop();
  });

  test('that is stopped finishes the keys that it is handling, drops the rest and accepts no more', async () => {
    const { begun, work, letGo } = gated();
    const queue: KeyedQueue = keyedQueue({ work, concurrency: 1 });
    queue.add('a');
    queue.add('b');
    queue.add('c', 3_600_000);
    const stopped = queue.stop();
    queue.add('d');
    letGo('a');
    await stopped;
    expect({ begun, size: queue.size() }).toEqual({ begun: ['a'], size: 0 });
  });
});

test('the end of work on a key does not look through the keys that wait for their time', async () => {
  const queue = keyedQueue({ work: () => Promise.resolve() });
  for (let key = 0; key < 1_000; key += 1) queue.add(`later ${key}`, 60_000);
  const looks = mock.method(Map.prototype, 'keys');
  for (let key = 0; key < 10; key += 1) queue.add(`now ${key}`);
  await turn();
  expect(looks.mock.callCount()).toBe(0);
  looks.mock.restore();
  expect(queue.size()).toBe(1_000);
  await queue.stop();
});

test('a key that is worked on and waits for its time is counted once', async () => {
  const { work, letGo } = gated();
  const queue = keyedQueue({ work });
  queue.add('a');
  queue.add('a', 60_000);
  queue.add('b', 60_000);
  expect(queue.size()).toBe(2);
  letGo('a');
  await turn();
  expect(queue.size()).toBe(2);
  await queue.stop();
});

test('keys that yield are worked on after all others, and an urgent reason takes a key out of their line', async () => {
  const { begun, work, letGo } = gated();
  const yielding = new Set(['old 1', 'old 2', 'old 3']);
  const queue = keyedQueue({ work, concurrency: 1, yields: (key) => yielding.has(key) });
  for (const key of ['busy', 'old 1', 'old 2', 'old 3', 'new']) queue.add(key);
  yielding.delete('old 3');
  queue.add('old 3');
  for (const key of ['busy', 'new', 'old 3', 'old 1', 'old 2']) {
    await turn();
    letGo(key);
  }
  await queue.idle();
  expect(begun).toEqual(['busy', 'new', 'old 3', 'old 1', 'old 2']);
});

test('keys that yield leave three quarters of the room to others', async () => {
  const { begun, work, letGo } = gated();
  const queue = keyedQueue({ work, concurrency: 8, yields: (key) => key.startsWith('old') });
  for (let key = 0; key < 5; key += 1) queue.add(`old ${key}`);
  for (let key = 0; key < 6; key += 1) queue.add(`new ${key}`);
  expect(begun).toEqual(['old 0', 'old 1', ...Array.from({ length: 6 }, (_, key) => `new ${key}`)]);
  letGo('old 0');
  await turn();
  expect(begun.at(-1)).toBe('old 2');
  expect(queue.size()).toBe(10);
  for (const key of begun) letGo(key);
  await queue.stop();
});

test('the oldest key counts from when it is due: through failures, and not while it waits for its time', async () => {
  let fail = true;
  const work = (): Promise<void> => (fail ? Promise.reject(new Error('no')) : Promise.resolve());
  const queue = keyedQueue({ work, pauseMs: 20, slowestMs: 20 });
  expect(queue.oldestAt()).toBeNull();
  queue.add('planned', 3_600_000);
  expect(queue.oldestAt()).toBeNull();
  const before = Date.now();
  queue.add('failing');
  const since = queue.oldestAt();
  expect(since).toBeGreaterThanOrEqual(before);
  await eventually(() => (Date.now() - before > 50 ? true : undefined));
  queue.add('other');
  expect(queue.oldestAt()).toBe(since);
  fail = false;
  await eventually(() => (queue.size() === 1 ? true : undefined));
  expect(queue.oldestAt()).toBeNull();
  await queue.stop();
});
