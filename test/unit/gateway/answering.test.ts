// What becomes of a call that is refused: who floods hears of it late, and loses the connection where too
// many are held already.
import { jest } from '@jest/globals';
import { answering, type Incoming } from '../../../gateway/answering.ts';
import { openCalls } from '../../../gateway/bounds/open-calls.ts';
import { denied, tooMuch, type GatewayRefusal } from '../../../gateway/refusal.ts';

/** As many refusals as are held at one time. */
const MOST = 8_192;
/** Four seconds, and some for the turns in which so many go back. */
const HELD_MS = 15_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function gateway(refusal: GatewayRefusal) {
  const seen = { told: 0, ended: 0, cut: 0 };
  const answer = answering({
    context: {} as never,
    identify: () => Promise.reject(refusal),
    open: openCalls(),
    onEnded: () => (seen.ended += 1),
  });
  const incoming: Incoming = {
    service: 'any',
    method: 'GetSystemInfo',
    authorization: '',
    request: new Uint8Array(),
    gone: new AbortController().signal,
    cut: () => (seen.cut += 1),
  };
  const ask = (): void => void answer(incoming).catch(() => (seen.told += 1));
  return { seen, ask };
}

test('who floods is told four seconds later, and what is measured of the call ends at once', async () => {
  const { seen, ask } = gateway(tooMuch('too much'));
  ask();
  await jest.advanceTimersByTimeAsync(3_999);
  expect(seen).toEqual({ told: 0, ended: 1, cut: 0 });
  await jest.advanceTimersByTimeAsync(1);
  expect(seen).toEqual({ told: 1, ended: 1, cut: 0 });
});

test('beyond what is held at one time connections are ended, and room is made again', async () => {
  const { seen, ask } = gateway(tooMuch('too much'));
  for (let count = 0; count < MOST + 3; count += 1) ask();
  await jest.advanceTimersByTimeAsync(10);
  expect(seen).toEqual({ told: 3, ended: MOST + 3, cut: 3 });
  await jest.advanceTimersByTimeAsync(HELD_MS);
  ask();
  await jest.advanceTimersByTimeAsync(HELD_MS);
  expect(seen).toEqual({ told: MOST + 4, ended: MOST + 4, cut: 3 });
});

test('who asks for what he may not do is told at once, and keeps his connection', async () => {
  const { seen, ask } = gateway(denied('no'));
  ask();
  await jest.advanceTimersByTimeAsync(0);
  expect(seen).toEqual({ told: 1, ended: 1, cut: 0 });
});
