// What Knative takes.
import {
  type Example,
  side,
  init,
  serving,
  pod,
  one,
  two,
  before,
  marked,
  port,
  mount,
  volume,
  mountedAt,
  config,
  ready,
} from './examples.ts';

const nfs = {
  volumesSpec: { nfsVolumes: [{ name: 'v', server: 's', path: '/a', capacity: { storage: '1Gi' } }] },
};

/**
 * Knative's webhook asks for a Pod of an example by a dry run, and a Pod is refused without its
 * ServiceAccount.
 */
export const DOTTED_ACCOUNT = 'team.app';

export const ACCEPTED: readonly Example[] = [
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
  {
    title: 'a deadline',
    template: marked({
      'serving.knative.dev/progress-deadline': '1m30s',
      'networking.knative.dev/http-protocol': 'Redirected',
    }),
  },
  {
    title: 'a slow rollout',
    template: pod({}),
    annotations: {
      'serving.knative.dev/rollout-duration': '1m30s',
      'networking.knative.dev/http-protocol': 'redirected',
    },
  },
  { title: 'an account with a dot', template: pod({ serviceAccountName: DOTTED_ACCOUNT }) },
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
