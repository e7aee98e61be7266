// A refusal of who floods goes back late, and one of anybody else at once.
import { jest } from '@jest/globals';
import { holding } from '../../../gateway/bounds/holding.ts';
import { denied, tooMuch, unknownCaller, unreadable } from '../../../gateway/refusal.ts';

const stays = new AbortController().signal;

/** Whether it has been let go without any time passing. */
async function isAtOnce(held: Promise<boolean>): Promise<boolean> {
  return Promise.race([held.then(() => true), Promise.resolve().then(() => Promise.resolve(false))]);
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test.each([
  ['who asks too often', tooMuch('too much'), 4_000],
  ['who is not known', unknownCaller('who?'), 1_000],
])('%s is answered later', async (_, refusal, ms) => {
  const held = holding().hold(refusal, stays);
  let isFree = false;
  void held.then(() => (isFree = true));
  await jest.advanceTimersByTimeAsync(ms - 1);
  expect(isFree).toBe(false);
  await jest.advanceTimersByTimeAsync(1);
  expect(isFree).toBe(true);
  await expect(held).resolves.toBe(true);
});

test.each([
  ['what a site may not do', denied('no')],
  ['what cannot be read', unreadable('what?')],
])('%s is answered at once', async (_, refusal) => {
  expect(await isAtOnce(holding().hold(refusal, stays))).toBe(true);
});

test('who has gone is held no longer, and makes room', async () => {
  const { hold } = holding(1);
  const gone = new AbortController();
  const first = hold(tooMuch('too much'), gone.signal);
  await expect(hold(tooMuch('too much'), stays)).resolves.toBe(false);
  gone.abort();
  await expect(first).resolves.toBe(true);
  const next = hold(tooMuch('too much'), stays);
  await jest.advanceTimersByTimeAsync(4_000);
  await expect(next).resolves.toBe(true);
});

test('who had gone before the refusal was made is not held, and takes nobody’s room', async () => {
  const { hold } = holding(1);
  const gone = AbortSignal.abort();
  expect(await isAtOnce(hold(tooMuch('too much'), gone))).toBe(true);
  void hold(tooMuch('too much'), stays);
  await expect(hold(tooMuch('too much'), gone)).resolves.toBe(true);
});
