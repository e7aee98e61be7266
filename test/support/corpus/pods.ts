// Templates of Capps by what Knative says of their content: each is what one person could write.
// test/e2e/site/data-plane asks Knative's own webhook about all of them.

export interface Example {
  /** What is special about it. */
  readonly title: string;
  readonly template: { readonly metadata?: object; readonly spec: Readonly<Record<string, unknown>> };
  /** Of the spec of the Capp, beside the template. */
  readonly more?: object;
}

export interface Refused extends Example {
  /** Below the template, as the refusal names it. */
  readonly field: string;
  /** Of the refusal. */
  readonly words: string;
}

const app = { name: 'app', image: 'ghcr.io/example/app:v1' };
const side = { name: 'side', image: 'ghcr.io/example/side:v1' };
const init = { name: 'init', image: 'ghcr.io/example/init:v1' };
const serving = { ...app, ports: [{ containerPort: 8080 }] };

const pod = (spec: object) => ({ spec: { containers: [app], ...spec } });
const one = (more: object) => pod({ containers: [{ ...app, ...more }] });
const two = (more: object) => pod({ containers: [serving, { ...side, ...more }] });
const before = (more: object) => pod({ initContainers: [{ ...init, ...more }] });
const marked = (annotations: object) => ({ metadata: { annotations }, ...pod({}) });
const port = (more: object) => one({ ports: [{ containerPort: 8080, ...more }] });
const mount = (more: object) => ({ volumeMounts: [{ name: 'v', mountPath: '/data', ...more }] });
const volume = (source: object, more: object = {}) => ({
  ...one(mount(more)),
  spec: { containers: [{ ...app, ...mount(more) }], volumes: [{ name: 'v', ...source }] },
});
const mountedAt = (mountPath: string) => volume({ emptyDir: {} }, { mountPath });
const projected = (source: object) => volume({ projected: { sources: [source] } });
const config = { configMap: { name: 'settings' } };
const ready = (readinessProbe: object) => one({ readinessProbe });

type Row = readonly [title: string, template: Example['template'], field: string, words: string];

const C = 'spec.containers[0]';
const I = 'spec.initContainers[0]';
const V = 'spec.volumes[0]';

