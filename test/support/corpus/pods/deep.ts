// What stands in those parts of a Pod of which Knative's schema says nothing: everything that may, slips of
// the pen, and values of other types. The activity test asks a real API server for each, in a Pod.
import { app, before, C, I, init, mount, one, pod, type Row, V, volume } from './examples.ts';

const expressions = [{ key: 'a', operator: 'In', values: ['b'] }];
const selector = { matchLabels: { a: 'b' }, matchExpressions: expressions };
const near = { topologyKey: 'zone', labelSelector: selector, namespaceSelector: selector, namespaces: ['a'] };
const among = {
  requiredDuringSchedulingIgnoredDuringExecution: [
    { ...near, matchLabelKeys: ['c'], mismatchLabelKeys: ['d'] },
  ],
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: near }],
};
const term = {
  matchExpressions: expressions,
  matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }],
};
const claim = {
  accessModes: ['ReadWriteOnce'],
  selector,
  resources: { requests: { storage: '1Gi' }, limits: { storage: '2Gi' } },
  storageClassName: 's',
  volumeMode: 'Filesystem',
  volumeName: 'pv',
  volumeAttributesClassName: 'gold',
};
const volumes = [
  {
    csi: {
      driver: 'csi.example.com',
      fsType: 'ext4',
      readOnly: true,
      volumeAttributes: { a: 'b' },
      nodePublishSecretRef: { name: 's' },
    },
  },
  { emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } },
  { ephemeral: { volumeClaimTemplate: { metadata: { labels: { a: 'b' } }, spec: claim } } },
  { hostPath: { path: '/a', type: 'Directory' } },
  { image: { reference: 'ghcr.io/example/data:v1', pullPolicy: 'Always' } },
  { persistentVolumeClaim: { claimName: 'c', readOnly: true } },
  {
    projected: {
      sources: [
        {
          downwardAPI: {
            items: [
              { path: 'a', mode: 0o400, fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.labels' } },
              {
                path: 'b',
                resourceFieldRef: { containerName: 'app', resource: 'limits.cpu', divisor: '1m' },
              },
            ],
          },
        },
      ],
    },
  },
].map((source, index) => ({ name: `v${index}`, ...source }));
const mounts = volumes.map(({ name }) => ({ name, mountPath: `/${name}`, readOnly: true }));

/** Every field that the shapes have. */
export const WHOLE = pod({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] },
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: term }],
    },
    podAffinity: among,
    podAntiAffinity: among,
  },
  containers: [
    {
      ...app,
      volumeMounts: mounts,
      env: [
        { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
        {
          name: 'B',
          valueFrom: { resourceFieldRef: { containerName: 'app', resource: 'limits.cpu', divisor: 1 } },
        },
      ],
    },
  ],
  dnsConfig: { nameservers: ['10.0.0.1'], searches: ['a.b'], options: [{ name: 'ndots', value: '2' }] },
  hostAliases: [{ ip: '10.0.0.2', hostnames: ['a'] }],
  initContainers: [
    { ...init, imagePullPolicy: 'Always', command: ['a'], args: ['b'], resources: { limits: { cpu: 1 } } },
  ],
  securityContext: {
    fsGroup: 1,
    runAsGroup: 2,
    runAsUser: 3,
    runAsNonRoot: true,
    supplementalGroups: [4],
    seccompProfile: { type: 'Localhost', localhostProfile: 'a.json' },
  },
  tolerations: [{ key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 300 }],
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      minDomains: 2,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      nodeAffinityPolicy: 'Honor',
      nodeTaintsPolicy: 'Ignore',
      labelSelector: selector,
      matchLabelKeys: ['c'],
    },
  ],
  volumes,
});

const spec = (part: object) => pod(part);
const mounted = (source: object) =>
  pod({ containers: [{ ...app, ...mount({}) }], volumes: [{ name: 'v', ...source }] });
