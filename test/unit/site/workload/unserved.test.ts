// A revision whose class of autoscaler nobody serves is noticed after a while, and only then.
import type { KnativeRevision } from '../../../../crds/kubernetes/knative.ts';
import { unserved, unservedMessage } from '../../../../site/workload/unserved.ts';

const HPA = 'hpa.autoscaling.knative.dev';
const revision = (name: string, status: string, reason?: string, metadata: object = {}): KnativeRevision =>
  ({
    metadata: { name, uid: name, annotations: { 'autoscaling.knative.dev/class': HPA }, ...metadata },
    status: { conditions: [{ type: 'Active', status, ...(reason === undefined ? {} : { reason }) }] },
  }) as KnativeRevision;
const alone = revision('r1', 'Unknown', 'Deploying');

function world() {
  let now = 1_000;
  const woken: number[] = [];
  const found = unserved(
    (_key, delayMs) => woken.push(delayMs),
    () => now,
  );
  return { found, woken, after: (ms: number) => (now += ms) };
}

test('nothing is said at first, and the Capp is looked at again when it is time', () => {
  const { found, woken, after } = world();
  expect(found.of('apps/app', alone)).toBeNull();
  after(4_000);
  expect(found.of('apps/app', alone)).toBeNull();
  expect(woken).toEqual([10_000, 6_000]);
  after(6_000);
  expect(found.of('apps/app', alone)).toBe(HPA);
  expect(woken).toHaveLength(2);
});

test.each<[string, KnativeRevision | undefined]>([
  ['an autoscaler buffers its requests', revision('r1', 'Unknown', 'Queued')],
  ['it is active', revision('r1', 'True')],
  ['it is scaled to zero', revision('r1', 'False', 'NoTraffic')],
  ['Knative has not looked at it yet', revision('r1', 'Unknown')],
  ['it has no status', { metadata: { name: 'r1' } }],
  ['there is none', undefined],
])('nothing is said of a revision when %s, and the time begins again after that', (_why, served) => {
  const { found, after } = world();
  found.of('apps/app', alone);
  after(60_000);
  expect(found.of('apps/app', served)).toBeNull();
  expect(found.of('apps/app', alone)).toBeNull();
});

test('each revision has its own time, and one without an annotation is of the usual class', () => {
  const { found, after } = world();
  found.of('apps/app', alone);
  after(60_000);
  const next = revision('r2', 'Unknown', 'Deploying', { annotations: {} });
  expect(found.of('apps/app', next)).toBeNull();
  after(10_000);
  expect(found.of('apps/app', next)).toBe('kpa.autoscaling.knative.dev');
});

test.each([
  [HPA, 'Install serving-hpa.yaml of Knative there, or use spec.scaleMetric concurrency or rps.'],
  ['kpa.autoscaling.knative.dev', "Whoever runs the site starts Knative's autoscaler."],
  ['x'.repeat(300), 'Correct the annotation autoscaling.knative.dev/class.'],
])('the message names the class and the remedy, and fits into a condition of the hub', (kind, remedy) => {
  const message = unservedMessage('r'.repeat(40), kind);
  expect(message).toContain(kind.slice(0, 63));
  expect(message).toContain(remedy);
  expect(message.length).toBeLessThanOrEqual(256);
});
