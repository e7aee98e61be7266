// The plan of a Bundle that has something secret, where Secrets may go to sites only sealed.
import { previewOf } from '../../../../activities/hub/bundle/preview.ts';
import { RCS_CONFIG_KEY, type RcsConfigSpec } from '../../../../crds/hub/rcs-config.ts';
import { AVAILABLE } from '../../../../crds/ocm/ocm.ts';
import { listed } from '../../../../kube/watch/listed.ts';
import { aBundle, aConfigMap } from '../../../support/builders/fleet/bundles.ts';
import { aCluster } from '../../../support/builders/fleet/sets.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const SECRET = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'apps', name: 'db' },
  stringData: { password: 'canary' },
};

function planned(spec: object, secrets: NonNullable<RcsConfigSpec['secrets']>) {
  const none = { get: () => undefined, list: () => [], by: () => [] };
  const config = { metadata: RCS_CONFIG_KEY, spec: { placements: [], pinning: 'Any', secrets } };
  const status = { conditions: [{ type: AVAILABLE, status: 'True' }] };
  const clusters = { ...none, get: () => ({ ...aCluster('site-1'), status }) };
  const caches = {
    clusters,
    configs: listed([config]),
    placements: none,
    decisions: none,
    setBindings: none,
    clusterSets: none,
  };
  const rules = { caches, hubUid: 'hub', config: RCS_CONFIG_KEY } as never;
  return previewOf(rules, { bundle: aBundle(spec), before: null, patterns: new Map() }, NOW);
}

test.each<[string, object, string]>([
  ['in spec.manifests', { manifests: [aConfigMap(), SECRET] }, 'spec.manifests[1] is Secret apps/db. '],
  ['in spec.manifestsFrom', { manifestsFrom: [{ secret: 'tls' }] }, 'spec.manifestsFrom names Secret tls'],
])('changes no site, and says why, for a Secret %s', (_where, spec, why) => {
  const plan = planned(spec, { sealing: 'Required' });
  expect(plan).toMatchObject({ steps: [], last: [], changes: [], stop: { reason: 'SecretNotSealed' } });
  expect(plan?.stop?.message).toContain(why);
  expect(JSON.stringify(plan)).not.toContain('canary');
});

test.each<[string, object, NonNullable<RcsConfigSpec['secrets']>]>([
  ['that is not sealed anywhere', { manifests: [SECRET] }, {}],
  ['of an exempted namespace', { manifests: [SECRET] }, { sealing: 'Required', unsealedBundles: ['apps'] }],
  ['that is none', {}, { sealing: 'Required' }],
])('goes to its site for a Secret %s', (_what, spec, secrets) => {
  const plan = planned(spec, secrets);
  expect(plan?.stop).toBeUndefined();
  expect(plan?.steps).toMatchObject([{ sites: ['site-1'] }]);
});
