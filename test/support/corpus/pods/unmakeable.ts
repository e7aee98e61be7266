// What Knative takes of a Pod and Kubernetes does not, and what both take beside it. The activity test asks a
// real API server for each by a Pod in a dry run.
import { before, C, I, one, pod, two, type Row, V, volume } from './examples.ts';

const long = (count: number): string => 'a'.repeat(count);
const T = 'spec.tolerations[0]';
const labelled = (labels: object) => ({ metadata: { labels }, ...pod({}) });
const noted = (annotations: object) => ({ metadata: { annotations }, ...pod({}) });
const env = (...variables: object[]) => one({ env: variables });
const from = (valueFrom: object, more: object = {}) => env({ name: 'A', valueFrom, ...more });
const key = (text: string) => from({ secretKeyRef: { name: 's', key: text } });
const item = (more: object) =>
  volume({ configMap: { name: 's', items: [{ key: 'k', path: 'p', ...more }] } });
const token = (more: object) =>
  volume({ projected: { sources: [{ serviceAccountToken: { path: 't', ...more } }] } });
const K = `${V}.projected.sources[0].serviceAccountToken`;
const tolerating = (toleration: object) => pod({ tolerations: [toleration] });
const AT = { path: '/', port: 8080 };
const L = `${C}.livenessProbe`;
const live = (probe: object) => one({ livenessProbe: probe });
const within = (subPath: string) => volume({ emptyDir: {} }, { subPath });

