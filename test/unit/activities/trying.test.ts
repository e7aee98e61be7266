// One try of an activity: what it may take, and that nothing of it goes on when it is over.
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { acting, timeOf, trying, tryWithin } from '../../../activities/trying.ts';
import type { Bounds, Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';

const never = new AbortController().signal;

/** A Kube of which only the limits count. */
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
])('of %d ms that Temporal waits, a try asks and writes for %d', (startToClose, ours) => {
  expect(timeOf(startToClose)).toBe(ours);
});

test('an activity that is made of others has one deadline', async () => {
  const { kube, given } = limits();
  const outer = { until: Date.now() + 4_000, signal: never };
  await tryWithin(outer, () => trying(() => acting(kube, () => acting(kube, () => Promise.resolve()))));
  expect(given.map(({ until }) => until)).toEqual([outer.until, outer.until]);
});

test('a cancellation reaches every call of it', async () => {
  const { kube, given } = limits();
  const cancel = new AbortController();
  await tryWithin({ until: Infinity, signal: cancel.signal }, () =>
    acting(kube, () => {
      expect(given[0]?.signal.aborted).toBe(false);
      cancel.abort(new Error('cancelled'));
      expect(given[0]?.signal.reason).toEqual(new Error('cancelled'));
      return Promise.resolve();
    }),
  );
});

test('when one of several calls has failed, the others are cut off', async () => {
  const { kube, given } = limits();
  const failing = acting(kube, () => Promise.reject(new ApiError({ method: 'GET', path: '/', code: 500, reason: 'InternalError' })));
  await expect(failing).rejects.toMatchObject({ type: 'Unreachable' });
  expect(given[0]?.signal.aborted).toBe(true);
});

test.each(['TIMED_OUT', 'WORKER_SHUTDOWN'])(
  'a try that is ended by %s is tried again, and does not end the workflow that waits',
  async (why) => {
    const ended = await trying(() => Promise.reject(new CancelledFailure(why))).catch((error: unknown) => error);
    expect(ended).toBeInstanceOf(ApplicationFailure);
    expect(ended).toMatchObject({ type: 'Unreachable', nonRetryable: false });
  },
);

test('a workflow that cancels hears that it was cancelled', async () => {
  await expect(trying(() => Promise.reject(new CancelledFailure('CANCELLED')))).rejects.toBeInstanceOf(CancelledFailure);
});
