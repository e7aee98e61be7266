// A Capp whose class of ingress nobody serves is noticed after a while, and only then.
import type { KnativeService } from '../../../../crds/kubernetes/knative.ts';
import { unrouted, unroutedMessage } from '../../../../site/route/unrouted.ts';

const OWN = 'own.ingress.example.com';
const said = (type: string, status: string, reason?: string) => ({
  type,
  status,
  ...(reason === undefined ? {} : { reason }),
});
const MADE = said('ConfigurationsReady', 'True');
const service = (conditions: object[], metadata: object = {}): KnativeService =>
  ({
    metadata: {
      name: 'app',
      generation: 1,
      annotations: { 'networking.knative.dev/ingress-class': OWN },
      ...metadata,
    },
    status: { observedGeneration: 1, conditions },
  }) as unknown as KnativeService;
const NOBODY = [MADE, said('RoutesReady', 'Unknown', 'IngressNotConfigured')];
const alone = service(NOBODY);

function world() {
  let now = 1_000;
  const woken: number[] = [];
  const found = unrouted(
    (_key, delayMs) => woken.push(delayMs),
    () => now,
  );
  return { found, woken, after: (ms: number) => (now += ms) };
}

test('nothing is said at first, and the Capp is looked at again when it is time', () => {
  const { found, woken, after } = world();
  expect(found.of('apps/app', alone)).toBeNull();
  after(10_000);
  expect(found.of('apps/app', alone)).toBe(OWN);
  expect(woken).toEqual([10_000]);
});

test.each<[string, KnativeService | null]>([
  ['its ingress is there', service([MADE, said('RoutesReady', 'True')])],
  ['its ingress is being programmed', service([MADE, said('RoutesReady', 'Unknown', 'Uninitialized')])],
  ['its revision is not Ready yet', service([said('ConfigurationsReady', 'Unknown'), ...NOBODY.slice(1)])],
  ['Knative has not looked at the newest edit yet', service(NOBODY, { generation: 2 })],
  ['there is none', null],
])('nothing is said of a Service when %s, and the time begins again after that', (_why, served) => {
  const { found, after } = world();
  found.of('apps/app', alone);
  after(60_000);
  expect(found.of('apps/app', served)).toBeNull();
  expect(found.of('apps/app', alone)).toBeNull();
});

test('each edit has its own time, and the spelling that Knative reads first counts', () => {
  const { found, after } = world();
  found.of('apps/app', alone);
  after(60_000);
  const annotations = {
    'networking.knative.dev/ingress.class': 'first',
    'networking.knative.dev/ingress-class': OWN,
  };
  const edited = service(NOBODY, { annotations });
  expect(found.of('apps/app', edited)).toBeNull();
  after(10_000);
  expect(found.of('apps/app', edited)).toBe('first');
  const without = service(NOBODY, { annotations: {} });
  found.of('apps/app', without);
  after(10_000);
  expect(found.of('apps/app', without)).toBe('');
});

test('the message names the class and the remedy, and fits into a condition of the hub', () => {
  const own = unroutedMessage('x'.repeat(300));
  expect(own).toContain(`ingress class ${'x'.repeat(63)}…`);
  expect(own).toContain('Correct the annotation networking.knative.dev/ingress-class of the Capp');
  const ofSite = unroutedMessage('');
  expect(ofSite).toContain('ConfigMap config-network');
  for (const message of [own, ofSite]) expect(message.length).toBeLessThanOrEqual(256);
});
