import { missingSettings, settingsFor, withSettings } from '../../../../deploy/join/base/settings.ts';
import type { ConfigMap } from '../../../../crds/kubernetes/core.ts';

const CLAIM = 'kubernetes.podspec-persistent-volume-claim';
const config = (name: string, data: Record<string, string>, namespace = 'knative-serving'): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});

it('puts the settings into the published ConfigMaps, and leaves everything else', () => {
  const settings = settingsFor({ domain: 'apps.example', features: ['kubernetes.podspec-tolerations'] });
  const published = [
    config('config-features', { _example: 'x', [CLAIM]: 'disabled' }),
    config('config-domain', {}),
    config('config-gc', { _example: 'x' }),
    config('config-features', {}, 'elsewhere'),
  ];
  const [features, domain, ...others] = withSettings(published, settings) as ConfigMap[];
  expect(features?.data).toMatchObject({
    _example: 'x',
    [CLAIM]: 'enabled',
    'kubernetes.podspec-tolerations': 'enabled',
  });
  expect(domain?.data).toEqual({ 'apps.example': '' });
  expect(others).toEqual(published.slice(2));
});

it('says nothing of a domain that nobody gave', () => {
  expect(settingsFor({ domain: null, features: [] })).not.toHaveProperty('config-domain');
});

it('has the command for each ConfigMap in which a Knative of somebody else lacks something', () => {
  expect(missingSettings([])).toHaveLength(2);
  const features = config('config-features', {
    [CLAIM]: 'Enabled',
    'kubernetes.podspec-persistent-volume-write': 'allowed',
  });
  const network = config('config-network', { 'autocreate-cluster-domain-claims': 'true' });
  expect(missingSettings([features, network])).toEqual([
    `kubectl patch --namespace knative-serving configmap/config-features --type merge --patch '{"data":{"kubernetes.podspec-persistent-volume-write":"enabled"}}'`,
  ]);
});
