// The Knative Service and the NFS volume claims that a site operator renders from a Capp.
import { normalise } from '../../../../crds/capp/normalise.ts';
import { parseSpec } from '../../../../crds/capp/capp.ts';
import { autoscaling, DEFAULT_AUTOSCALE } from '../../../../site/workload/autoscaling.ts';
import { knativeService } from '../../../../site/workload/knative-service.ts';
import { nfsPvcs } from '../../../../site/volumes/nfs-pvc.ts';
import { aCapp } from '../../../support/builders/capps.ts';
import { sampleCapp } from '../../../support/builders/manifests/samples.ts';

const render = (capp: ReturnType<typeof aCapp>) => knativeService(normalise(capp).capp, DEFAULT_AUTOSCALE);
const key = (name: string) => `autoscaling.knative.dev/${name}`;
const nfs = (name: string) => ({ name, server: 's', path: '/p', capacity: { storage: '1Gi' } });
const mounting = (...names: string[]) => ({
  containers: [
    { name: 'app', image: 'i', volumeMounts: names.map((name) => ({ name, mountPath: `/${name}` })) },
  ],
});

describe('a Knative Service', () => {
  it('has the name of its Capp, our labels and an owner reference to the Capp', () => {
    expect(render(aCapp({ name: 'shop', namespace: 'web', uid: 'u' }))).toMatchObject({
      apiVersion: 'serving.knative.dev/v1',
      kind: 'Service',
      metadata: {
        name: 'shop',
        namespace: 'web',
        labels: { 'rcs.dana.io/parent-capp': 'shop', 'rcs.dana.io/managed-by': 'capp' },
        ownerReferences: [{ apiVersion: 'rcs.dana.io/v1alpha1', kind: 'Capp', name: 'shop', uid: 'u' }],
      },
    });
  });

  it('is not rendered for a disabled Capp', () => {
    expect(render(aCapp({ spec: { state: 'disabled' } }))).toBeNull();
  });

  it("has the user's annotations, but not those of the system, and none that would pass the limits of scaling", () => {
    const annotations = {
      team: 'blue',
      'rcs.dana.io/rollout': 'u/1/h/1',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      [key('min-scale')]: '9',
    };
    expect(render(aCapp({ annotations }))?.metadata.annotations).toEqual({ team: 'blue' });
  });

  it("W-19 passes the Capp's labels to its Pods, but not those of the system or of tools that track it", () => {
    const labels = {
      team: 'blue',
      'rcs.dana.io/managed-by': 'rcs',
      'helm.sh/chart': 'shop-1.2.3',
      'argocd.argoproj.io/instance': 'shops',
      'app.kubernetes.io/managed-by': 'Helm',
      'app.kubernetes.io/name': 'shop',
    };
    expect(render(aCapp({ labels }))?.spec?.template?.metadata?.labels).toEqual({
      team: 'blue',
      'app.kubernetes.io/name': 'shop',
      'rcs.dana.io/parent-capp': 'app',
    });
  });

  it('has no empty list of pull secrets or of volumes, which nobody could take out again', () => {
    const pod = { containers: [{ name: 'app', image: 'i', args: [] }], volumes: [], imagePullSecrets: [] };
    const left = { containers: pod.containers, enableServiceLinks: false };
    expect(render(aCapp({ pod }))?.spec?.template?.spec).toEqual(left);
  });

  it.each([
    ['an annotation', { annotations: { note: '1' } }],
    ['a stamp of the hub', { annotations: { 'rcs.dana.io/rollout': 'u/1/h/1' } }],
    ['a figure of scaling, which only spec.scaleSpec sets', { annotations: { [key('min-scale')]: '9' } }],
    ['a label of a tool', { labels: { 'helm.sh/chart': 'shop-2' } }],
  ])('W-19 makes no new revision for %s of the Capp', (_, metadata) => {
    expect(render(aCapp(metadata))?.spec).toEqual(render(aCapp())?.spec);
  });

  it('prefers labels and annotations of the template to computed ones', () => {
    const metadata = {
      name: 'app-first',
      labels: { a: 'b' },
      annotations: { [key('target')]: '1' },
      creationTimestamp: null,
    };
    const spec = {
      configurationSpec: { template: { metadata, spec: { containers: [{ name: 'a', image: 'i' }] } } },
    };
    expect(render(aCapp({ spec }))?.spec?.template?.metadata).toMatchObject({
      name: 'app-first',
      labels: { a: 'b', 'rcs.dana.io/parent-capp': 'app' },
      annotations: { [key('target')]: '1', [key('metric')]: 'concurrency' },
    });
  });

  it('keeps fields of the pod spec that the schema does not know', () => {
    const pod = {
      containers: [{ name: 'a', image: 'i', lifecycle: { x: 1 } }],
      hostAliases: [{ ip: '1.1.1.1' }],
    };
    expect(render(aCapp({ pod }))?.spec?.template?.spec).toEqual({ ...pod, enableServiceLinks: false });
  });

  it.each([
    { title: 'none when none is set', pod: {}, route: {}, want: {} },
    { title: 'that of the template', pod: { timeoutSeconds: 20 }, route: {}, want: { timeoutSeconds: 20 } },
    {
      title: 'that of the route rather than that of the template',
      pod: { timeoutSeconds: 20 },
      route: { routeTimeoutSeconds: 30 },
      want: { timeoutSeconds: 30 },
    },
    {
      title: "with a response start timeout as long, when it exceeds Knative's default",
      pod: {},
      route: { routeTimeoutSeconds: 500 },
      want: { timeoutSeconds: 500, responseStartTimeoutSeconds: 500 },
    },
    {
      title: 'with the response start timeout of the template',
      pod: { responseStartTimeoutSeconds: 5 },
      route: { routeTimeoutSeconds: 500 },
      want: { timeoutSeconds: 500, responseStartTimeoutSeconds: 5 },
    },
  ])('has a timeout: $title', ({ pod, route, want }) => {
    const {
      containers: _containers,
      enableServiceLinks: _links,
      ...rest
    } = render(aCapp({ pod, spec: spec(pod, route) }))?.spec?.template?.spec ?? {};
    expect(rest).toEqual(want);
  });

  it.each([
    {
      title: 'a volume that a container mounts',
      pod: mounting('data'),
      want: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
    {
      title: 'no volume that no container mounts, because Knative refuses such volumes',
      pod: mounting(),
      want: undefined,
    },
    {
      title: 'no volume with the name of one that the pod declares',
      pod: { ...mounting('data'), volumes: [{ name: 'data', emptyDir: {} }] },
      want: [{ name: 'data', emptyDir: {} }],
    },
  ])('gets volumes from spec.volumesSpec: $title', ({ pod, want }) => {
    const capp = aCapp({
      spec: { configurationSpec: { template: { spec: pod } }, volumesSpec: { nfsVolumes: [nfs('data')] } },
    });
    expect(render(capp)?.spec?.template?.spec?.['volumes']).toEqual(want);
  });
});

describe('a class or a metric in the template', () => {
  const scalingOf = (annotations: Record<string, string>, scaleMetric: string) => {
    const own = Object.fromEntries(Object.entries(annotations).map(([name, value]) => [key(name), value]));
    const template = {
      metadata: { annotations: own },
      spec: { containers: [{ name: 'a', image: 'i' }] },
    };
    const capp = aCapp({ spec: { scaleMetric, configurationSpec: { template } } });
    const all = knativeService(capp, DEFAULT_AUTOSCALE)?.spec?.template?.metadata?.annotations ?? {};
    return ['class', 'metric', 'target'].map((name) =>
      all[key(name)]?.replace('.autoscaling.knative.dev', ''),
    );
  };
  const [kpa, hpa] = ['kpa', 'hpa'].map((name) => `${name}.autoscaling.knative.dev`) as [string, string];

  it.each<[Record<string, string>, string, readonly (string | undefined)[]]>([
    [{ class: hpa }, 'concurrency', ['hpa', 'cpu', '80']],
    [{ class: kpa }, 'cpu', ['kpa', 'concurrency', '10']],
    [{ class: hpa }, 'memory', ['hpa', 'memory', '70']],
    [{ metric: 'rps' }, 'concurrency', ['kpa', 'rps', '200']],
    [{ metric: 'rps', target: '7' }, 'concurrency', ['kpa', 'rps', '7']],
    [{ metric: 'memory' }, 'cpu', ['hpa', 'memory', '70']],
    [{ class: hpa, metric: 'queue', target: '5' }, 'concurrency', ['hpa', 'queue', '5']],
    [{ class: 'keda.example.com' }, 'concurrency', ['keda.example.com', undefined, undefined]],
    [{ class: 'keda.example.com', metric: 'queue' }, 'rps', ['keda.example.com', 'queue', undefined]],
  ])('%j beside %s means what Knative means, with the figure of the site for that', (own, spec, scaling) => {
    expect(scalingOf(own, spec)).toEqual(scaling);
  });
});

describe('the autoscaling of a revision', () => {
  it.each([
    { metric: 'concurrency', scaling: 'kpa', target: '10' },
    { metric: 'rps', scaling: 'kpa', target: '200' },
    { metric: 'cpu', scaling: 'hpa', target: '80' },
    { metric: 'memory', scaling: 'hpa', target: '70' },
  ])('scales on $metric with the class $scaling', ({ metric, scaling, target }) => {
    expect(autoscaling(aCapp({ spec: { scaleMetric: metric } }), DEFAULT_AUTOSCALE)).toEqual({
      [key('class')]: `${scaling}.autoscaling.knative.dev`,
      [key('metric')]: metric,
      [key('target')]: target,
      [key('activation-scale')]: '3',
    });
  });

  it.each([
    { scaleSpec: { minReplicas: 0 }, has: { 'min-scale': '0' }, hasNot: ['activation-scale', 'max-scale'] },
    {
      scaleSpec: { minReplicas: 2, maxReplicas: 4 },
      has: { 'min-scale': '2', 'max-scale': '4' },
      hasNot: ['activation-scale'],
    },
    {
      scaleSpec: { maxReplicas: 2 },
      has: { 'max-scale': '2', 'activation-scale': '2' },
      hasNot: ['min-scale'],
    },
    { scaleSpec: { maxReplicas: 1 }, has: { 'max-scale': '1' }, hasNot: ['activation-scale'] },
    { scaleSpec: { scaleDelaySeconds: 0 }, has: { 'scale-down-delay': '0s' }, hasNot: [] },
    { scaleSpec: { scaleDelaySeconds: 90 }, has: { 'scale-down-delay': '1m30s' }, hasNot: [] },
    { scaleSpec: { scaleDelaySeconds: 3600 }, has: { 'scale-down-delay': '1h0m0s' }, hasNot: [] },
  ])('has the bounds of $scaleSpec', ({ scaleSpec, has, hasNot }) => {
    const annotations = autoscaling(aCapp({ spec: { scaleSpec } }), DEFAULT_AUTOSCALE);
    for (const [name, value] of Object.entries(has)) expect(annotations[key(name)]).toBe(value);
    for (const name of hasNot) expect(annotations).not.toHaveProperty([key(name)]);
  });
});

describe('the sample Capps', () => {
  it('mount the volumes that their pod or their volumesSpec declares', () => {
    const hub = render({ ...aCapp(), spec: parseSpec(sampleCapp('seed-hub.yaml').spec) });
    expect(hub?.spec?.template?.spec?.['volumes']).toEqual([
      { name: 'testpvc', persistentVolumeClaim: { claimName: 'nfspvc', readOnly: false } },
    ]);
    const site = render({ ...aCapp(), spec: parseSpec(sampleCapp('seed-site.yaml').spec) });
    expect(site?.spec?.template?.spec?.['volumes']).toEqual([
      { name: 'test-nfspvc', persistentVolumeClaim: { claimName: 'test-nfspvc' } },
    ]);
  });

  it.each(['seed-hub.yaml', 'seed-site.yaml'])('request the NFS volume of %s', (file) => {
    const capp = { ...aCapp(), spec: parseSpec(sampleCapp(file).spec) };
    expect(nfsPvcs(capp).map((object) => object.spec)).toEqual([
      { server: 'test', path: '/test', capacity: { storage: '200Gi' }, accessModes: ['ReadWriteMany'] },
    ]);
  });
});

function spec(pod: object, routeSpec: object): Record<string, unknown> {
  return {
    routeSpec,
    configurationSpec: { template: { spec: { containers: [{ name: 'app', image: 'i' }], ...pod } } },
  };
}
