// What a site is told when something fails that the gateway needs: which part of the hub it is, and nothing
// of what that part has answered.
import { status } from '@grpc/grpc-js';
import { refusalOf } from '../../../gateway/refusal.ts';
import { ApiError } from '../../../kube/failure.ts';

test.each([
  [0, /^The hub's API server does not answer the gateway\./],
  [429, /^The hub's API server does not answer the gateway\./],
  [500, /^The hub's API server does not answer the gateway\./],
  [403, /^The hub's API server refuses the gateway with 403:/],
  [404, /^The hub's API server refuses the gateway with 404:/],
])('a failure of the API server is not told as one of Temporal: %i', (failed, words) => {
  const { code, message } = refusalOf(
    new ApiError({ method: 'GET', path: '/secrets', code: failed, reason: 'a secret of another site' }),
  );
  expect([code, message]).toEqual([status.UNAVAILABLE, expect.stringMatching(words)]);
  expect(message).not.toContain('secret');
});

test('a failure of Temporal is told without its words', () => {
  const { code, message } = refusalOf(new Error('workflow capp/other/app is not there'));
  expect([code, message]).toEqual([status.UNAVAILABLE, expect.stringMatching(/^Temporal does not answer/)]);
});
