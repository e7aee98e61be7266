// The worst texts and lists that fit into an object: whoever reaches the webhook sends them, before any
// schema has looked.
import { PATHS } from '../../../admission/router.ts';
import { isQuantity, amountOf } from '../../../crds/kubernetes/quantity.ts';
import { answer, readReview } from '../../../admission/review.ts';
import type { AdmissionRequest } from '../../../admission/request.ts';
import { asked, configured, judged, raw, templated } from '../../support/builders/admission.ts';
import { edited, LONG_CAPPS, LONG_OTHERS } from '../../support/builders/long-lists.ts';
import { timesAsLong } from '../../support/pace.ts';

/** Enough to tell: with work that grows by the square, the whole megabyte that fits would take hours. */
const LONG = 3_000;
const defaultResources = { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '2Gi' } };
const dns = { zone: 'zone.io', provider: 'p', ttlSeconds: 60, allowedTargets: ['*.gate.io'] };
const domains = [{ domain: 'bank.zone.io', namespaces: ['bank'] }];
const HUB = configured({
  defaultResources,
  dns,
  domains,
  reservedDomains: ['apps.zone.io'],
  invalidHostnamePatterns: ['^(a+)+$', '(x|xx)*y$'],
});

function pod(quantity: string): object {
  const resources = { requests: { cpu: quantity }, limits: { cpu: '1', memory: quantity } };
  return raw({
    configurationSpec: { template: { spec: { containers: [{ name: 'a', image: 'i', resources }] } } },
  });
}

const WORST: readonly [string, object][] = [
  ['a quantity of digits', pod(`${'1'.repeat(LONG)}!`)],
  ['a quantity of digits and a point', pod(`${'1'.repeat(LONG)}.${'1'.repeat(LONG)}!`)],
  ['a quantity with an exponent', pod(`1e${'1'.repeat(LONG)}!`)],
  ['a quantity with a suffix', pod(`1${'K'.repeat(LONG)}!`)],
  ['a hostname of one label', raw({ routeSpec: { hostname: 'a'.repeat(LONG) } })],
  ['a hostname of many labels', raw({ routeSpec: { hostname: 'a.'.repeat(LONG) } })],
  ['a hostname of dots', raw({ routeSpec: { hostname: '.'.repeat(LONG) } })],
  [
    'a hostname that a bad pattern would search long',
    raw({ routeSpec: { hostname: `${'x'.repeat(LONG)}z` } }),
  ],
  ['a site', raw({ site: '-'.repeat(LONG) })],
  ['a priority', raw({}, { annotations: { 'rcs.dana.io/priority': '9'.repeat(LONG) } })],
  ['a request to move', raw({}, { annotations: { 'rcs.dana.io/migrate': `${'#'.repeat(LONG)} ` } })],
  ['a rollback', raw({}, { annotations: { 'rcs.dana.io/rollback': `${'1'.repeat(LONG)}#` } })],
];

// A hundred times what writing and reading it as JSON takes is no more than what many small fields take: with
// work that grows by the square, it is thousands of times as much.
test.each(WORST)('%s is judged in time that grows with its length', (_what, capp) => {
  const text = JSON.stringify(capp);
  const copied = (): void => {
    for (let times = 0; times < 20; times += 1) JSON.parse(text);
  };
  for (const path of [PATHS.mutateCapp, PATHS.validateCapp])
    expect(timesAsLong(100, () => judged(path, asked(capp), HUB), copied)).toBeLessThan(100);
});

const MANY = 1_000;
const CLUSTER = { username: 'system:open-cluster-management:site-1:agent' };
type Row = readonly [string, string, (length: number) => AdmissionRequest];
const LISTS: readonly Row[] = [
  ...Object.entries(LONG_CAPPS).flatMap(([what, long]) =>
    [PATHS.mutateCapp, PATHS.validateCapp].map((path): [string, string, typeof long] => [what, path, long]),
  ),
  ...Object.entries(LONG_OTHERS).map(([what, [path, long]]) => [what, path, long] as const),
].flatMap(([what, path, long]): Row[] => [
  [what, path, (length) => asked(long(length), null, CLUSTER)],
  [`${what}, edited,`, path, (length) => ({ ...edited(long, length), ...CLUSTER })],
]);

// With work that grows by the square, four times as many take sixteen times as long.
test.each(LISTS)('%s at %s are judged in time that grows with their number', (_what, path, request) => {
  const [few, more] = [request(MANY), request(4 * MANY)];
  judged(path, few, HUB);
  const again = (): void => {
    judged(path, few, HUB);
    judged(path, few, HUB);
    judged(path, few, HUB);
    judged(path, few, HUB);
  };
  expect(timesAsLong(2.5, () => judged(path, more, HUB), again)).toBeLessThan(3.2);
});

