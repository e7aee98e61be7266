// Which question an agent is asked about checks: one that an agent of an earlier version does not know where
// it could not make them.
import { ApplicationFailure } from '@temporalio/common';
import { verifier } from '../../../workflows/capp/verifier.ts';
import type { Check } from '../../../workflows/types/verification.ts';
import { eventually } from '../../../testbed/eventually.ts';

const limits = { intervalMs: 1, count: 1, failureLimit: 0, inconclusiveLimit: 0 };
const request: Check = { name: 'answers', path: '/', expect: 'status == 200', ...limits };
const query: Check = {
  name: 'errors',
  metrics: { query: 'errors', empty: 'Inconclusive' },
  expect: 'result < 1',
  ...limits,
};
const REF = { namespace: 'apps', name: 'app' };

/** An agent that knows what earlier versions know. */
function asking(checks: readonly Check[]) {
  const asked: string[] = [];
  const checking = verifier(
    REF as never,
    {
      beside: ((work: () => Promise<unknown>) => ({ result: work(), cancel: () => undefined })) as never,
      agentVerify: () => ({
        verify: () => {
          asked.push('verify');
          return Promise.resolve({ figures: [] });
        },
        verifyMetrics: () => {
          asked.push('verifyMetrics');
          return Promise.reject(
            ApplicationFailure.create({ message: 'Activity function verifyMetrics is not registered' }),
          );
        },
      }),
    },
    () => undefined,
  );
  checking.follow([{ cluster: 'site-1', stamp: 's', order: { key: 'k', checks } }]);
  return { checking, asked };
}

test('requests alone are asked for as ever', async () => {
  const { checking, asked } = asking([request]);
  await eventually(() => checking.hasNews() || undefined);
  expect([asked, checking.take()?.outcome]).toEqual([['verify'], 'Checked']);
});

test('an agent that does not know queries is asked for none of the checks, and says so', async () => {
  const { checking, asked } = asking([request, query]);
  await eventually(() => checking.hasNews() || undefined);
  expect(asked).toEqual(['verifyMetrics']);
  expect(checking.take()).toMatchObject({
    outcome: 'Unanswered',
    why: expect.stringContaining('Upgrade the agent there'),
  });
});
