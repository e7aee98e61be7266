// Hashes by which a new version of Cappstan knows again what an earlier one has written. Where one of them
// has another value, an upgrade rolls sites, renames objects or forgets what a person has approved: so none
// of these values may change.
import { saltedHash } from '../../../activities/hub/ship/render/salted-hash.ts';
import { contentOf as carriedContent } from '../../../activities/hub/bundle/manifests/render.ts';
import { release } from '../../../activities/hub/rollout/removing/removals.ts';
import { bundleRevisionName } from '../../../crds/bundle/bundle-revision.ts';
import type { Capp } from '../../../crds/capp/capp.ts';
import { bundleKey } from '../../../crds/ocm/bundle-work.ts';
import type { Manifest } from '../../../crds/ocm/ocm.ts';
import { cappKey, dependenciesDigest } from '../../../crds/ocm/work-identity.ts';
import { childName } from '../../../crds/set/child.ts';
import { contentOf, revisionOf, type RevisionContent, type RenderedChild } from '../../../crds/set/render.ts';
import { parseDigits } from '../../../kube/files/digits.ts';
import { fingerprintOf } from '../../../site/revisions/capp-revision.ts';
import { aBundle, aConfigMap, aDeployment, rendered } from '../../support/builders/fleet/bundles.ts';
import { NO_REMOVAL } from '../../support/builders/fleet/rollouts.ts';

/**
 * Keys out of order, keys that are numbers, what JSON leaves out, other alphabets, and a number that no
 * double holds.
 */
const ODD = {
  z: [{ b: 1, a: null }, [undefined, 'é', []], {}],
  '10': true,
  '9': false,
  ключ: { Z: '\u2028', a: undefined, A: 0.1 },
  '': -0,
};
const LONG = parseDigits('{"n":{"big":9007199254740993,"a":[9007199254740993]}}');

test('revisions and contents of sets', () => {
  const pattern = {
    template: { spec: ODD, metadata: { labels: { b: '1', a: '2' } } },
    overrides: [{ patch: ODD, clusterSelector: { matchLabels: { tier: 'gold' } } }],
  } as unknown as RevisionContent;
  expect(revisionOf(pattern)).toBe('720921a744ce66213c12398abbb20067');
  const { template } = pattern;
  expect(revisionOf({ template })).toBe('d0f1cab7febaefcd58948433cc3b68f7');
  const content = { labels: { b: '1', a: '2' }, annotations: {}, spec: ODD, sharesHostname: true };
  expect(contentOf(content as unknown as RenderedChild)).toBe('bfb4e085e7');
});

test('revisions, contents and tokens of Bundles', () => {
  const manifests = [aConfigMap({ z: 'é', a: '1' }), aDeployment()];
  const bundle = rendered(aBundle({ manifests, onRemoval: 'Orphan' }));
  expect([bundle.revision, bundle.content]).toEqual(['f31b63653a2968fcaa03eb34fcdb5fb6', '17a6c67df8b0']);
  const tokens = bundle
    .workOn('a', 0)
    .spec?.workload.manifests?.map(({ metadata }) => metadata.annotations?.['rcs.dana.io/bundle-manifest']);
  expect(tokens).toEqual(['84fa1edbdf36', '5201481864d9']);
  expect(carriedContent([ODD, LONG] as unknown as Manifest[])).toBe('da2be5366fae');
  expect(bundleRevisionName('b'.repeat(250), 'abc').slice(-20)).toBe('bbbbb-4b6864de85-abc');
});

test('stamps of Capps, on the hub and on sites', () => {
  expect(saltedHash(ODD, 'salt')).toBe('08a8a5211d336ea258c3');
  const metadata = { name: 'a', labels: { b: '1', a: '2' }, annotations: { z: '', y: 'é' } };
  expect(fingerprintOf({ metadata, spec: ODD } as unknown as Capp)).toBe('0d94978ec99de3ef');
});

test('names and labels', () => {
  expect(childName('set', 'Site.1')).toBe('set-069c9b9df9');
  expect(bundleKey({ namespace: 'apps', name: 'é' })).toBe('7f3e273cdf4aad0c58ba9c6323d50ee1a22be557');
  expect(cappKey('apps', 'é')).toBe('fc50046d86fa96fe9d18b19c0d203e59610301df');
  const dependencies = [
    { kind: 'Secret', metadata: { name: 'b', uid: 'u', resourceVersion: '2' } },
    { kind: 'ConfigMap', metadata: { name: 'a' } },
  ] as const;
  expect(dependenciesDigest(dependencies)).toBe('8bf511e68e8d7a778504cab8e108de38702403d6');
});

test('the set of sites that a person approves to be left', () => {
  const leaving = {
    clusters: ['site-1', 'site-2'],
    ready: [],
    staying: 5,
    stayingReady: 5,
    number: null,
    placement: null,
    selected: 5,
    isNamed: false,
    patienceMs: 0,
  };
  expect(release(leaving, { leaving: null, removal: NO_REMOVAL }, 1, 0).leaving?.digest).toBe('194bdd1d48');
});