const from = (valueFrom: object) => one({ env: [{ name: 'A', valueFrom }] });

/** Fields that nobody has, with the one that was meant. */
export const SLIPS: readonly Row[] = [
  ['of an init container', before({ imagePullPolcy: 'Always' }), `${I}.imagePullPolcy`, 'imagePullPolicy?'],
  [
    'deep within an init container',
    before({ securityContext: { runAsNonRoo: true } }),
    `${I}.securityContext.runAsNonRoo`,
    'runAsNonRoot?',
  ],
  [
    'of the security context',
    spec({ securityContext: { runAsNonRoo: true } }),
    'spec.securityContext.runAsNonRoo',
    'runAsNonRoot?',
  ],
  [
    'of an empty folder',
    mounted({ emptyDir: { sizelimit: '1Gi' } }),
    `${V}.emptyDir.sizelimit`,
    'sizeLimit?',
  ],
  [
    'of a claim',
    mounted({ persistentVolumeClaim: { claimName: 'c', readonly: true } }),
    `${V}.persistentVolumeClaim.readonly`,
    'readOnly?',
  ],
  [
    'of a driver',
    mounted({ csi: { driver: 'd', volumeAttribute: {} } }),
    `${V}.csi.volumeAttribute`,
    'volumeAttributes?',
  ],
  [
    'of a toleration',
    spec({ tolerations: [{ key: 'a', effect: 'NoExecute', value: 'b', tolerationSecond: 3 }] }),
    'spec.tolerations[0].tolerationSecond',
    'tolerationSeconds?',
  ],
  ['of an affinity', spec({ affinity: { nodeAffinty: {} } }), 'spec.affinity.nodeAffinty', 'nodeAffinity?'],
  [
    'of a spread',
    spec({
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'ScheduleAnyway', labelselector: {} },
      ],
    }),
    'spec.topologySpreadConstraints[0].labelselector',
    'labelSelector?',
  ],
  [
    'of an alias',
    spec({ hostAliases: [{ ip: '1.2.3.4', hostname: ['a'] }] }),
    'spec.hostAliases[0].hostname',
    'hostnames?',
  ],
  [
    'of the names',
    spec({ dnsConfig: { nameserver: ['1.2.3.4'] } }),
    'spec.dnsConfig.nameserver',
    'nameservers?',
  ],
  [
    'of where a variable is from',
    from({ fieldRef: { fieldPath: 'metadata.name', apiversion: 'v1' } }),
    `${C}.env[0].valueFrom.fieldRef.apiversion`,
    'apiVersion?',
  ],
];

/** Values of other types, which Go cannot read. */
export const MISTYPED: readonly Row[] = [
  [
    'text for a group',
    spec({ securityContext: { fsGroup: '1000' } }),
    'spec.securityContext.fsGroup',
    'must be a whole number: leave out the quotes',
  ],
  [
    'text for a time',
    spec({ tolerations: [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: '300' }] }),
    'spec.tolerations[0].tolerationSeconds',
    'leave out the quotes',
  ],
  ['a list for an affinity', spec({ affinity: [] }), 'spec.affinity', 'must be an object'],
  ['a number for an argument', before({ args: [3] }), `${I}.args[0]`, 'write "3" with quotes'],
  [
    'a number for a variable',
    before({ env: [{ name: 'A', value: 1 }] }),
    `${I}.env[0].value`,
    'write "1" with quotes',
  ],
  ['text for a list', spec({ dnsConfig: { searches: 'a.b' } }), 'spec.dnsConfig.searches', 'must be a list'],
  [
    'true for a name',
    volume({ persistentVolumeClaim: { claimName: true } }),
    `${V}.persistentVolumeClaim.claimName`,
    'quotes',
  ],
  [
    'text for true',
    volume({ persistentVolumeClaim: { claimName: 'c', readOnly: 'true' } }),
    `${V}.persistentVolumeClaim.readOnly`,
    'leave out the quotes',
  ],
];
