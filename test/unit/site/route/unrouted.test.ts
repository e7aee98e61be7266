// A Capp whose class of ingress nobody serves is noticed after a while, and only then.
import type { KnativeService } from '../../../../crds/kubernetes/knative.ts';
import { unrouted, unroutedMessage } from '../../../../site/route/unrouted.ts';

const OWN = 'own.ingress.example.com';
const OF_CAPP = 'networking.knative.dev/ingress';
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

const served = (status: 'True' | 'False') => [
  { type: 'Serving', status, reason: 'r', message: '', lastTransitionTime: '2026-03-01T12:00:00Z' },
];

function world() {
  let now = 1_000;
  const woken: number[] = [];
  const noticed = unrouted(
    (_key, delayMs) => woken.push(delayMs),
    () => now,
  );
  /** Of a Capp that nobody has served yet, if nothing else is said. */
  const of = (key: string, found: KnativeService | null, conditions = served('False')) =>
    noticed.of(key, found, conditions);
  return { found: { of }, woken, after: (ms: number) => (now += ms) };
}

test('nothing is said at first, and the Capp is looked at again when it is time', () => {
  const { found, woken, after } = world();
  expect(found.of('apps/app', alone)).toBeNull();
  after(10_000);
  expect(found.of('apps/app', alone)).toEqual({ kind: OWN, annotation: `${OF_CAPP}-class` });
  expect(woken).toEqual([10_000]);
});

test.each<[string, KnativeService | null]>([
  ['its ingress is there', service([MADE, said('RoutesReady', 'True')])],
  ['its ingress is being programmed', service([MADE, said('RoutesReady', 'Unknown', 'Uninitialized')])],
  ['its revision is not Ready yet', service([said('ConfigurationsReady', 'Unknown'), ...NOBODY.slice(1)])],
  ['Knative has not looked at the newest edit yet', service(NOBODY, { generation: 2 })],
  ['there is none', null],
])('nothing is said of a Service when %s, and the time begins again after that', (_why, other) => {
  const { found, after } = world();
  found.of('apps/app', alone);
  after(60_000);
  expect(found.of('apps/app', other)).toBeNull();
  expect(found.of('apps/app', alone)).toBeNull();
});

test.each<[string, KnativeService, 'True' | 'False']>([
  ['that an earlier revision serves', alone, 'True'],
  [
    'that was edited',
    { ...service(NOBODY, { generation: 2 }), status: { ...alone.status, observedGeneration: 2 } },
    'False',
  ],
])('nothing is said of a Capp %s while the ingress may only restart', (_what, edited, serving) => {
  const { found, woken, after } = world();
  expect(found.of('apps/app', edited, served(serving))).toBeNull();
  expect(woken).toEqual([90_000]);
  after(89_999);
  expect(found.of('apps/app', edited, served(serving))).toBeNull();
  after(1);
  expect(found.of('apps/app', edited, served(serving))).toEqual({
    kind: OWN,
    annotation: `${OF_CAPP}-class`,
  });
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
  expect(found.of('apps/app', edited)).toEqual({ kind: 'first', annotation: `${OF_CAPP}.class` });
  const without = service(NOBODY, { annotations: {} });
  found.of('apps/app', without);
  after(10_000);
  expect(found.of('apps/app', without)).toEqual({ kind: '', annotation: '' });
});

test('the message says what is known, names the class, and fits into a condition of the hub', () => {
  const own = unroutedMessage({ kind: 'x'.repeat(300), annotation: `${OF_CAPP}.class` });
  const known =
    'If that lasts, the events of its Route on the site say why; otherwise nobody serves the class';
  expect(own).toContain(`${known} ${'x'.repeat(63)}… there: correct ${OF_CAPP}.class.`);
  const ofSite = unroutedMessage({ kind: '', annotation: '' });
  expect(ofSite).toContain(`${known} there that ingress-class of Knative's ConfigMap config-network names.`);
  for (const message of [own, ofSite]) expect(message.length).toBeLessThanOrEqual(256);
});