/** Of three bytes of JSON, so many as fit. */
const EMPTY = Array.from({ length: 600_000 }, () => ({}));

test.each([
  ['spec.configurationSpec.template.spec.containers', templated({ containers: EMPTY })],
  [
    'spec.configurationSpec.template.spec.containers[0].env',
    templated({ containers: [{ name: 'a', image: 'i:1', env: EMPTY }] }),
  ],
  ['spec.volumesSpec.nfsVolumes', raw({ volumesSpec: { nfsVolumes: EMPTY } })],
  ['spec.eventSourcesSpec.sources', raw({ eventSourcesSpec: { sources: EMPTY } })],
  ['spec.more', raw({ more: Object.fromEntries(EMPTY.map((_one, index) => [`k${index}`, 1])) })],
])('more %s than any app has are refused before a rule looks at them', (field, capp) => {
  const text = JSON.stringify(capp);
  for (const path of [PATHS.mutateCapp, PATHS.validateCapp]) {
    const { problems, patches } = judged(path, asked(capp), HUB);
    expect({ fields: problems.map((one) => one.field), patches }).toEqual({ fields: [field], patches: [] });
    expect(
      timesAsLong(
        5,
        () => judged(path, asked(capp), HUB),
        () => JSON.parse(text),
      ),
    ).toBeLessThan(5);
    // Nor does what was there take long, which nobody has checked.
    const before = timesAsLong(
      10,
      () => judged(path, asked(raw({}), capp), HUB),
      () => JSON.parse(text),
    );
    expect(before).toBeLessThan(10);
  }
});

test('what holds too much may still be edited beside its spec', () => {
  const { spec } = raw({ more: EMPTY.slice(0, 6_000) }) as { readonly spec: object };
  const edit = raw(spec, { annotations: { 'rcs.dana.io/priority': '5' } });
  expect(judged(PATHS.validateCapp, asked(edit, raw(spec)), HUB).problems).toEqual([]);
});

/** Of what is asked and of what is answered. */
function bytesOf(path: string, request: AdmissionRequest): number {
  const { object, oldObject, operation } = request;
  const asking = { uid: 'u', kind: { group: 'g', kind: 'k' }, operation, userInfo: {}, object, oldObject };
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: asking };
  const read = readReview(JSON.stringify(review));
  if (read === null) throw new Error('The question cannot be read');
  return JSON.stringify(answer(read, judged(path, request, HUB))).length;
}

test.each(LISTS.filter(([, path]) => path !== PATHS.mutateCapp))(
  '%s at %s get a short answer',
  (_what, path, request) => {
    expect(bytesOf(path, request(4 * MANY))).toBeLessThan(50_000);
  },
);

test.each(Object.values(PATHS))('at %s long names and texts get a short answer', (path) => {
  const long = 'x'.repeat(1_000_000);
  const annotations = Object.fromEntries(
    ['priority', 'migrate', 'force', 'rollback', 'approve', 'retry', 'abort'].map((name) => [
      `rcs.dana.io/${name}`,
      long,
    ]),
  );
  const spec = {
    site: long,
    routeSpec: { hostname: long },
    sites: { clusters: [long] },
    perTarget: long,
    placement: long,
    strategy: { [long]: 1 },
    invalidHostnamePatterns: [`(${long}`],
    configurationSpec: { template: { [long]: 1 } },
    [long]: 1,
  };
  const request = asked({ metadata: { name: long, annotations }, spec }, null, { name: long });
  expect(bytesOf(path, request)).toBeLessThan(200_000);
});

test('a uid that no API server gives is not answered', () => {
  const text = (uid: string): string =>
    JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: { uid, kind: { group: '', kind: '' }, operation: 'CREATE', userInfo: {} },
    });
  expect(readReview(text('x'.repeat(36)))).not.toBeNull();
  expect(readReview(text('x'.repeat(1_000)))).toBeNull();
});

test.each<[string, number]>([
  ['1', 1],
  ['100m', 0.1],
  ['1.5Gi', 1.5 * 2 ** 30],
  ['.5', 0.5],
  ['1.', 1],
  ['2E', 2e18],
  ['2Ei', 2 * 2 ** 60],
  ['1e3', 1000],
  ['1E-2', 0.01],
  ['-3k', -3000],
])('%s is still the quantity that it was', (text, amount) => {
  expect(isQuantity(text)).toBe(true);
  expect(amountOf(text)).toBeCloseTo(amount);
});

test.each(['', 'K', '1KiB', '1 Gi', '1e', '1x', '1,5', '+', '.'])('%j is still none', (text) => {
  expect(() => amountOf(text)).toThrow('is not a quantity');
});
