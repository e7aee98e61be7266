// What a set writes on a site: overrides in order, placeholders, and hashes that change only with the
// content.
import type { CappSetSpec } from '../../../crds/set/cappset.ts';
import { childName } from '../../../crds/set/child.ts';
import {
  contentOf,
  isKnownPlaceholder,
  mergePatch,
  placeholdersIn,
  render,
  renderer,
  revisionOf,
  type RevisionContent,
  type RenderedChild,
} from '../../../crds/set/render.ts';

const pattern = (spec: object, overrides: CappSetSpec['overrides'] = []): RevisionContent =>
  ({
    template: { metadata: { labels: { where: '{{label:region}}' } }, spec },
    overrides,
  }) as unknown as RevisionContent;
const SITE = { cluster: 'site-1', labels: { region: 'eu', tier: 'canary' } };
const rendered = (given: RevisionContent, site = SITE): RenderedChild => render(given, site) as RenderedChild;

test('a revision has 128 bits, and begins with the name that an earlier version gave it', () => {
  const pattern = { template: { spec: { a: 1 } } } as unknown as Parameters<typeof revisionOf>[0];
  expect(revisionOf(pattern)).toBe('ada156df059481c90a44fcdb96b161a8');
});

test('placeholders are filled in within all texts, and the site is pinned', () => {
  const found = rendered(
    pattern({ routeSpec: { hostname: '{{site}}.{{label:region}}.example' }, list: [['{{site}}']] }),
  );
  expect(found).toMatchObject({
    labels: { where: 'eu' },
    spec: { site: 'site-1', routeSpec: { hostname: 'site-1.eu.example' }, list: [['site-1']] },
    sharesHostname: false,
  });
});

test('lists whose items have keys are left out where they are empty, since nobody would own them', () => {
  const template = (volumes: object[]) => ({ template: { spec: { containers: [], volumes } } });
  const { spec } = rendered(
    pattern({
      volumesSpec: { nfsVolumes: [] },
      eventSourcesSpec: { sources: [{ name: 'tick', list: [] }] },
      configurationSpec: template([]),
      sources: [],
    }),
  );
  expect(spec).toEqual({
    volumesSpec: {},
    eventSourcesSpec: { sources: [{ name: 'tick', list: [] }] },
    configurationSpec: { template: { spec: { containers: [] } } },
    sources: [],
    site: 'site-1',
  });
  const volumes = [{ name: 'a', emptyDir: {} }];
  expect(rendered(pattern({ configurationSpec: template(volumes) })).spec).toMatchObject({
    configurationSpec: template(volumes),
  });
});

test('a hostname that does not name the site is shared by all Capps of the set', () => {
  expect(rendered(pattern({ routeSpec: { hostname: 'shop.example' } })).sharesHostname).toBe(true);
  expect(rendered(pattern({ routeSpec: { hostname: '{{label:region}}.example' } })).sharesHostname).toBe(
    true,
  );
  expect(rendered(pattern({})).sharesHostname).toBe(false);
});

test('a label that the site does not have is named, and nothing is written', () => {
  expect(render(pattern({}), { cluster: 'site-1', labels: {} })).toEqual({ missingLabel: 'region' });
});

test('a label with the name of what every object inherits is missing until the site has it', () => {
  const template = pattern({ env: '{{label:constructor}}' });
  expect(render(template, SITE)).toEqual({ missingLabel: 'constructor' });
  const labels = { ...SITE.labels, constructor: 'acme' };
  expect(rendered(template, { ...SITE, labels }).spec).toMatchObject({ env: 'acme' });
});

test('of the overrides that match, a later one wins over an earlier one', () => {
  const overrides = [
    { clusterSelector: { matchLabels: { tier: 'canary' } }, patch: { spec: { a: 1, b: { c: 1, d: 1 } } } },
    { clusterSelector: {}, patch: { spec: { b: { c: 2, d: null } } } },
    { clusterSelector: { matchLabels: { tier: 'rest' } }, patch: { spec: { a: 3 } } },
  ];
  expect(rendered(pattern({ a: 0 }, overrides)).spec).toEqual({ a: 1, b: { c: 2 }, site: 'site-1' });
});

test('a merge patch replaces lists, removes what is null, and changes neither of its inputs', () => {
  const target = { list: [1, 2], gone: 1, kept: { a: 1 } };
  expect(mergePatch(target, { list: [3], gone: null, kept: { b: 2 } })).toEqual({
    list: [3],
    kept: { a: 1, b: 2 },
  });
  expect(target).toEqual({ list: [1, 2], gone: 1, kept: { a: 1 } });
  expect(Object.getPrototypeOf(mergePatch({}, JSON.parse('{"__proto__":{"x":1}}')))).toBe(Object.prototype);
});

test.each<[text: string, isKnown: boolean]>([
  ['{{site}}', true],
  ['{{label:example.com/region}}', true],
  ['{{ site }}', false],
  ['{{cluster}}', false],
  ['{{label:}}', false],
  ['{{site', false],
])('%s is a placeholder that is known: %s', (text, isKnown) => {
  expect(placeholdersIn({ a: [text] }).map((one) => [one.path, isKnownPlaceholder(one)])).toEqual([
    ['a[0]', isKnown],
  ]);
});

test('a revision and a content have the same hash however their fields are ordered', () => {
  const one = pattern({ a: 1, b: { c: 1, d: 2 } });
  const other = pattern({ b: { d: 2, c: 1 }, a: 1 });
  expect(revisionOf(one)).toBe(revisionOf(other));
  expect(contentOf(rendered(one))).toBe(contentOf(rendered(other)));
  expect(revisionOf(one)).not.toBe(revisionOf(pattern({ a: 2, b: { c: 1, d: 2 } })));
  const moved = { ...SITE, labels: { ...SITE.labels, region: 'us' } };
  expect(contentOf(rendered(one))).not.toBe(contentOf(rendered(one, moved)));
});

test.each<[site: string, isPlain: boolean]>([
  ['site-1', true],
  ['edge.example.com', false],
  ['x'.repeat(60), false],
])('a Capp on %s has a name that Kubernetes and Knative allow', (site, isPlain) => {
  const name = childName('shop', site);
  expect(name).toMatch(isPlain ? new RegExp(`^shop-${site}$`) : /^shop-[0-9a-f]{10}$/);
  expect(name.length).toBeLessThanOrEqual(63);
});

test('one renderer gives every site what it would get alone, whichever sites came before', () => {
  const overrides = [
    { clusterSelector: { matchLabels: { tier: 'canary' } }, patch: { spec: { scale: '{{label:region}}' } } },
  ];
  const given = pattern({ scale: '1', names: ['{{site}}', 'fixed'] }, overrides);
  const sites = [
    SITE,
    { cluster: 'site-2', labels: { region: 'us' } },
    { cluster: 'site-3', labels: { region: 'us', tier: 'canary' } },
    { cluster: 'site-4', labels: {} },
    SITE,
  ];
  const all = renderer(given);
  expect(sites.map((site) => all(site))).toEqual(sites.map((site) => render(given, site)));
  expect(all(SITE)).toMatchObject({ spec: { scale: 'eu', names: ['site-1', 'fixed'] } });
  expect(all({ cluster: 'site-2', labels: { region: 'us' } })).toMatchObject({ spec: { scale: '1' } });
});
