// What a turn writes and deletes: what takes too long is left to the next turn, and one answer keeps none of
// the others from its turn.
import { jest } from '@jest/globals';
import { removeEach, writeEach } from '../../../activities/hub/rollout/writes.ts';
import { trying } from '../../../activities/trying.ts';
import { HUB_TIMES } from '../../../activities/hub/times.ts';
import { ApiError } from '../../../kube/failure.ts';
import { aTry } from '../../support/builders/process/tries.ts';

afterEach(() => void jest.useRealTimers());

const copies = Array.from({ length: 12 }, (_, index) => `c${index}`);
const failure = (code: number) => new ApiError({ method: 'PATCH', path: '', code, reason: 'Why' });

test('what was not begun in time is left out, and the next turn writes it', async () => {
  jest.useFakeTimers({ now: 0 });
  const written = await writeEach(copies, async (copy) => {
    await Promise.resolve();
    jest.setSystemTime(HUB_TIMES.setWrites.ms);
    return copy;
  });
  expect([...written.keys()]).toEqual(copies.slice(0, 10));
});

test('of a try that has little time left, half is for what comes after the writes', async () => {
  jest.useFakeTimers({ now: 0 });
  const began: number[] = [];
  const written = await aTry({ startToCloseMs: 5_000, isLocal: true }).run(() =>
    trying(() => {
      // It has read for a second of its four.
      jest.setSystemTime(1_000);
      return writeEach(copies, async (copy) => {
        began.push(Date.now());
        await Promise.resolve();
        jest.setSystemTime(Date.now() + 700);
        return copy;
      });
    }),
  );
  expect(Math.max(...began)).toBeLessThan(2_500);
  expect(written.size).toBe(began.length);
  expect(written.size).toBeLessThan(copies.length);
});

test('an answer to one write is told beside the others, and what is no answer of the API server is thrown', async () => {
  const fails = (error: Error) => async (copy: string) => {
    if (copy === 'c1') throw error;
    return copy;
  };
  const written = await writeEach(copies, fails(failure(500)));
  expect([written.size, written.get('c1'), written.get('c11')]).toEqual([12, failure(500), 'c11']);
  await expect(writeEach(copies, fails(new Error('a fault of ours')))).rejects.toThrow('a fault of ours');
});

test('each deletion is told by what became of it', async () => {
  const outcomes = ['Begun', 'Gone', 'Pending', 'Changed', 'Unanswered'] as const;
  const removed = await removeEach(
    [...outcomes, 'refused'],
    (copy) => `on-${copy}`,
    async (copy) => {
      if (copy === 'refused') throw failure(403);
      return copy as (typeof outcomes)[number];
    },
  );
  expect(removed).toEqual({
    pending: 1,
    unremoved: [{ cluster: 'on-refused', reason: 'Why' }],
    changed: ['on-Changed'],
    unanswered: ['on-Unanswered'],
  });
});
