// What of a Bundle is secret, and where that keeps it from being sent.
import { areHeldBack, firstSecretOf, secretIn } from '../../../crds/bundle/secrets.ts';
import { aBundle } from '../../support/builders/fleet/bundles.ts';

const secret = (content: object) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'apps', name: 'db' },
  ...content,
});
const holding = (inner: unknown) => ({
  apiVersion: 'kubernetes.crossplane.io/v1alpha2',
  kind: 'Object',
  metadata: { name: 'outer' },
  spec: { forProvider: { manifest: inner } },
});
const WITH_DATA = secret({ data: { password: 'Y2FuYXJ5' } });

test.each<[string, unknown, string | null]>([
  ['a Secret with data', WITH_DATA, 'is Secret apps/db'],
  ['a Secret with stringData', secret({ stringData: { password: 'canary' } }), 'is Secret apps/db'],
  ['a Secret whose data is no map', secret({ data: 'canary' }), 'is Secret apps/db'],
  ['a Secret without a namespace', { ...WITH_DATA, metadata: { name: 'db' } }, 'is Secret db'],
  ['a Secret inside another object', holding(WITH_DATA), 'is Object outer, in which a Secret stands'],
  [
    'a Secret in a list inside another object',
    holding({ apiVersion: 'v1', kind: 'List', items: [{}, secret({ stringData: { a: 'canary' } })] }),
    'is Object outer, in which a Secret stands',
  ],
  ['a Secret that the site fills', secret({ type: 'kubernetes.io/service-account-token' }), null],
  [
    'a Secret with values of null, which are not shipped',
    secret({ data: { a: null }, stringData: null }),
    null,
  ],
  ['the name of a Secret', holding({ kind: 'Secret', apiVersion: 'v1', name: 'db' }), null],
  ['a ConfigMap', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } }, null],
  ['a Secret of another group', { ...WITH_DATA, apiVersion: 'example.com/v1' }, null],
  ['what is no object', 'canary', null],
  ['null', null, null],
])('%s', (_what, value, found) => {
  expect(secretIn(value)).toBe(found);
});

test('what is nested deeper than a function may call itself is read', () => {
  let deep: unknown = WITH_DATA;
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(secretIn(holding(deep))).toContain('in which a Secret stands');
});

test('a Secret from which a Bundle reads its manifests is secret, whatever it holds', () => {
  const given = [{ value: WITH_DATA, where: 'spec.manifests[0]' }];
  const reading = (source: object) => firstSecretOf(aBundle({ manifestsFrom: [source] }), given);
  expect(reading({ secret: 'tls' })).toMatch(/^spec\.manifestsFrom names Secret tls,/);
  expect(reading({ configMap: 'files' })).toBe('spec.manifests[0] is Secret apps/db');
  expect(firstSecretOf(aBundle(), [])).toBeNull();
});

test.each<[string, object, boolean]>([
  ['is off', { secrets: { sealing: 'Off' } }, false],
  ['is not said', {}, false],
  ['is required', { secrets: { sealing: 'Required' } }, true],
  [
    'is required but for other namespaces',
    { secrets: { sealing: 'Required', unsealedBundles: ['a'] } },
    true,
  ],
  [
    'is required but for this one',
    { secrets: { sealing: 'Required', unsealedBundles: ['a', 'apps'] } },
    false,
  ],
])('while sealing %s, Bundles with Secrets are held back, or not', (_what, spec, isSo) => {
  expect(areHeldBack(spec, 'apps')).toBe(isSo);
});
