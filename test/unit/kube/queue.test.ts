// The keyed queue: a key that is added often is handled once, and never twice at the same time.
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
