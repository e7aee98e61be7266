// Fields of Pods that Knative takes only where a site has switched them on.
import { featureFault } from '../../../../site/workload/features.ts';

const container = { name: 'app', image: 'i' };
const switches = (data: Readonly<Record<string, string>>) => ({
  metadata: { namespace: 'knative-serving', name: 'config-features' },
  data,
});
const withVolume = (source: object) => ({ containers: [container], volumes: [{ name: 'data', ...source }] });
const claim = (more: object = {}) => withVolume({ persistentVolumeClaim: { claimName: 'c', ...more } });
const CLAIM = 'kubernetes.podspec-persistent-volume-claim';
const WRITE = 'kubernetes.podspec-persistent-volume-write';

describe('a field of a Pod', () => {
  it.each<[string, object, Readonly<Record<string, string>>]>([
    ['a plain Pod', { containers: [container] }, {}],
    [
      'what a Pod has by default',
      { containers: [container], tolerations: [], hostNetwork: false, dnsPolicy: '' },
      {},
    ],
    ['a claim with both switches on', claim(), { [CLAIM]: 'enabled', [WRITE]: 'Enabled' }],
    ['a claim that is only read', claim({ readOnly: true }), { [CLAIM]: 'enabled' }],
    ['an emptyDir where nothing is said', withVolume({ emptyDir: {} }), {}],
    ['a Secret and a ConfigMap', withVolume({ secret: { secretName: 's' }, configMap: { name: 'c' } }), {}],
    [
      'an allowed affinity',
      { containers: [container], affinity: { podAffinity: {} } },
      { 'kubernetes.podspec-affinity': 'allowed' },
    ],
  ])('is taken: %s', (_, pod, data) => {
    expect(featureFault(pod as never, switches(data))).toBeNull();
  });

  it.each<[string, object, Readonly<Record<string, string>>, string]>([
    ['a claim', claim(), {}, `volumes[data].persistentVolumeClaim needs ${CLAIM} and ${WRITE}, off`],
    ['a claim that is written', claim(), { [CLAIM]: 'enabled', [WRITE]: 'disabled' }, `needs ${WRITE}, off`],
    [
      'a claim that is only allowed',
      claim({ readOnly: true }),
      { [CLAIM]: 'allowed' },
      `needs ${CLAIM}, off`,
    ],
    [
      'an emptyDir where it is switched off',
      withVolume({ emptyDir: {} }),
      { 'kubernetes.podspec-volumes-emptydir': 'disabled' },
      'volumes[data].emptyDir needs',
    ],
    [
      'a hostPath',
      withVolume({ hostPath: { path: '/' } }),
      {},
      'volumes[data].hostPath needs kubernetes.podspec-volumes-hostpath',
    ],
    [
      'tolerations',
      { containers: [container], tolerations: [{ key: 'k' }] },
      {},
      'tolerations needs kubernetes.podspec-tolerations',
    ],
    [
      'init containers',
      { containers: [container], initContainers: [container] },
      {},
      'initContainers needs kubernetes.podspec-init-containers',
    ],
  ])('is refused by name while its switch is off: %s', (_, pod, data, words) => {
    const fault = featureFault(pod as never, switches(data));
    expect(fault?.reason).toBe('FeatureOff');
    expect(fault?.message).toContain(words);
    expect(Buffer.byteLength(fault?.message ?? '')).toBeLessThanOrEqual(256);
  });

  it('is nobody’s business where the site does not say what it takes', () => {
    expect(featureFault(claim(), null)).toBeNull();
  });
});
