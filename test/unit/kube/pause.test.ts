// A pause lasts as long as the process's timers say, which simulated time replaces, and no longer than who
// waits.
import { jest } from '@jest/globals';
import { pause } from '../../../kube/pause.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('it ends when the process’s timers say so', async () => {
  let hasEnded = false;
  const waiting = pause(600, new AbortController().signal).then(() => (hasEnded = true));
  await jest.advanceTimersByTimeAsync(599);
  expect(hasEnded).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  await waiting;
});

test('it ends with the reason of its signal, and leaves no timer behind', async () => {
  const ending = new AbortController();
  const waiting = pause(600, ending.signal);
  const reason = new Error('the try has ended');
  ending.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(jest.getTimerCount()).toBe(0);
  await expect(pause(600, ending.signal)).rejects.toBe(reason);
  expect(jest.getTimerCount()).toBe(0);
});

test('a signal that aborts afterwards is heard no more', async () => {
  const ending = new AbortController();
  const heard = jest.spyOn(ending.signal, 'removeEventListener');
  const waiting = pause(1, ending.signal);
  await jest.advanceTimersByTimeAsync(1);
  await waiting;
  expect(heard).toHaveBeenCalledTimes(1);
});
