// One try of an activity: how long its requests may take, and that no request outlives it.
import { jest } from '@jest/globals';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { acting, timeOf, trying } from '../../../activities/trying.ts';
import type { Bounds, Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import { aTry } from '../../support/builders/process/tries.ts';

afterEach(() => void jest.useRealTimers());

/** A Kube that only records the bounds of its requests. */
function limits(): { readonly kube: Kube; readonly given: Bounds[] } {
  const given: Bounds[] = [];
  const kube = { within: (bounds: Bounds) => (given.push(bounds), kube) } as unknown as Kube;
  return { kube, given };
}

test.each([
  [30_000, 24_000],
  [5_000, 4_000],
  [1_000, 500],
  [100, 0],
])('with a start-to-close timeout of %d ms, the requests of a try may take %d ms', (startToClose, ours) => {
  expect(timeOf(startToClose)).toBe(ours);
});

test.each([false, true])(
  'the deadline of a try comes from Temporal, and nested tries do not extend it (local: %s)',
  async (isLocal) => {
    jest.useFakeTimers({ now: 0 });
    const { kube, given } = limits();
    const inner = (): Promise<void> =>
      acting(kube, () => Promise.resolve(jest.advanceTimersByTime(1_000)).then(() => undefined));
    await aTry({ startToCloseMs: 5_000, isLocal }).run(() => trying(() => inner().then(inner)));
    expect(given.map(({ until }) => until)).toEqual([4_000, 4_000]);
  },
);

test('a cancellation aborts every request of a try', async () => {
  const { kube, given } = limits();
  const one = aTry();
  await one.run(() =>
    acting(kube, () =>
      acting(kube, () => {
        expect(given.map(({ signal }) => signal.aborted)).toEqual([false, false]);
        one.cancel();
        const reason = new CancelledFailure('CANCELLED');
        expect(given.map(({ signal }): unknown => signal.reason)).toEqual([reason, reason]);
        return Promise.resolve();
      }),
    ),
  );
});

test('when one of several requests has failed, the others are aborted', async () => {
  const { kube, given } = limits();
  const failing = acting(kube, () =>
    Promise.reject(new ApiError({ method: 'GET', path: '/', code: 500, reason: 'InternalError' })),
  );
  await expect(failing).rejects.toMatchObject({ type: 'Unreachable' });
  expect(given[0]?.signal.aborted).toBe(true);
});

/** Runs a try that is cancelled while it runs, and returns the error that it throws. */
async function endedBy(why: 'CANCELLED' | 'TIMED_OUT' | 'WORKER_SHUTDOWN'): Promise<unknown> {
  const one = aTry();
  const body = (): Promise<void> =>
    trying(async ({ signal }) => {
      one.cancel(why);
      signal.throwIfAborted();
    });
  return one.run(body).catch((error: unknown) => error);
}

test.each(['TIMED_OUT', 'WORKER_SHUTDOWN'] as const)(
  'a try that ends with %s throws a retryable failure, not a cancellation',
  async (why) => {
    const ended = await endedBy(why);
    expect(ended).toBeInstanceOf(ApplicationFailure);
    expect(ended).toMatchObject({ type: 'Unreachable', nonRetryable: false });
  },
);

test('a try that its workflow cancels throws a CancelledFailure', async () => {
  expect(await endedBy('CANCELLED')).toEqual(new CancelledFailure('CANCELLED'));
});

test('a request that begins after a try was cancelled is aborted at once', async () => {
  const one = aTry();
  one.cancel();
  const begun = one.run(() => trying(({ signal }) => Promise.resolve(signal.aborted)));
  expect(await begun).toBe(true);
});
