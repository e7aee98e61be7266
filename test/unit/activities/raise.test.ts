// How the error of an API server becomes a failure of the activity: retryable or not.
import { ActivityFailure, RetryState, type ApplicationFailure } from '@temporalio/common';
import { failureOf, refusedAs } from '../../../activities/raise.ts';
import { ApiError } from '../../../kube/failure.ts';
import { generationOf, isFinal } from '../../../workflows/engine/failed.ts';

const refused = (code: number, reason: string): ApplicationFailure =>
  failureOf(new ApiError({ method: 'PATCH', path: '/x', code, reason })) as ApplicationFailure;

test.each([
  ['an expired token', 401, 'Unauthorized', 'Unreachable'],
  ['a request without an answer', 0, 'Timeout', 'Unreachable'],
  ['an overloaded server', 429, 'TooManyRequests', 'Unreachable'],
  ['an unavailable server', 503, 'ServiceUnavailable', 'Unreachable'],
  ['a write conflict', 409, 'Conflict', 'Conflict'],
])('%s (%d) makes the activity fail with a retryable failure', (_, code, reason, type) => {
  const failure = refused(code, reason);
  expect(failure).toMatchObject({ type, nonRetryable: false });
  expect(isFinal(failure)).toBe(false);
});

test.each([
  ['a missing permission', 403, 'Forbidden', 'Forbidden'],
  ['an invalid object', 422, 'Invalid', 'Invalid'],
  ['a missing object', 404, 'NotFound', 'Gone'],
])('%s (%d) makes the activity fail with a non-retryable failure', (_, code, reason, type) => {
  const failure = refused(code, reason);
  expect(failure).toMatchObject({ type, nonRetryable: true });
  expect(isFinal(failure)).toBe(true);
});

describe('an apply for one generation of a Capp', () => {
  const ship = (code: number, reason: string): Promise<unknown> =>
    refusedAs(
      2,
      () => null,
      () => Promise.reject(new ApiError({ method: 'POST', path: '/x', code, reason })),
    ).catch((error: unknown) => error);

  test.each([
    [403, 'Forbidden'],
    [422, 'Invalid'],
    [404, 'NotFound'],
  ])('fails with that generation in its details when it is refused for good (%d)', async (code, reason) => {
    const failure = (await ship(code, reason)) as ApplicationFailure;
    expect(failure).toMatchObject({ nonRetryable: true, message: `POST /x: ${code} ${reason}` });
    expect(generationOf(failure)).toBe(2);
    const heard = new ActivityFailure(
      'failed',
      'apply',
      undefined,
      RetryState.NON_RETRYABLE_FAILURE,
      undefined,
      failure,
    );
    expect(generationOf(heard)).toBe(2);
  });

  test.each([
    [409, 'Conflict'],
    [503, 'ServiceUnavailable'],
  ])('is left to a retry when that may succeed (%d)', async (code, reason) => {
    expect(await ship(code, reason)).toMatchObject({ name: 'ApiError', code });
  });
});

test('other failures carry no generation', () => {
  expect(generationOf(refused(403, 'Forbidden'))).toBeNull();
});
