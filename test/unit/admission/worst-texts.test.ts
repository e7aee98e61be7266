// The worst texts that fit into an object: whoever reaches the webhook sends them, before any schema has
// looked.
import { PATHS } from '../../../admission/router.ts';
import { isQuantity, amountOf } from '../../../crds/kubernetes/quantity.ts';
import { asked, configured, judged, raw } from '../../support/builders/admission.ts';
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
