// Volumes and mounts that Knative refuses.
import {
  type Row,
  app,
  init,
  pod,
  one,
  mount,
  volume,
  mountedAt,
  projected,
  config,
  C,
  I,
  V,
} from './examples.ts';

export const VOLUMES: readonly Row[] = [
  ...['/', '/dev', '/dev/log', '/dev/', '/a/..'].map((path): Row => [
    `a mount at ${path}`,
    mountedAt(path),
    `${C}.volumeMounts[0].mountPath`,
    'nothing may be mounted at',
  ]),
  ['a mount at a path from nowhere', mountedAt('data'), `${C}.volumeMounts[0].mountPath`, 'begin with "/"'],
  [
    'two mounts at one path',
    pod({
      containers: [
        {
          ...app,
          volumeMounts: [
            { name: 'v', mountPath: '/a' },
            { name: 'v', mountPath: '/a/' },
          ],
        },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    }),
    `${C}.volumeMounts[1].mountPath`,
    'another mount',
  ],
  ['a mount of no volume', one(mount({})), `${C}.volumeMounts[0].name`, 'there is no volume "v"'],
  [
    'a volume that nobody mounts',
    pod({ volumes: [{ name: 'v', emptyDir: {} }] }),
    `${V}.name`,
    'no container mounts "v"',
  ],
  [
    'a mount that spreads to the node',
    volume({ emptyDir: {} }, { mountPropagation: 'Bidirectional' }),
    `${C}.volumeMounts[0].mountPropagation`,
    'None or HostToContainer',
  ],
  [
    'a claim to be read, mounted to be written',
    volume({ persistentVolumeClaim: { claimName: 'c', readOnly: true } }),
    `${C}.volumeMounts[0].readOnly`,
    'must be true',
  ],
  [
    'a ConfigMap that an init container could write',
    pod({ initContainers: [{ ...init, ...mount({}) }], volumes: [{ name: 'v', ...config }] }),
    `${I}.volumeMounts[0].readOnly`,
    'must be true',
  ],
  ['a volume of nothing', volume({}), V, 'has nothing in it'],
  [
    'a volume of two things',
    volume({ emptyDir: {}, ...config }),
    V,
    'has several sources, configMap and emptyDir',
  ],
  [
    'a volume with an odd name',
    pod({
      containers: [{ ...app, volumeMounts: [{ name: 'My_V', mountPath: '/data' }] }],
      volumes: [{ name: 'My_V', emptyDir: {} }],
    }),
    `${V}.name`,
    'lower-case',
  ],
  [
    'a key without a path',
    volume({ configMap: { name: 'a', items: [{ key: 'k' }] } }),
    `${V}.configMap.items[0].path`,
    'is missing',
  ],
  [
    'a path without a key',
    volume({ secret: { secretName: 'a', items: [{ path: 'p' }] } }),
    `${V}.secret.items[0].key`,
    'is missing',
  ],
  ['nothing projected', projected({}), `${V}.projected.sources[0]`, 'an entry for each'],
  [
    'two things projected as one',
    projected({ configMap: { name: 'a' }, secret: { name: 'b' } }),
    `${V}.projected.sources[0]`,
    'an entry for each',
  ],
  [
    'a nameless Secret projected',
    projected({ secret: {} }),
    `${V}.projected.sources[0].secret.name`,
    'is missing',
  ],
  [
    'a token projected nowhere',
    projected({ serviceAccountToken: { audience: 'a' } }),
    `${V}.projected.sources[0].serviceAccountToken.path`,
    'is missing',
  ],
  [
    'a fact of nothing projected',
    projected({ downwardAPI: { items: [{ path: 'a' }] } }),
    `${V}.projected.sources[0].downwardAPI.items[0]`,
    'fieldRef or resourceFieldRef',
  ],
  [
    'memory that is misspelt',
    volume({ emptyDir: { medium: 'RAM' } }),
    `${V}.emptyDir.medium`,
    'must be Memory',
  ],
  [
    'less than no room',
    volume({ emptyDir: { sizeLimit: '-1Gi' } }),
    `${V}.emptyDir.sizeLimit`,
    'not be below 0',
  ],
];
