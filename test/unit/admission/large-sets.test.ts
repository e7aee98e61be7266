// A CappSet that is as large as an API server takes it holds the webhook's thread for a moment only.
import { PATHS } from '../../../admission/router.ts';
import { asked, judged, known, said } from '../../support/builders/admission.ts';
import { timesAsLong } from '../../support/pace.ts';

const SITES = Array.from({ length: 1_000 }, (_, index) => ({
  name: `site-${index}`,
  isHub: false,
  mayPin: true,
  labels: { zone: `z${index}`, index: `${index}` },
}));
const HUB = known({ sites: () => SITES });
const clusters = SITES.map(({ name }) => name);

function aSet(spec: object, hostname: string, values: readonly string[]) {
  const env = values.map((value, index) => ({ name: `N${index}`, value }));
  const container = { name: 'app', image: 'ghcr.io/me/app:v1', env };
  const template = {
    spec: { configurationSpec: { template: { spec: { containers: [container] } } }, routeSpec: { hostname } },
  };
  return {
    apiVersion: 'rcs.dana.io/v1alpha1',
    kind: 'CappSet',
    metadata: { namespace: 'apps', name: 'shop' },
    spec: { sites: { clusters }, template, ...spec },
  };
}

function looked(set: object) {
  const { problems, warnings } = judged(PATHS.validateCappSet, asked(set), HUB);
  return { problems: said(problems), warnings };
}

/**
 * A look takes so many times as long as the set takes to be written and read as JSON, which the API server
 * does often.
 */
function expectWork(set: object, times: number): void {
  const copied = (): unknown => JSON.parse(JSON.stringify(set));
  expect(timesAsLong(times, () => looked(set), copied)).toBeLessThan(times);
}

/** A spec may have some thousand variables, and no more. */
const LONG = 500;
const many = (bytes: number, text: string): string[] =>
  Array.from({ length: Math.ceil(bytes / (LONG + 30)) }, () => text.padEnd(LONG, 'x'));

test('a template that no work can carry is refused before anything of it is read', () => {
  const set = aSet({}, '{{site}}.example.com', many(1_190_000, 'x'.repeat(500)));
  expect(looked(set).problems).toEqual([expect.stringContaining('a ManifestWork carries 512000 at most')]);
  expectWork(set, 20);
});

test('a large template on a thousand sites is rendered once, and each of their hostnames is checked', () => {
  const texts = many(400_000, '{{site}} {{label:zone}}');
  const good = aSet({}, '{{site}}.example.com', texts);
  expect(looked(good)).toEqual({ problems: [], warnings: [] });
  expectWork(good, 500);
  const bad = looked(aSet({}, 'z.{{label:index}}a.{{site}}', []));
  expect(bad.problems).toEqual([]);
  const [last] = looked(aSet({}, '{{label:zone}}', [])).problems;
  expect(last).toContain('on site-0, "z0" is not a fully qualified domain name');
});

test('a label that no site has costs no rendering for each of them', () => {
  const set = aSet({}, '{{label:lost}}.example.com', many(400_000, '{{site}} and text'));
  expect(looked(set).problems).toEqual([]);
  expectWork(set, 200);
});

test('a set with another variant on each site is looked at for a moment, and says what is left to be checked', () => {
  const overrides = Array.from({ length: 50 }, (_, bit) => ({
    clusterSelector: {
      matchExpressions: [
        {
          key: 'index',
          operator: 'In',
          values: SITES.flatMap((_site, index) => ((index >> (bit % 10)) & 1 ? [`${index}`] : [])).slice(
            0,
            50,
          ),
        },
      ],
    },
    patch: { metadata: { annotations: { [`a${bit}`]: 'x'.repeat(100) } } },
  }));
  const set = aSet({ overrides }, '{{site}}.example.com', many(300_000, '{{site}} and some text'));
  const { problems, warnings } = looked(set);
  expect(problems).toEqual([]);
  expect(warnings).toEqual([
    expect.stringMatching(/^The set is so large that its Capps on \d+ sites are not checked now/),
  ]);
  expectWork(set, 1_000);
});
