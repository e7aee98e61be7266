// What an API server's refusal means to a workflow: whether another try may do.
import type { ApplicationFailure } from '@temporalio/common';
import { failureOf } from '../../activities/raise.ts';
import { ApiError } from '../../kube/failure.ts';
import { isFinal } from '../../workflows/failed.ts';

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
