// Objects with lists as long as whoever reaches the webhook makes them: no schema has looked at them before.
import { PATHS } from '../../../admission/router.ts';
import type { AdmissionRequest } from '../../../admission/request.ts';
import { asked, CONTAINER, raw, templated } from './admission.ts';

const many = <T>(length: number, one: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => one(index));
const nested = (length: number, one: (index: number) => unknown): object =>
  Object.fromEntries(many(length, (index) => [`k${index}`, one(index)]));
const volumed = (nfsVolumes: readonly object[], pod: object): object =>
  raw({ volumesSpec: { nfsVolumes }, configurationSpec: { template: { spec: pod } } });
const sourced = (sources: readonly object[]): object => raw({ eventSourcesSpec: { sources } });
const holding = (more: object): object => ({ ...CONTAINER, ...more });

/** By what is long in it, a Capp with so many of it. */
export const LONG_CAPPS: Readonly<Record<string, (length: number) => object>> = {
  'containers with a port and probes': (length) =>
    templated({
      containers: many(length, (index) => ({
        name: `c${index}`,
        image: 'i:1',
        ports: [{ containerPort: 80, name: 'http1' }],
        livenessProbe: { httpGet: { port: 'x' } },
        readinessProbe: { tcpSocket: { port: 'y' } },
      })),
    }),
  'containers that get the default resources': (length) =>
    templated({ containers: many(length, (index) => ({ name: `c${index}`, image: 'i:1', resources: {} })) }),
  'containers whose request is above the limit': (length) =>
    templated({
      initContainers: many(length, (index) => ({
        name: `c${index}`,
        image: 'i:1',
        resources: { requests: { cpu: '2' }, limits: { cpu: '1' } },
      })),
    }),
  'mounts with volumes': (length) =>
    templated({
      containers: [
        holding({ volumeMounts: many(length, (index) => ({ name: `v${index}`, mountPath: `/v${index}` })) }),
      ],
      volumes: many(length, (index) => ({ name: `v${index}`, emptyDir: {} })),
    }),
  'mounts without volumes': (length) =>
    templated({
      containers: [
        holding({ volumeMounts: many(length, (index) => ({ name: `v${index}`, mountPath: `/v${index}` })) }),
      ],
      volumes: many(length, (index) => ({ name: `w${index}`, emptyDir: {} })),
    }),
  'NFS volumes with mounts': (length) =>
    volumed(
      many(length, (index) => ({ name: `n${index}`, server: 's', path: '/p' })),
      {
        containers: [
          holding({
            volumeMounts: many(length, (index) => ({ name: `n${index}`, mountPath: `/v${index}` })),
          }),
        ],
      },
    ),
  variables: (length) =>
    templated({
      containers: [
        holding({
          env: many(length, (index) => ({
            name: 'K_SERVICE',
            valueFrom: { secretKeyRef: { name: `s${index}`, key: 'k' } },
          })),
        }),
      ],
    }),
  'sources of variables': (length) =>
    templated({ containers: [holding({ envFrom: many(length, () => ({})) })] }),
  'projected sources': (length) =>
    templated({
      volumes: [{ name: 'v', projected: { sources: many(length, () => ({ configMap: { items: [{}] } })) } }],
    }),
  'pull secrets': (length) =>
    templated({ imagePullSecrets: many(length, (index) => ({ name: `p${index}` })) }),
  'ping sources': (length) =>
    sourced(
      many(length, (index) => ({
        name: `n${index}`,
        type: 'ping',
        pingSourceConfiguration: { schedule: 'x', data: 'y' },
      })),
    ),
  'Kafka sources': (length) =>
    sourced(
      many(length, (index) => ({
        name: `n${index}`,
        kafkaSourceConfiguration: { bootstrapServers: ['a:1'], topics: ['t'], consumers: 999 },
      })),
    ),
  'fields that Knative does not have': (length) =>
    templated({ containers: [{ ...CONTAINER, ...nested(length, () => 1) }] }),
  'annotations that Knative does not have': (length) =>
    templated(
      {},
      {
        annotations: Object.fromEntries(
          many(length, (index) => [`networking.knative.dev/a${index}`, 'x'] as const),
        ),
      },
    ),
  'fields that a Capp does not have': (length) => raw(nested(length, () => [{}])),
  labels: (length) => raw({}, { labels: nested(length, (index) => `${index}`) }),
  owners: (length) =>
    raw({ routeSpec: { hostname: 'a.example.com' } }, { ownerReferences: many(length, () => ({})) }),
  'expressions of what it requires': (length) =>
    raw({ requires: { matchExpressions: many(length, (index) => ({ key: `k${index}`, operator: 'In' })) } }),
};

