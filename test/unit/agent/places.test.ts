// Checks wait for their turn where many are under way: not for ever, and not for those of one namespace
// alone.
import { AGENT_TIMES } from '../../../activities/agent/times.ts';
import { NoPlace, places } from '../../../activities/agent/verify/places.ts';
import { longestWait, verified } from '../../../activities/agent/verify/verify.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { LONGEST_REQUEST_MS, longestOf, type Check } from '../../../workflows/types/verification.ts';
import { aCapp } from '../../support/builders/capps.ts';

const never = new AbortController().signal;
const asking = (owner: string, longestMs = 60_000, signal = never) => ({ owner, longestMs, signal });

function held(): { readonly work: () => Promise<string>; readonly end: () => void } {
  let end = (): void => undefined;
  const done = new Promise<string>((resolve) => {
    end = () => resolve('done');
  });
  return { work: () => done, end };
}

test('what finds no place in time is not begun, and keeps no place from others', async () => {
  const enter = places(1, 1);
  const first = held();
  const before = enter(asking('a'), first.work);
  let begun = false;
  const late = enter(asking('b', 5), async () => void (begun = true));
  await expect(late).rejects.toBeInstanceOf(NoPlace);
  first.end();
  expect(await before).toBe('done');
  expect(await enter(asking('b'), async () => 'free')).toBe('free');
  expect(begun).toBe(false);
});

test('one namespace cannot have all places, and who waits behind it is let past', async () => {
  const enter = places(3, 2);
  const slow = [held(), held(), held()];
  const order: string[] = [];
  const all = slow.map(({ work }) => enter(asking('slow'), work));
  expect(await enter(asking('other'), async () => 'at once')).toBe('at once');
  const second = held();
  const filling = enter(asking('other'), second.work);
  const waiting = enter(asking('third'), async () => void order.push('third'));
  second.end();
  await Promise.all([filling, waiting]);
  expect(order).toEqual(['third']);
  for (const { end } of slow) end();
  expect(await Promise.all(all)).toEqual(['done', 'done', 'done']);
});

test('who is withdrawn while it waits leaves its place in the line', async () => {
  const enter = places(1, 1);
  const first = held();
  const before = enter(asking('a'), first.work);
  const leaving = new AbortController();
  const gone = enter(asking('b', 60_000, leaving.signal), async () => 'never');
  leaving.abort(new Error('withdrawn'));
  await expect(gone).rejects.toThrow('withdrawn');
  const next = enter(asking('c'), async () => 'next');
  first.end();
  expect(await Promise.all([before, next])).toEqual(['done', 'next']);
});

const STAMP = 'uid-1/1/hash/one';
const CHECK: Check = {
  name: 'errors',
  metrics: { query: 'errors', empty: 'Inconclusive' },
  expect: 'result < 1',
  intervalMs: 1,
  count: 1,
  failureLimit: 0,
  inconclusiveLimit: 3,
};

test('a query that waits for others is counted as one that came to nothing, and the agent answers', async () => {
  const [atOnce, atPrometheus] = [places(1, 1), places(1, 1)];
  const slow = held();
  const others = atPrometheus(asking('others'), slow.work);
  const capp = aCapp({ annotations: { [ROLLOUT]: STAMP } });
  const options = {
    kube: { get: (() => Promise.resolve(null)) as Kube['get'] },
    site: { get: () => capp, read: () => Promise.resolve(capp) },
    ingress: { http: null, https: null },
    prometheusKey: null,
    atOnce,
    atPrometheus,
  };
  const checks = [{ ...CHECK, count: AGENT_TIMES.verifyWait.ms, inconclusiveLimit: 0 }];
  const answer = await verified(options, { namespace: 'apps', name: 'app' }, { stamp: STAMP, checks }, never);
  expect(answer?.figures).toMatchObject([
    { errors: 1, last: [{ is: 'Error', says: 'too many queries wait' }] },
  ]);
  slow.end();
  await others;
});

test.each([
  [1_000, 3],
  [1_000, 3_600],
  [5_000, 30],
  [60_000, 60],
])('all waits and requests at %i ms, %i times, end before the hub gives up', (intervalMs, count) => {
  const check = { ...CHECK, intervalMs, count };
  const all = count * Math.max(intervalMs, longestWait(check) + LONGEST_REQUEST_MS);
  expect(all + AGENT_TIMES.read.ms * 3 + AGENT_TIMES.verifyLag.ms * 10).toBeLessThanOrEqual(
    longestOf({ checks: [check] }),
  );
});
