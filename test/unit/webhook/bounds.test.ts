// What no site could or should take: namespaces, resources and references that are refused when they are
// written.
import { PATHS } from '../../../admission/router.ts';
import { asked, judged, known, raw, said, problems } from '../../support/builders/admission.ts';

describe('the namespace', () => {
  const make = (namespace: string, spec: object, before: object | null = null) =>
    said(
      judged(
        PATHS.validateCapp,
        asked(raw(spec), before === null ? null : raw(before), { namespace }),
        known({ reserved: ['platform', 'storage-*'] }),
      ).problems,
    );

  it.each([
    'kube-system',
    'kube-public',
    'openshift',
    'openshift-ingress',
    'open-cluster-management',
    'open-cluster-management-agent-addon',
    'knative-serving',
    'kourier-system',
    'cert-manager',
    'container-app-operator-system',
    'capp-operator-system',
    'nfspvc-operator-system',
    'crossplane-system',
    'istio-system',
    'cappstan-system',
    'platform',
    'storage-nfs',
  ])('%s belongs to a cluster’s own parts, and takes no Capp', (namespace) => {
    const told = [
      expect.stringMatching(/^metadata\.namespace: Namespace .* create the Capp in another namespace$/),
    ];
    expect(make(namespace, {})).toEqual(told);
    expect(make(namespace, { scaleMetric: 'cpu' }, {})).toEqual(told);
  });

  it.each([
    'apps',
    'argocd',
    'default',
    'kubectl',
    'my-kube-system',
    'openshifters',
    'platforms',
    'placements',
  ])('%s is anybody’s', (namespace) => {
    expect(make(namespace, {})).toEqual([]);
  });

  it('in which a Capp runs already keeps it as it is, lets it be stopped, and lets it go', () => {
    expect(make('kube-system', {}, {})).toEqual([]);
    expect(make('kube-system', { state: 'disabled' }, {})).toEqual([]);
    expect(make('kube-system', { state: 'disabled' })).toHaveLength(1);
  });
});

describe('the resources of a container', () => {
  const pod = (resources: unknown, more: object = {}) =>
    raw({
      configurationSpec: {
        template: { spec: { containers: [{ name: 'app', image: 'i', resources }], ...more } },
      },
    });
  const impossible = { requests: { cpu: '1', memory: '100Mi' }, limits: { cpu: 1, memory: '10Mi' } };
  const where = 'spec.configurationSpec.template.spec';

  it('with a request above its limit are refused, since no Pod could be made', () => {
    const told = problems(
      pod(impossible, {
        initContainers: [
          {
            name: 'init',
            image: 'i',
            resources: { requests: { 'nvidia.com/gpu': 2 }, limits: { 'nvidia.com/gpu': '1' } },
          },
        ],
      }),
    );
    expect(told).toEqual([
      expect.stringContaining(
        `${where}.containers[0].resources.requests.memory: 100Mi is above the limit of 10Mi`,
      ),
      expect.stringContaining(
        `${where}.initContainers[0].resources.requests.nvidia.com/gpu: 2 is above the limit of 1`,
      ),
    ]);
  });

  it('are fine where nothing contradicts', () => {
    const fine = [
      undefined,
      null,
      {},
      { requests: { cpu: '2' } },
      { requests: { cpu: '2' }, limits: { cpu: '2000m' } },
    ];
    for (const given of fine) expect(problems(pod(given))).toEqual([]);
    expect(problems(pod('lots'))).toEqual([
      `${where}.containers[0].resources: must be an object: write a key and a value in each line`,
    ]);
  });

  it('that have become wrong since stay as they are', () => {
    const before = pod(impossible);
    expect(
      problems(
        { ...pod(impossible), spec: { ...(pod(impossible) as { spec: object }).spec, state: 'disabled' } },
        before,
      ),
    ).toEqual([]);
  });
});

describe('ConfigMaps and Secrets that a Capp refers to', () => {
  const referring = (count: number, more: object = {}) => {
    const half = (first: number) =>
      Array.from({ length: Math.ceil((count - first) / 2) }, (_, index) => ({
        name: `n-${2 * index + first}`,
      }));
    const envFrom = [
      ...half(0).map((secretRef) => ({ secretRef })),
      ...half(1).map((configMapRef) => ({ configMapRef })),
    ];
    return raw({
      configurationSpec: { template: { spec: { containers: [{ name: 'app', image: 'i', envFrom }] } } },
      ...more,
    });
  };

  it('are 64 at most', () => {
    expect(problems(referring(64))).toEqual([]);
    expect(problems(referring(65))).toEqual([
      'spec.configurationSpec.template.spec: the Capp refers to 65 ConfigMaps and Secrets, more than the 64 allowed: merge several into one with many keys',
    ]);
    expect(problems(referring(65), referring(64))).toHaveLength(1);
  });

  it('that were more before there was a bound may stay', () => {
    expect(problems(referring(70, { state: 'disabled' }), referring(70))).toEqual([]);
    expect(problems(referring(66), referring(70))).toEqual([]);
  });
});