const other = (kind: string, spec: object): object => ({
  apiVersion: 'rcs.dana.io/v1alpha1',
  kind,
  metadata: { namespace: 'apps', name: 'app' },
  spec,
});

/** The same for objects of other kinds, with the path at which they are asked about. */
export const LONG_OTHERS: Readonly<Record<string, readonly [string, (length: number) => object]>> = {
  'containers of a CappSet': [
    PATHS.validateCappSet,
    (length) =>
      other('CappSet', {
        sites: { clusters: ['site-1'] },
        template: { spec: specOf(LONG_CAPPS['containers with a port and probes']?.(length)) },
      }),
  ],
  'overrides of a CappSet': [
    PATHS.validateCappSet,
    (length) =>
      other('CappSet', {
        sites: { clusters: ['site-1'] },
        template: { spec: specOf(raw({})) },
        overrides: many(length, () => ({ clusterSelector: {}, patch: { other: {} } })),
      }),
  ],
  'sites of a CappSet': [
    PATHS.validateCappSet,
    (length) =>
      other('CappSet', {
        sites: { clusters: many(length, (index) => `s${index}`) },
        template: { spec: specOf(raw({})) },
      }),
  ],
  'sites of a Bundle': [
    PATHS.validateBundle,
    (length) => other('Bundle', { sites: { clusters: many(length, (index) => `s${index}`) } }),
  ],
  'manifests of a Bundle': [
    PATHS.validateBundle,
    (length) =>
      other('Bundle', {
        manifests: many(length, (index) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: `m${index}`, namespace: 'n' },
        })),
        ready: many(length, (index) => ({ kind: 'Deployment', name: `r${index}`, when: 'x' })),
      }),
  ],
  'stages of a Bundle': [
    PATHS.validateBundle,
    (length) => other('Bundle', { strategy: { stages: many(length, (index) => ({ name: `S${index}` })) } }),
  ],
  'patterns of an RCSConfig': [
    PATHS.validateRcsConfig,
    (length) => other('RCSConfig', { invalidHostnamePatterns: many(length, (index) => `^a${index}$`) }),
  ],
  'a pattern of an RCSConfig': [
    PATHS.validateRcsConfig,
    (length) => other('RCSConfig', { invalidHostnamePatterns: [`(${'a'.repeat(length)}`] }),
  ],
  'networks of an RCSConfig': [
    PATHS.validateRcsConfig,
    (length) =>
      other('RCSConfig', { notifications: { hosts: [{ privateAddresses: many(length, () => 'x') }] } }),
  ],
  'placements of an RCSConfig': [
    PATHS.validateRcsConfig,
    (length) => other('RCSConfig', { placements: many(length, (index) => `p${index}`) }),
  ],
  'priorities of a Drain': [
    PATHS.validateDrain,
    (length) => other('Drain', { priorities: many(length, () => ({ namespace: 'n' })) }),
  ],
  'labels of a cluster': [
    PATHS.validateClusterFacts,
    (length) => ({ metadata: { name: 'a', labels: nested(length, (index) => `${index}`) } }),
  ],
};

function specOf(capp: unknown): object {
  return (capp as { readonly spec: object }).spec;
}

/** As an edit of one that has as many others: each entry is looked for in what was there. */
export function edited(long: (length: number) => object, length: number): AdmissionRequest {
  const before = JSON.parse(
    JSON.stringify(long(length)).replaceAll(/(?<=")(?=[ckmnpsvw]\d+")/g, 'b'),
  ) as object;
  return asked(long(length), before);
}
