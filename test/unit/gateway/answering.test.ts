// What becomes of a call that is refused: who floods hears of it late, and loses the connection where too
// many are held already.
import { createSecretKey } from 'node:crypto';
import { jest } from '@jest/globals';
import { answering, type Incoming } from '../../../gateway/answering.ts';
import { openCalls } from '../../../gateway/bounds/open-calls.ts';
import { api } from '../../../gateway/calls/messages.ts';
import { away, denied, tooMuch, unknownCaller, type GatewayRefusal } from '../../../gateway/refusal.ts';
import { RULED } from '../../../gateway/services.ts';

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

describe('a task that comes after a poll has waited', () => {
  const site = { cluster: 'site-1', account: 'uid-1' };
  const key = { id: Buffer.alloc(4), secret: createSecretKey(Buffer.alloc(32)) };

  /** What becomes of it, if `meanwhile` is what the hub says of the token when it comes. */
  async function polled(meanwhile: GatewayRefusal | null): Promise<string> {
    const said = [
      () => Promise.resolve(site),
      () => (meanwhile === null ? Promise.resolve(site) : Promise.reject(meanwhile)),
    ];
    const task = { taskToken: Buffer.from('t'), activityType: { name: 'report' } };
    const answer = answering({
      context: {
        namespace: 'default',
        keys: { current: () => key, find: () => Promise.resolve(key) },
        temporal: {
          withAbortSignal: (_signal: AbortSignal, ask: () => unknown) => ask(),
          withDeadline: (_at: number, ask: () => unknown) => ask(),
          workflowService: { pollActivityTaskQueue: () => Promise.resolve(task) },
        },
      } as never,
      identify: () => said.shift()?.() ?? Promise.reject(new Error('asked too often')),
      open: openCalls(),
      onEnded: () => undefined,
    });
    const request = api.PollActivityTaskQueueRequest.encode({ taskQueue: { name: 'agent/site-1' } }).finish();
    const call = { service: RULED, method: 'PollActivityTaskQueue', authorization: 'x', request };
    const ended = answer({ ...call, gone: new AbortController().signal }).then(
      (bytes) => api.PollActivityTaskQueueResponse.decode(bytes).activityType?.name ?? '',
      (error: GatewayRefusal) => error.message,
    );
    await jest.advanceTimersByTimeAsync(HELD_MS);
    return ended;
  }

  test('is given to who is still known', async () => {
    expect(await polled(null)).toBe('report');
  });

  test('is kept from whose token was revoked meanwhile', async () => {
    expect(await polled(unknownCaller('revoked'))).toBe('revoked');
  });

  test('is given while the hub cannot be asked: what is answered to it is looked at again', async () => {
    expect(await polled(away('away'))).toBe('report');
  });
});