export const UNMAKEABLE: readonly Row[] = [
  ['a name with an underscore', one({ name: 'App_1' }), `${C}.name`, 'lower-case letters'],
  ['a name of 64 letters', one({ name: long(64) }), `${C}.name`, 'at most 63'],
  ['a name of an init container with a capital', before({ name: 'Init' }), `${I}.name`, 'lower-case'],
  ['two containers of one name', two({ name: 'app' }), 'spec.containers[1].name', 'another name'],
  ['a variable with =', env({ name: 'A=B' }), `${C}.env[0].name`, 'without "="'],
  ['a variable of another alphabet', env({ name: 'É' }), `${C}.env[0].name`, 'can be printed'],
  ['a variable without a name', env({ name: '', value: 'x' }), `${C}.env[0].name`, 'can be printed'],
  [
    'a variable with two values',
    from({ secretKeyRef: { name: 's', key: 'k' } }, { value: 'x' }),
    `${C}.env[0].valueFrom`,
    'only one of them',
  ],
  ['a variable from nowhere', from({}), `${C}.env[0].valueFrom`, 'one source'],
  [
    'a variable from two sources',
    from({ secretKeyRef: { name: 's', key: 'k' }, configMapKeyRef: { name: 's', key: 'k' } }),
    `${C}.env[0].valueFrom`,
    'one source',
  ],
  ['a key with a space', key('a b'), `${C}.env[0].valueFrom.secretKeyRef.key`, 'letters, digits'],
  ['a key that begins with two dots', key('..a'), `${C}.env[0].valueFrom.secretKeyRef.key`, '"..a"'],
  [
    'a Secret with a capital',
    from({ secretKeyRef: { name: 'S', key: 'k' } }),
    `${C}.env[0].valueFrom.secretKeyRef.name`,
    'lower-case',
  ],
  [
    'a prefix with =',
    one({ envFrom: [{ prefix: 'A=', secretRef: { name: 's' } }] }),
    `${C}.envFrom[0].prefix`,
    'without "="',
  ],
  ['a scheme in lower case', live({ httpGet: { ...AT, scheme: 'https' } }), `${L}.httpGet.scheme`, 'HTTPS'],
  ['a probe that runs nothing', live({ exec: {} }), `${L}.exec.command`, 'its arguments'],
  ['a probe before its time', live({ httpGet: AT, periodSeconds: -1 }), `${L}.periodSeconds`, 'below 0'],
  ['a probe that must pass twice', live({ httpGet: AT, successThreshold: 2 }), `${L}.successThreshold`, '1'],
  [
    'a scheme that there is not beside the app',
    two({ readinessProbe: { httpGet: { ...AT, scheme: 'grpc' } } }),
    'spec.containers[1].readinessProbe.httpGet.scheme',
    'HTTPS',
  ],
  ['a pull policy in lower case', one({ imagePullPolicy: 'always' }), `${C}.imagePullPolicy`, 'IfNotPresent'],
  ['a part of a volume above it', within('a/../x'), `${C}.volumeMounts[0].subPath`, 'within the volume'],
  ['a part of a volume from the root', within('/x'), `${C}.volumeMounts[0].subPath`, 'within the volume'],
  ['an item at a whole path', item({ path: '/abs' }), `${V}.configMap.items[0].path`, 'within the volume'],
  ['an item above its volume', item({ path: 'a/../b' }), `${V}.configMap.items[0].path`, 'within'],
  ['an item whose path begins with two dots', item({ path: '..a' }), `${V}.configMap.items[0].path`, '..'],
  ['an item with a decimal mode', item({ mode: 644 }), `${V}.configMap.items[0].mode`, '0644'],
  [
    'files with a decimal mode',
    volume({ secret: { secretName: 's', defaultMode: 644 } }),
    `${V}.secret.defaultMode`,
    '0644',
  ],
  [
    'projected files with a decimal mode',
    volume({ projected: { defaultMode: 644, sources: [{ configMap: { name: 's' } }] } }),
    `${V}.projected.defaultMode`,
    '0644',
  ],
  ['a token of five minutes', token({ expirationSeconds: 300 }), `${K}.expirationSeconds`, 'from 600 to'],
  [
    'a token that never ends',
    token({ expirationSeconds: 2 ** 32 + 1 }),
    `${K}.expirationSeconds`,
    'from 600 to',
  ],
  ['a token above its volume', token({ path: '../t' }), `${K}.path`, 'within the volume'],
  ['an operator that is none', tolerating({ key: 'a', operator: 'Equals' }), `${T}.operator`, 'Exists'],
  ['a toleration without a key', tolerating({ value: 'a' }), `${T}.operator`, 'name the key'],
  ['a toleration by a key with a space', tolerating({ key: 'a b' }), `${T}.key`, 'is no key'],
  ['a toleration of a long value', tolerating({ key: 'a', value: long(64) }), `${T}.value`, '63'],
  [
    'a toleration with Exists and a value',
    tolerating({ key: 'a', operator: 'Exists', value: 'b' }),
    `${T}.value`,
    'take it out',
  ],
  ['a toleration of no effect', tolerating({ key: 'a', effect: 'Never' }), `${T}.effect`, 'NoExecute'],
  [
    'a time for no eviction',
    tolerating({ key: 'a', effect: 'NoSchedule', tolerationSeconds: 3 }),
    `${T}.effect`,
    'NoExecute',
  ],
  ['a label with a space', labelled({ team: 'My Team' }), 'metadata.labels[team]', '"My Team"'],
  ['a label of 64 letters', labelled({ team: long(64) }), 'metadata.labels[team]', '63'],
  ['a key of a label with a space', labelled({ 'my team': 'x' }), 'metadata.labels[my team]', 'is no key'],
  ['a key with a capital domain', labelled({ 'Ex.com/a': 'x' }), 'metadata.labels[Ex.com/a]', 'is no key'],
  ['an annotation with a space', noted({ 'my team': 'x' }), 'metadata.annotations[my team]', 'is no key'],
  ['an annotation with two slashes', noted({ 'a/b/c': 'x' }), 'metadata.annotations[a/b/c]', 'is no key'],
  ['a node by a value with a space', pod({ nodeSelector: { a: 'b c' } }), 'spec.nodeSelector[a]', '"b c"'],
];

const file = (item: object) =>
  volume({ projected: { sources: [{ downwardAPI: { items: [{ path: 'p', ...item }] } }] } });
const F = `${V}.projected.sources[0].downwardAPI.items[0]`;
const asking = (requests: object, more: object = {}) => one({ resources: { requests, ...more } });

