// What an API server's refusal means to a workflow: whether another try may do.
import { ActivityFailure, RetryState, type ApplicationFailure } from '@temporalio/common';
import { failureOf, refusedAs } from '../../../activities/raise.ts';
import { ApiError } from '../../../kube/failure.ts';
import { generationOf, isFinal } from '../../../workflows/engine/failed.ts';

const refused = (code: number, reason: string): ApplicationFailure =>
  failureOf(new ApiError({ method: 'PATCH', path: '/x', code, reason })) as ApplicationFailure;

test.each([
  ['a token that is being renewed', 401, 'Unauthorized', 'Unreachable'],
  ['no answer', 0, 'Timeout', 'Unreachable'],
  ['a server that has too much to do', 429, 'TooManyRequests', 'Unreachable'],
  ['a server that fails', 503, 'ServiceUnavailable', 'Unreachable'],
  ['somebody who was faster', 409, 'Conflict', 'Conflict'],
])('%s (%d) gives up no move and avoids no site: it is tried again', (_, code, reason, type) => {
  const failure = refused(code, reason);
  expect(failure).toMatchObject({ type, nonRetryable: false });
  expect(isFinal(failure)).toBe(false);
});

test.each([
  ['missing rights', 403, 'Forbidden', 'Forbidden'],
  ['an object that is refused as it is', 422, 'Invalid', 'Invalid'],
  ['what is not there', 404, 'NotFound', 'Gone'],
])('%s (%d) are final for a try', (_, code, reason, type) => {
  const failure = refused(code, reason);
  expect(failure).toMatchObject({ type, nonRetryable: true });
  expect(isFinal(failure)).toBe(true);
});

describe('what a generation of a Capp asks for', () => {
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
  ])('says, when it is refused for good (%d), of which generation that is', async (code, reason) => {
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
  ])('is left to another try when that may do (%d)', async (code, reason) => {
    expect(await ship(code, reason)).toMatchObject({ name: 'ApiError', code });
  });
});

test('of another failure nobody knows which generation it is about', () => {
  expect(generationOf(refused(403, 'Forbidden'))).toBeNull();
});
