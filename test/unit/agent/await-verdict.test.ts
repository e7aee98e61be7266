// How an agent awaits a verdict: its heartbeats, its end by cancellation, and its repeat.
import { jest } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';
import { feed } from '../../../activities/agent/report/feed.ts';
import { agentReports } from '../../../activities/agent/report/reports.ts';
import { siteCapps } from '../../../activities/agent/report/site-capps.ts';
import { told } from '../../../activities/agent/ring/told.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import type { KnativeService } from '../../../crds/kubernetes/knative.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import type { ReportQuestion } from '../../../workflows/ports/agent.ts';
import { aCapp } from '../../support/builders/capps.ts';
import { fakeCache } from '../../support/builders/process/fake-cache.ts';
import { aTry } from '../../support/builders/process/tries.ts';

const STAMP = 'uid-1/1/hash/one';
const REF = { namespace: 'apps', name: 'app', uid: 'uid-1' };
const ASKED: ReportQuestion = { stamp: STAMP, known: null, statusHash: null };
const HOUR = 3_600_000;
const SECRET = 'canary-value';
const CONTAINER = { name: 'app', image: 'app:v1', env: [{ name: 'PASSWORD', value: SECRET }] };
/** The heartbeat timeout of `awaitVerdict`, in milliseconds (workflows/engine/proxies.ts). */
const HEARTBEAT_TIMEOUT = 20_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  jest.clearAllTimers();
  jest.useRealTimers();
});

/** A Capp with SECRET in every field that a tenant can set. */
function onSite(status: 'True' | 'Unknown'): Capp {
  const reason = status === 'True' ? 'Ready' : 'Deploying';
  const condition = {
    type: 'Ready',
    status,
    reason,
    message: SECRET,
    lastTransitionTime: '2026-03-01T12:00:00Z',
  };
  const capp = aCapp({ annotations: { [ROLLOUT]: STAMP, note: SECRET }, pod: { containers: [CONTAINER] } });
  return { ...capp, status: { observedGeneration: 1, conditions: [condition] } };
}

/** An agent on a site that has this Capp, or none. */
function anAgent(...capps: Capp[]) {
  const cache = fakeCache(...capps);
  const watchServices = () => fakeCache<KnativeService>().cache;
  const site = siteCapps({ kube: { get: () => Promise.resolve(null) }, capps: cache.cache, watchServices });
  const waiting = feed(site);
  const { awaitVerdict } = agentReports(site, waiting, told());
  const asking = (question = ASKED, one = aTry({ startToCloseMs: HOUR, heartbeatMs: HEARTBEAT_TIMEOUT })) => {
    const beats: { readonly at: number; readonly details: unknown }[] = [];
    one.on('heartbeat', (details) => beats.push({ at: Date.now(), details }));
    const answers: unknown[] = [];
    const take = (answer: unknown): void => void answers.push(answer);
    void one.run(() => awaitVerdict(REF, question)).then(take, take);
    return { answers, beats, cancel: one.cancel };
  };
  return { asking, put: cache.put, isAwaited: () => waiting.isAwaited(REF) };
}

test.each<[string, number | null, number]>([
  ['of 20 s, as workflows set it,', HEARTBEAT_TIMEOUT, HEARTBEAT_TIMEOUT],
  ['of a minute', 60_000, 60_000],
  ['that is not set and counts as 15 s,', null, 15_000],
])(
  'with a heartbeat timeout %s a waiting agent sends three heartbeats within it, so that two may be lost',
  async (_name, given, timeout) => {
    const begun = Date.now();
    const { beats } = anAgent().asking(ASKED, aTry({ startToCloseMs: HOUR, heartbeatMs: given }));
    await jest.advanceTimersByTimeAsync(10 * timeout);
    const times = [begun, ...beats.map(({ at }) => at)];
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(beats.length).toBeGreaterThanOrEqual(29);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(timeout / 3 + 1);
  },
);

test('a heartbeat carries no details, so that no secret reaches history', async () => {
  const known = { verdict: 'Progressing', reason: 'Deploying' };
  const { beats } = anAgent(onSite('Unknown')).asking({ ...ASKED, known });
  await jest.advanceTimersByTimeAsync(HOUR);
  expect(beats.length).toBeGreaterThan(0);
  expect(new Set(beats.map(({ details }) => details))).toEqual(new Set([undefined]));
});

test.each(['CANCELLED', 'WORKER_SHUTDOWN', 'TIMED_OUT', 'NOT_FOUND'] as const)(
  'a waiting agent that is cancelled with %s stops at once, and leaves no heartbeat, timer or watcher behind',
  async (why) => {
    const agent = anAgent(onSite('Unknown'));
    const { answers, beats, cancel } = agent.asking();
    await jest.advanceTimersByTimeAsync(1_000);
    expect([agent.isAwaited(), jest.getTimerCount()]).toEqual([true, 2]);
    cancel(why);
    await jest.advanceTimersByTimeAsync(0);
    expect(answers).toEqual([new CancelledFailure(why)]);
    expect([agent.isAwaited(), jest.getTimerCount()]).toEqual([false, 0]);
    agent.put(onSite('True'));
    await jest.advanceTimersByTimeAsync(HOUR);
    expect(beats).toEqual([]);
  },
);

test('a try that is cancelled before it begins does not wait', async () => {
  const over = aTry();
  over.cancel();
  const { answers } = anAgent(onSite('True')).asking(ASKED, over);
  await jest.advanceTimersByTimeAsync(0);
  expect(answers).toEqual([new CancelledFailure('CANCELLED')]);
  expect(jest.getTimerCount()).toBe(0);
});

test('a verdict that came between two tries is returned by the next try at once, without a heartbeat', async () => {
  const agent = anAgent();
  const first = agent.asking();
  await jest.advanceTimersByTimeAsync(0);
  first.cancel('TIMED_OUT');
  await jest.advanceTimersByTimeAsync(0);
  agent.put(onSite('True'));
  const second = agent.asking(ASKED, aTry({ attempt: 2, heartbeatMs: HEARTBEAT_TIMEOUT }));
  await jest.advanceTimersByTimeAsync(0);
  expect(second.answers).toMatchObject([{ finding: { verdict: 'Ready' } }]);
  expect([second.beats, jest.getTimerCount()]).toEqual([[], 0]);
});
