// An agent that was restarted while it made checks: the next try counts on from what the heartbeats have
// told.
import { agentVerify } from '../../../activities/agent/verify/verify.ts';
import { runChecks } from '../../../activities/agent/verify/run.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import { nothingMeasured, type Check, type Figures } from '../../../workflows/types/verification.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { aTry } from '../../support/builders/process/tries.ts';

const CHECK: Check = {
  name: 'answers',
  path: '/healthz',
  expect: 'status == 200',
  intervalMs: 1,
  count: 4,
  failureLimit: 1,
  inconclusiveLimit: 1,
};
const counted = (plain: Partial<Figures>): Figures => ({ ...nothingMeasured('answers'), ...plain });

/** Measures with these outcomes, one after the other, and returns the figures and how often it measured. */
async function run(before: readonly Figures[], outcomes: readonly ('Successful' | 'Failed')[]) {
  const told: (readonly Figures[])[] = [];
  let made = 0;
  const figures = await runChecks(
    [CHECK],
    {
      now: () => 0,
      pause: () => Promise.resolve(),
      before,
      onCounted: (now) => told.push(now),
      measure: () => Promise.resolve({ at: 0, is: outcomes[made++] ?? 'Successful', says: '' }),
    },
    new AbortController().signal,
  );
  return { figures: figures?.[0], made, told };
}

test('a failure from before the restart counts', async () => {
  const { figures, made } = await run([counted({ failed: 1, successful: 1 })], ['Failed']);
  expect(figures).toMatchObject({ failed: 2, successful: 1 });
  expect(made).toBe(1);
});

test('only what is left is measured, and nothing where all was', async () => {
  const left = await run([counted({ successful: 3 })], []);
  expect([left.figures?.successful, left.made]).toEqual([4, 1]);
  const whole = await run([counted({ successful: 4 })], []);
  expect([whole.figures?.successful, whole.made]).toEqual([4, 0]);
  const failed = await run([counted({ failed: 2 })], []);
  expect([failed.figures?.failed, failed.made]).toEqual([2, 0]);
});

test('figures of another check count for nothing', async () => {
  const { figures } = await run([{ ...counted({ failed: 2 }), name: 'others' }], []);
  expect(figures).toMatchObject({ failed: 0, successful: 4 });
});

test('each measurement is told with all before it', async () => {
  const { told } = await run([counted({ failed: 1 })], []);
  expect(told.map(([one]) => [one?.failed, one?.successful])).toEqual([
    [1, 1],
    [1, 2],
    [1, 3],
  ]);
});

test.each([
  ['what was told', { figures: [counted({ failed: 2 })] }, 2],
  ['nothing that cannot be read', { figures: [{ name: 'answers', failed: 2 }] }, 0],
])('the next try of the activity begins with %s, and tells it at once', async (_what, details, failed) => {
  const there = aCapp({ annotations: { [ROLLOUT]: 'uid-1/1/hash/one' } });
  const verify = agentVerify({
    kube: { get: () => Promise.resolve(null) },
    site: { get: () => there, read: () => Promise.resolve(there) },
    ingress: { http: null, https: null },
    prometheusKey: null,
  });
  const one = aTry({ attempt: 2, heartbeatDetails: details });
  const question = { stamp: 'uid-1/1/hash/one', checks: [{ ...CHECK, inconclusiveLimit: 0 }] };
  const answer = await one.run(() => verify.verify({ namespace: 'apps', name: 'app', uid: '' }, question));
  expect(answer?.figures[0]?.failed).toBe(failed);
});