const ROWS: readonly Row[] = [
  ...[8008, 8012, 8013, 8022, 9090, 9091].map((number): Row => [
    `a port of Knative's own: ${number}`,
    one({ ports: [{ containerPort: number }] }),
    `${C}.ports[0].containerPort`,
    `Knative itself listens on ${number}`,
  ]),
  [
    'a port that there is not',
    one({ ports: [{ containerPort: 65_536 }] }),
    `${C}.ports[0].containerPort`,
    'from 1 to 65535',
  ],
  ['a port of UDP', port({ protocol: 'UDP' }), `${C}.ports[0].protocol`, 'only TCP'],
  [
    'a port with a name of its own',
    port({ name: 'web' }),
    `${C}.ports[0].name`,
    '"web" says nothing to Knative',
  ],
  ['the port http', port({ name: 'http' }), `${C}.ports[0].name`, 'h2c (HTTP/2 without TLS) and http1'],
  [
    'two ports',
    one({ ports: [{ containerPort: 80 }, { containerPort: 81 }] }),
    `${C}.ports[1]`,
    'one port over all',
  ],
  [
    'a port in each container',
    two({ ports: [{ containerPort: 81 }] }),
    'spec.containers[1].ports[0]',
    'one port over all',
  ],
  [
    'several containers without a port',
    pod({ containers: [app, side] }),
    'spec.containers',
    'one must have a port',
  ],
  [
    'a port of Knative’s own in an init container',
    before({ ports: [{ containerPort: 8012 }] }),
    `${I}.ports[0].containerPort`,
    'listens on 8012',
  ],
  ...['PORT', 'K_SERVICE', 'K_CONFIGURATION', 'K_REVISION'].map((name): Row => [
    `the variable ${name}`,
    one({ env: [{ name, value: '1' }] }),
    `${C}.env[0].name`,
    `Knative sets ${name} itself`,
  ]),
  [
    'a variable of Knative beside the app',
    two({ env: [{ name: 'K_SERVICE', value: '1' }] }),
    'spec.containers[1].env[0].name',
    'K_SERVICE',
  ],
  [
    'a variable of Knative before the app',
    before({ env: [{ name: 'K_REVISION', value: '1' }] }),
    `${I}.env[0].name`,
    'K_REVISION',
  ],
  [
    'PORT where several run',
    pod({ containers: [{ ...serving, env: [{ name: 'PORT', value: '1' }] }, side] }),
    `${C}.env[0].name`,
    'containerPort',
  ],
  [
    'variables from nowhere',
    one({ envFrom: [{ prefix: 'A_' }] }),
    `${C}.envFrom[0]`,
    'configMapRef or secretRef',
  ],
  [
    'variables from two places',
    one({ envFrom: [{ configMapRef: { name: 'a' }, secretRef: { name: 'b' } }] }),
    `${C}.envFrom[0]`,
    'an entry for each',
  ],
  [
    'the name queue-proxy',
    pod({ containers: [{ ...app, name: 'queue-proxy' }] }),
    `${C}.name`,
    'another name',
  ],
  ['the name queue-proxy before the app', before({ name: 'queue-proxy' }), `${I}.name`, 'another name'],
  ['one name twice', before({ name: 'app' }), `${I}.name`, 'the name of another container'],
  ...[
    'ghcr.io/Me/app:v1',
    'app:v1:v2',
    '${IMAGE}',
    'app@sha256:12',
    'my app',
    'a:b/app',
    'app:' + 'v'.repeat(129),
  ].map((image): Row => [
    `the image ${image.slice(0, 30)}`,
    one({ image }),
    `${C}.image`,
    'no name of an image',
  ]),
  [
    'an init container without an image',
    pod({ initContainers: [{ name: 'init' }] }),
    `${I}.image`,
    'what to run',
  ],
  [
    'a policy that there is not',
    one({ terminationMessagePolicy: 'Stdout' }),
    `${C}.terminationMessagePolicy`,
    'File or FallbackToLogsOnError',
  ],
  [
    'a user below 0',
    one({ securityContext: { runAsUser: -1 } }),
    `${C}.securityContext.runAsUser`,
    'from 0 to 2147483647',
  ],
  [
    'a group that is too high',
    pod({ securityContext: { supplementalGroups: [2 ** 31] } }),
    'spec.securityContext.supplementalGroups[0]',
    'from 0 to 2147483647',
  ],
  [
    'an account that there cannot be',
    pod({ serviceAccountName: 'My_Account' }),
    'spec.serviceAccountName',
    'no name of a ServiceAccount',
  ],
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
    'must be written',
  ],
  [
    'a path without a key',
    volume({ secret: { secretName: 'a', items: [{ path: 'p' }] } }),
    `${V}.secret.items[0].key`,
    'must be written',
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
    'must be written',
  ],
  [
    'a token projected nowhere',
    projected({ serviceAccountToken: { audience: 'a' } }),
    `${V}.projected.sources[0].serviceAccountToken.path`,
    'must be written',
  ],
  [
    'a fact of nothing projected',
    projected({ downwardAPI: { items: [{ path: 'a' }] } }),
    `${V}.projected.sources[0].downwardAPI.items[0]`,
    'fieldRef and resourceFieldRef',
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
  [
    'a probe that asks nothing',
    one({ livenessProbe: { periodSeconds: 5 } }),
    `${C}.livenessProbe`,
    'must say how it asks',
  ],
  [
    'a probe that asks twice',
    one({ startupProbe: { exec: { command: ['a'] }, tcpSocket: {} } }),
    `${C}.startupProbe`,
    'asks in several ways',
  ],
  [
    'a probe at a port without such a name',
    ready({ httpGet: { path: '/', port: 'web' } }),
    `${C}.readinessProbe.httpGet.port`,
    'write "http"',
  ],
  [
    'a probe at a number in quotes',
    one({ livenessProbe: { tcpSocket: { port: '8080' } } }),
    `${C}.livenessProbe.tcpSocket.port`,
    'without quotes',
  ],
  [
    'a probe at no port beside the app',
    two({ readinessProbe: { httpGet: { path: '/' } } }),
    'spec.containers[1].readinessProbe.httpGet.port',
    'must be written',
  ],
  [
    'a readiness probe beside the app that asks nothing',
    two({ readinessProbe: { periodSeconds: 5 } }),
    'spec.containers[1].readinessProbe',
    'must say how it asks',
  ],
  [
    'a readiness probe that fails without a period',
    ready({ failureThreshold: 3 }),
    `${C}.readinessProbe.failureThreshold`,
    'only with periodSeconds',
  ],
  [
    'a readiness probe that times out without a period',
    ready({ httpGet: { path: '/' }, timeoutSeconds: 1 }),
    `${C}.readinessProbe.timeoutSeconds`,
    'only with periodSeconds',
  ],
  [
    'a readiness probe before its time',
    ready({ initialDelaySeconds: -1 }),
    `${C}.readinessProbe.initialDelaySeconds`,
    'not be below 0',
  ],
  [
    'a readiness probe that fails too little',
    ready({ periodSeconds: 5, failureThreshold: -1 }),
    `${C}.readinessProbe.failureThreshold`,
    'not be below 0',
  ],
  [
    'a probe of an init container',
    before({ livenessProbe: { tcpSocket: { port: 1 } } }),
    `${I}.livenessProbe`,
    'take it out',
  ],
  ['a hook of an init container', before({ lifecycle: {} }), `${I}.lifecycle`, 'take it out'],
  ['an init container that stays', before({ restartPolicy: 'Always' }), `${I}.restartPolicy`, 'take it out'],
  [
    'an annotation of Knative that there is not',
    marked({ 'networking.knative.dev/speed': 'high' }),
    'metadata.annotations[networking.knative.dev/speed]',
    'no such annotation',
  ],
  [
    'a deadline that is no time',
    marked({ 'serving.knative.dev/progress-deadline': 'soon' }),
    'metadata.annotations[serving.knative.dev/progress-deadline]',
    'such as 30s',
  ],
  [
    'a deadline of a fraction',
    marked({ 'serving.knative.dev/progress-deadline': '1.5s' }),
    'metadata.annotations[serving.knative.dev/progress-deadline]',
    'whole seconds',
  ],
  [
    'a share above the whole',
    marked({ 'queue.sidecar.serving.knative.dev/resourcePercentage': '101' }),
    'metadata.annotations[queue.sidecar.serving.knative.dev/resourcePercentage]',
    'from 0.1 to 100',
  ],
  [
    'a share that is no number',
    marked({ 'queue.sidecar.serving.knative.dev/resource-percentage': 'all' }),
    'metadata.annotations[queue.sidecar.serving.knative.dev/resource-percentage]',
    'from 0.1 to 100',
  ],
  [
    'a quantity that is none',
    marked({ 'queue.sidecar.serving.knative.dev/cpu-resource-request': 'much' }),
    'metadata.annotations[queue.sidecar.serving.knative.dev/cpu-resource-request]',
    'no quantity',
  ],
];

