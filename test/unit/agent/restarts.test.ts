// How an agent counts restarts: of the app's own containers, when it is asked, and never in place of an
// answer.
import { agentReports } from '../../../activities/agent/report/reports.ts';
import { restartsOn } from '../../../activities/agent/report/restarts.ts';
import { AGENT_TIMES } from '../../../activities/agent/times.ts';
import { told } from '../../../activities/agent/ring/told.ts';
import { ROLLOUT } from '../../../crds/labels.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { Bounds, Kube } from '../../../kube/client.ts';
import type { Answer } from '../../../workflows/ports/agent.ts';
import { bearing as bearingOf } from '../../../activities/hub/ship/orders.ts';
import { readAnswer } from '../../../workflows/parse/answer.ts';
import { aCapp } from '../../support/builders/capps.ts';

const CAPP = { namespace: 'apps', name: 'app', uid: 'uid-1' };
const aPod = (...counts: readonly [string, number | undefined][]) => ({
  metadata: { name: 'p' },
  status: { containerStatuses: counts.map(([name, restartCount]) => ({ name, restartCount })) },
});
const listing = (answer: readonly object[] | Error, asked: object[] = []): Pick<Kube, 'within'> => ({
  within: (bounds) => ({ list: listed(answer, asked, bounds) }) as Kube,
});
const listed = (answer: readonly object[] | Error, asked: object[], bounds: Bounds): Kube['list'] =>
  ((_resource: object, options: object) => {
    asked.push({ ...options, ...bounds });
    if (answer instanceof Error) return Promise.reject(answer);
    const { keep } = options as { keep: (pod: object) => object };
    return Promise.resolve().then(() => ({ items: answer.map(keep) }));
  }) as Kube['list'];

test('all Pods of the app count, and Knative’s own container does not', async () => {
  const asked: object[] = [];
  const pods = [
    aPod(['app', 2], ['side', 1], ['queue-proxy', 9]),
    aPod(['app', undefined]),
    { metadata: {} },
  ];
  expect(await restartsOn(listing(pods, asked))(CAPP)).toBe(3);
  expect(asked).toEqual([
    expect.objectContaining({ namespace: 'apps', labelSelector: 'serving.knative.dev/service=app' }),
  ]);
});

test('the whole count has the time of one read, and keeps of a Pod only what it counts', async () => {
  const asked: { until?: number; keep?: (pod: object) => object }[] = [];
  const before = Date.now();
  await restartsOn(listing([], asked))(CAPP);
  const { until = Infinity, keep = (pod: object) => pod } = asked[0] ?? {};
  expect(until).toBeGreaterThanOrEqual(before + AGENT_TIMES.read.ms);
  expect(until).toBeLessThanOrEqual(Date.now() + AGENT_TIMES.read.ms);
  const pod = { ...aPod(['app', 2]), spec: { nodeName: 'n' } };
  expect(keep(pod)).toEqual({ metadata: { name: 'p' }, status: aPod(['app', 2]).status });
});

test('of more Pods than it reads, the restarts are not known', async () => {
  const pods = (count: number) => Array.from({ length: count }, () => aPod(['app', 1]));
  expect(await restartsOn(listing(pods(2_000)))(CAPP)).toBe(2_000);
  expect(await restartsOn(listing(pods(2_001)))(CAPP)).toBeNull();
});

test('what cannot be read is not known', async () => {
  const error = new ApiError({ method: 'GET', path: '/', code: 403, reason: 'Forbidden' });
  expect(await restartsOn(listing(error))(CAPP)).toBeNull();
});

test.each<[string, { restarts?: true }, number | null, number | undefined]>([
  ['who asks is told', { restarts: true }, 4, 4],
  ['what is not known is left out', { restarts: true }, null, undefined],
  ['who does not ask is not told', {}, 4, undefined],
])('%s', async (_what, asks, count, expected) => {
  const stamp = 'uid-1/1/hash/one';
  const read = () => Promise.resolve(aCapp({ annotations: { [ROLLOUT]: stamp } }));
  const site = { read, readAny: read };
  const { report } = agentReports(site, {} as never, told(), () => Promise.resolve(count));
  const answer = await report(CAPP, { stamp, known: null, statusHash: null, ...asks });
  expect((answer as Answer).finding.restarts).toBe(expected);
});

test.each([
  [0, 0],
  [7, 7],
  [-1, undefined],
  [1.5, undefined],
  [1e12, undefined],
  ['7', undefined],
  [null, undefined],
])('a site that says %j of restarts is read as %j', (said, expected) => {
  const finding = {
    verdict: 'Failed',
    healthy: false,
    reason: 'X',
    message: 'x',
    statusHash: 'a'.repeat(16),
  };
  const read = readAnswer({ finding: { ...finding, restarts: said }, mirror: null });
  expect(read?.finding.verdict).toBe('Failed');
  expect(read?.finding.restarts).toBe(expected);
});

test('the spec says how many are borne, and not with Recreate', () => {
  const capp = (migration: object) => {
    const plain = aCapp();
    return bearingOf({ ...plain, spec: { ...plain.spec, migration: migration as never } });
  };
  const unhealthy = { afterSeconds: 60, restarts: 5 };
  expect(capp({ unhealthy })).toEqual({ unhealthyMs: 60_000, unhealthyRestarts: 5 });
  expect(capp({ unhealthy: { afterSeconds: 60 } })).toEqual({ unhealthyMs: 60_000 });
  expect(capp({ unhealthy, strategy: 'Recreate' })).toEqual({});
});
