// Fields of Pods that Knative takes only where a site has switched them on.
import { featureFault } from '../../../../site/workload/features.ts';

const container = { name: 'app', image: 'i' };
const switches = (data: Readonly<Record<string, string>>) => ({
  metadata: { namespace: 'knative-serving', name: 'config-features' },
  data,
});
const withVolume = (source: object) => ({ containers: [container], volumes: [{ name: 'data', ...source }] });
const claim = (more: object = {}) => withVolume({ persistentVolumeClaim: { claimName: 'c', ...more } });
const serving = { ...container, ports: [{ containerPort: 8080 }] };
const oneWith = (more: object) => ({ containers: [{ ...container, ...more }] });
const adding = (...add: string[]) => oneWith({ securityContext: { capabilities: { add, drop: ['ALL'] } } });
const beside = (more: object) => ({ containers: [serving, { name: 'side', image: 'i', ...more }] });
const fromField = { name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } };
const propagated = { volumeMounts: [{ name: 'v', mountPath: '/v', mountPropagation: 'None' }] };
const SECURE = { 'secure-pod-defaults': 'AllowRootBounded' };
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
    [
      'an allowed field of the Pod',
      oneWith({ env: [fromField] }),
      { 'kubernetes.podspec-fieldref': 'allowed' },
    ],
    ['a Secret in the environment', oneWith({ env: [{ name: 'A', valueFrom: { secretKeyRef: {} } }] }), {}],
    ['a container that drops capabilities', adding(), {}],
    ['an empty security of the Pod', { containers: [container], securityContext: {} }, {}],
    ['a low port with secure defaults', adding('NET_BIND_SERVICE'), SECURE],
    [
      'an opt-out of secure defaults',
      { containers: [container], securityContext: { seccompProfile: { type: 'Unconfined' } } },
      SECURE,
    ],
    [
      'a probe of the container that serves',
      { containers: [{ ...serving, livenessProbe: { periodSeconds: 3 } }, { name: 'side' }] },
      {},
    ],
    ['a probe of the only container', oneWith({ readinessProbe: { httpGet: { path: '/' } } }), {}],
    ['an empty probe of a container beside it', beside({ readinessProbe: {} }), {}],
    [
      'a probe beside it where they are on',
      beside({ readinessProbe: { tcpSocket: {} } }),
      { 'multi-container-probing': 'enabled' },
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
    [
      'init containers that are only allowed',
      { containers: [container], initContainers: [container] },
      { 'kubernetes.podspec-init-containers': 'allowed' },
      'initContainers needs kubernetes.podspec-init-containers',
    ],
    [
      'a field of the Pod in the environment',
      oneWith({ env: [{ name: 'A', value: 'b' }, fromField] }),
      {},
      'containers[app].env.valueFrom.fieldRef needs kubernetes.podspec-fieldref, off',
    ],
    [
      'an amount of an init container in its environment',
      {
        containers: [container],
        initContainers: [
          { name: 'init', env: [{ valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }] },
        ],
      },
      { 'kubernetes.podspec-init-containers': 'enabled' },
      'initContainers[init].env.valueFrom.resourceFieldRef needs kubernetes.podspec-fieldref, off',
    ],
    [
      'whom a Pod runs as',
      { containers: [container], securityContext: { runAsUser: 0 } },
      SECURE,
      'securityContext needs kubernetes.podspec-securitycontext, off',
    ],
    [
      'a profile without secure defaults',
      { containers: [container], securityContext: { seccompProfile: { type: 'Unconfined' } } },
      {},
      'securityContext needs kubernetes.podspec-securitycontext, off',
    ],
    [
      'capabilities that are only allowed',
      adding('NET_ADMIN'),
      { ...SECURE, 'kubernetes.containerspec-addcapabilities': 'allowed' },
      'containers[app].securityContext.capabilities.add needs kubernetes.containerspec-addcapabilities, off',
    ],
    [
      'mounts that are propagated',
      oneWith(propagated),
      { 'kubernetes.podspec-volumes-mount-propagation': 'allowed' },
      'containers[app].volumeMounts.mountPropagation needs kubernetes.podspec-volumes-mount-propagation, off',
    ],
    [
      'a probe of a container beside the one that serves',
      beside({ startupProbe: { periodSeconds: 3 } }),
      {},
      'containers[side].startupProbe needs multi-container-probing, off',
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