export const REFUSED: readonly Refused[] = ROWS.map(([title, template, field, words]) => ({
  title,
  template,
  field,
  words,
}));

const nfs = {
  volumesSpec: { nfsVolumes: [{ name: 'v', server: 's', path: '/a', capacity: { storage: '1Gi' } }] },
};

export const TAKEN: readonly Example[] = [
  { title: 'a port that looks like one of Knative', template: port({ containerPort: 8112 }) },
  { title: 'a port of HTTP/2', template: port({ name: 'h2c', protocol: 'TCP' }) },
  { title: 'a port without a number', template: one({ ports: [{ containerPort: 0, name: 'http1' }] }) },
  { title: 'a container beside the app with PORT', template: two({ env: [{ name: 'PORT', value: '1' }] }) },
  {
    title: 'an init container with PORT and ports',
    template: before({
      env: [{ name: 'PORT', value: '1' }],
      ports: [
        { containerPort: 1, name: 'a', protocol: 'UDP' },
        { containerPort: 2, name: 'b' },
      ],
    }),
  },
  { title: 'a variable in lower case', template: one({ env: [{ name: 'port', value: '1' }] }) },
  ...[
    'app',
    'me/app',
    'ghcr.io/me/app',
    'localhost:5000/app:v1',
    'localhost/app',
    'app@sha256:' + 'a'.repeat(64),
    'ghcr.io/me/app:v1@sha256:' + 'a'.repeat(64),
    '[::1]:5000/app',
    'reg:5000/a/b.c__d',
    'REG.example.com/app:V_1',
    'app:',
  ].map((image) => ({ title: `the image ${image.slice(0, 30)}`, template: one({ image }) })),
  ...['/tmp', '/var', '/var/log', '/devices', '/dev/shm', '/data/'].map((path) => ({
    title: `a mount at ${path}`,
    template: mountedAt(path),
  })),
  { title: 'a ConfigMap mounted to be written', template: volume(config, { readOnly: false }) },
  {
    title: 'a ConfigMap that an init container reads',
    template: pod({
      initContainers: [{ ...init, ...mount({ readOnly: true }) }],
      volumes: [{ name: 'v', ...config }],
    }),
  },
  {
    title: 'a directory that an init container fills',
    template: pod({
      initContainers: [{ ...init, ...mount({}) }],
      volumes: [{ name: 'v', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }],
    }),
  },
  {
    title: 'a claim',
    template: volume({ persistentVolumeClaim: { claimName: 'c' } }, { mountPropagation: 'HostToContainer' }),
  },
  {
    title: 'a claim to be read',
    template: volume({ persistentVolumeClaim: { claimName: 'c', readOnly: true } }, { readOnly: true }),
  },
  { title: 'a volume of Cappstan', template: one(mount({})), more: nfs },
  {
    title: 'one path in two containers',
    template: pod({
      containers: [
        { ...serving, ...mount({}) },
        { ...side, ...mount({}) },
      ],
      volumes: [{ name: 'v', emptyDir: {} }],
    }),
  },
  {
    title: 'everything that can be projected',
    template: volume({
      projected: {
        sources: [
          { configMap: { name: 'a', items: [{ key: 'k', path: 'p' }] } },
          { secret: { name: 'b' } },
          { serviceAccountToken: { path: 't' } },
          { downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] } },
        ],
      },
    }),
  },
  { title: 'a readiness probe that Knative completes', template: ready({}) },
  {
    title: 'a readiness probe by times alone',
    template: ready({ periodSeconds: 5, timeoutSeconds: 2, failureThreshold: 4 }),
  },
  {
    title: 'a probe at the port of the app by its name',
    template: one({
      ports: [{ containerPort: 80, name: 'h2c' }],
      livenessProbe: { tcpSocket: { port: 'h2c' } },
    }),
  },
  { title: 'a probe at a port without a name', template: ready({ httpGet: { path: '/', port: 'http' } }) },
  { title: 'a probe at another number', template: ready({ httpGet: { path: '/', port: 9000 } }) },
  {
    title: 'a probe beside the app',
    template: two({
      livenessProbe: { tcpSocket: { port: 90 } },
      readinessProbe: { exec: { command: ['ls'] } },
    }),
  },
  { title: 'a user that is root', template: one({ securityContext: { runAsUser: 0 } }) },
  { title: 'an account with a dot', template: pod({ serviceAccountName: 'team.app' }) },
  {
    title: 'a deadline',
    template: marked({
      'serving.knative.dev/progress-deadline': '1m30s',
      'networking.knative.dev/http-protocol': 'Redirected',
    }),
  },
  {
    title: 'a private app by an annotation of its template',
    template: marked({ 'networking.knative.dev/visibility': 'cluster-local' }),
  },
  {
    title: 'shares and quantities',
    template: marked({
      'queue.sidecar.serving.knative.dev/resource-percentage': '20',
      'queue.sidecar.serving.knative.dev/memory-resource-limit': '64Mi',
    }),
  },
];
