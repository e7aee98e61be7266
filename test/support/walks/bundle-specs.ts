// Random valid Bundles, whose manifests are some of few, so that two of them share some and differ in them.
import { PATHS } from '../../../admission/router.ts';
import { asked, judged, said } from '../builders/admission.ts';
import type { Random } from '../builders/random.ts';
import { maybe, some, valid } from './walks.ts';

/** Accepted by the webhook. */
export function aValidBundle(dice: Random): object {
  return valid(
    () => someBundle(dice),
    (spec) => said(judged(PATHS.validateBundle, asked(asBundle(spec))).problems),
  );
}

function asBundle(spec: object): object {
  return {
    apiVersion: 'rcs.dana.io/v1alpha1',
    kind: 'Bundle',
    metadata: { namespace: 'apps', name: 'b' },
    spec,
  };
}

function someBundle(dice: Random): object {
  const manifests = some(dice, 0.5, everyManifest(dice));
  const kinds = new Set(manifests.map(({ kind }) => kind));
  // The two ConfigMaps hold the same object, which may be there once.
  const from = [
    ...some(dice, 0.6, [{ configMap: dice.pick(['files', 'more-files']) }]),
    ...some(dice, 0.6, [{ secret: 'hidden-files' }]),
  ];
  const when = dice.pick(['object.spec.size > 1', 'true']);
  return {
    sites: { clusters: dice.pick([['site-1'], ['site-2'], ['site-1', 'site-2']]) },
    manifests: manifests.length === 0 ? [configMap(dice, 'only')] : manifests,
    strategy: {
      maxConcurrent: '100%',
      ...maybe(dice, 0.3, () => ({ onFailure: dice.pick(['Halt', 'RollBack']) })),
      ...maybe(dice, 0.2, () => ({ deadlineSeconds: dice.pick([300, 900]) })),
      ...maybe(dice, 0.2, () => ({ maxFailures: dice.pick([0, 1]) })),
      ...maybe(dice, 0.3, () => ({
        stages: [
          { name: 'first', sites: dice.pick<object>([{ percent: 50 }, { count: 1 }]) },
          { name: 'rest' },
        ],
      })),
    },
    ...maybe(dice, 0.2, () => ({ executor: 'Namespace' })),
    ...maybe(dice, 0.3, () => ({ onRemoval: dice.pick(['Delete', 'Orphan']) })),
    ...maybe(dice, 0.5, () => ({ manifestsFrom: from })),
    ...maybe(dice, kinds.has('Cactus') ? 0.6 : 0, () => ({
      plurals: { Cactus: 'cacti' },
      ready: [{ kind: 'Cactus', name: 'spiny', namespace: 'apps', when }],
    })),
  };
}

interface Object {
  readonly kind: string;
}

function everyManifest(dice: Random): Object[] {
  const place = (name: string) => ({ namespace: 'apps', name });
  const labels = maybe(dice, 0.5, () => ({ labels: { tier: dice.pick(['a', 'b']) } }));
  return [
    configMap(dice, 'settings'),
    configMap(dice, 'colors'),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...place('keys'), ...labels },
      ...maybe(dice, 0.6, () => ({ stringData: Object.fromEntries(data(dice)) })),
      ...maybe(dice, 0.4, () => ({ data: { old: 'MQ==' } })),
    } as Object,
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shops', ...labels } } as Object,
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'reads', ...maybe(dice, 0.3, () => ({ namespace: 'apps' })) },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: some(dice, 0.7, ['get', 'list', 'watch']) }],
    } as Object,
    deployment(dice, place('web')),
    {
      apiVersion: 'apps/v1',
      kind: dice.pick(['StatefulSet', 'DaemonSet']),
      metadata: place('stored'),
      spec: {
        updateStrategy: dice.pick<object>([
          {},
          { type: 'OnDelete' },
          { type: 'RollingUpdate', rollingUpdate: {} },
        ]),
        selector: { matchLabels: { app: 'stored' } },
        template: {
          metadata: { labels: { app: 'stored' } },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
      },
    } as Object,
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: place('web'),
      spec: { type: dice.pick(['ClusterIP', 'LoadBalancer']), ports: [{ port: 80 }] },
    } as Object,
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: place('migrate'),
      spec: {
        ...maybe(dice, 0.5, () => ({ ttlSecondsAfterFinished: 60 })),
        ...maybe(dice, 0.4, () => ({ suspend: dice.chance(0.5) })),
        ...maybe(dice, 0.3, () => ({ parallelism: dice.pick([0, 2]) })),
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
      },
    } as Object,
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: place('stored'),
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: dice.pick(['1Gi', '2Gi']) } },
      },
    } as Object,
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: place('web'),
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        maxReplicas: dice.pick([3, 5]),
        ...maybe(dice, 0.3, () => ({ minReplicas: null })),
      },
    } as Object,
    {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: place('web'),
      spec: { secretName: 'web-tls', dnsNames: some(dice, 0.7, ['a.example.com', 'b.example.com']) },
    } as Object,
    {
      apiVersion: 'plants.example.com/v1',
      kind: 'Cactus',
      metadata: place('spiny'),
      spec: { size: dice.pick([1, 2, '9007199254740993']) },
    } as Object,
  ];
}

function configMap(dice: Random, name: string): Object {
  const metadata = { namespace: 'apps', name };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: Object.fromEntries(data(dice)) } as Object;
}

function data(dice: Random): [string, string][] {
  return some(dice, 0.5, ['a', 'b', 'c']).map((key) => [key, dice.pick(['1', '2'])]);
}

function deployment(dice: Random, metadata: object): Object {
  const containers = [{ name: 'c', image: dice.pick(['i:1', 'i:2']) }];
  const pods = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      ...maybe(dice, 0.7, () => ({ replicas: dice.pick([0, 1, 3]) })),
      ...maybe(dice, 0.2, () => ({ paused: true })),
      selector: { matchLabels: pods },
      template: { metadata: { labels: pods }, spec: { containers } },
    },
  } as Object;
}