/** What of itself a Pod cannot be told, and amounts that there are not. */
export const UNTOLD: readonly Row[] = [
  [
    'a variable of a field that no Pod is told',
    from({ fieldRef: { fieldPath: 'metadata.foo' } }),
    `${C}.env[0].valueFrom.fieldRef.fieldPath`,
    'metadata.name',
  ],
  [
    'a variable of all labels',
    from({ fieldRef: { fieldPath: 'metadata.labels' } }),
    `${C}.env[0].valueFrom.fieldRef.fieldPath`,
    "metadata.labels['app']",
  ],
  [
    'a variable of a resource that there is not',
    from({ resourceFieldRef: { resource: 'limits.gpu' } }),
    `${C}.env[0].valueFrom.resourceFieldRef.resource`,
    'limits.cpu',
  ],
  [
    'a file of an address',
    file({ fieldRef: { fieldPath: 'status.podIP' } }),
    `${F}.fieldRef.fieldPath`,
    'metadata.labels or metadata.annotations',
  ],
  ['memory below 0', asking({ memory: '-1Mi' }), `${C}.resources.requests.memory`, 'below 0'],
  ['cpu below 0', asking({ cpu: -1 }), `${C}.resources.requests.cpu`, 'below 0'],
  [
    'a device without a domain',
    asking({}, { limits: { gpu: 1 } }),
    `${C}.resources.limits.gpu`,
    'nvidia.com/gpu',
  ],
];

/** The same that can be: `UNREADABLE` cannot even be read as a Pod. */
export const TOLD: readonly (readonly [title: string, template: Row[1]])[] = [
  ...['metadata.uid', "metadata.labels['a/b']", 'spec.nodeName', 'spec.host', 'status.hostIPs'].map(
    (fieldPath) => [`a variable of ${fieldPath}`, from({ fieldRef: { fieldPath } })] as const,
  ),
  ['a variable of a share', from({ resourceFieldRef: { resource: 'requests.memory' } })],
  ['a file of labels', file({ fieldRef: { fieldPath: 'metadata.labels' } })],
  ['a file of one annotation', file({ fieldRef: { fieldPath: "metadata.annotations['a']" } })],
  ['a device', one({ resources: { limits: { 'nvidia.com/gpu': 1, memory: '1.5Gi' } } })],
];

export const UNREADABLE: readonly Row[] = [
  [
    'memory in letters that mean nothing',
    asking({ memory: '64mb' }),
    `${C}.resources.requests.memory`,
    '64Mi',
  ],
  ['cpu with a letter too many', asking({ cpu: '100mm' }), `${C}.resources.requests.cpu`, '100m'],
];

export const MAKEABLE: readonly (readonly [title: string, template: Row[1]])[] = [
  ['a name of 63 letters', one({ name: long(63) })],
  ['variables of odd names', env({ name: '1A', value: 'x' }, { name: 'a b', value: 'x' }, { name: 'a.b-c' })],
  [
    'a variable that is there twice in an init container',
    before({
      env: [
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
      ],
    }),
  ],
  [
    'a variable with an empty value beside its source',
    from({ secretKeyRef: { name: 's', key: 'k' } }, { value: '' }),
  ],
  ['a key with dots', key('.a..b_c-D')],
  ['a prefix', one({ envFrom: [{ prefix: '1 ', secretRef: { name: 's' } }] })],
  ['a policy', one({ imagePullPolicy: 'Never' })],
  ['a mount with a colon', volume({ emptyDir: {} }, { mountPath: '/a:b' })],
  ['a part of a volume with dots', within('..a/b..')],
  ['an item with dots', item({ path: 'a/..b', mode: 0o644 })],
  ['a token of ten minutes', token({ expirationSeconds: 600 })],
  ['the highest mode', volume({ secret: { secretName: 's', defaultMode: 511 } })],
  ['a toleration of all', tolerating({ operator: 'Exists' })],
  [
    'a toleration for a while',
    tolerating({ key: 'a/b', value: 'c', effect: 'NoExecute', tolerationSeconds: 3 }),
  ],
  ['labels', labelled({ 'example.com/Team': 'My.Team_1', tier: '' })],
  ['an annotation with capitals', noted({ 'Example.com/Team': 'My Team' })],
  ['a node', pod({ nodeSelector: { 'example.com/disk': 'ssd' } })],
];
