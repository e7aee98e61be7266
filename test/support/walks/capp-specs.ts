// Random valid Capps, of every field that a site makes something of.
import { PATHS } from '../../../admission/router.ts';
import { asked, judged, said } from '../builders/admission.ts';
import type { Random } from '../builders/random.ts';
import { scalingAnnotations } from './scaling-annotations.ts';
import { maybe, some, valid } from './walks.ts';

export interface Written {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: object;
}

/** Accepted by the webhook of a hub, also as an edit of `before`. */
export function aValidCapp(dice: Random, tag: string, before: Written | null = null): Written {
  return valid(
    () => someCapp(dice, tag),
    (made) => said(judged(PATHS.validateCapp, asked(asCapp(made), before && asCapp(before))).problems),
  );
}

export function asCapp({ labels, annotations, spec }: Written, name = 'app', namespace = 'apps'): object {
  return {
    apiVersion: 'rcs.dana.io/v1alpha1',
    kind: 'Capp',
    metadata: { namespace, name, labels, annotations },
    spec,
  };
}

const VISIBILITY = 'networking.knative.dev/visibility';

function someCapp(dice: Random, tag: string): Written {
  const volumes = some(dice, 0.3, ['one', 'two', 'three']);
  return {
    labels: {
      ...maybe(dice, 0.4, () => ({ team: dice.pick(['red', 'blue']) })),
      ...maybe(dice, 0.1, () => ({ [VISIBILITY]: 'cluster-local' })),
    },
    annotations: { ...maybe(dice, 0.4, () => ({ note: dice.pick(['a', 'b']) })), ...ofKnative(dice) },
    spec: {
      state: dice.pick(['enabled', 'enabled', 'enabled', 'disabled']),
      scaleMetric: dice.pick(['concurrency', 'cpu', 'memory', 'rps']),
      ...maybe(dice, 0.5, () => ({ scaleSpec: scaling(dice) })),
      configurationSpec: { template: template(dice, tag, volumes) },
      ...maybe(dice, 0.6, () => ({ routeSpec: route(dice, tag) })),
      ...(volumes.length === 0
        ? {}
        : { volumesSpec: { nfsVolumes: volumes.map((name) => nfs(dice, name, tag)) } }),
      ...maybe(dice, 0.4, () => ({ logSpec: log(dice) })),
      ...maybe(dice, 0.5, () => ({ eventSourcesSpec: { sources: sources(dice) } })),
      ...maybe(dice, 0.2, () => ({ minReplicas: dice.pick([0, 1]) })),
      ...maybe(dice, 0.3, () => ({ requires: requires(dice) })),
      ...maybe(dice, 0.3, () => ({ migration: migration(dice) })),
    },
  };
}

/** What Knative reads of a Service. */
function ofKnative(dice: Random): Record<string, string> {
  return {
    ...maybe(dice, 0.15, () => ({ 'serving.knative.dev/rollout-duration': dice.pick(['0s', '2m']) })),
    ...maybe(dice, 0.1, () => ({ 'networking.knative.dev/http-protocol': 'Redirected' })),
    ...maybe(dice, 0.1, () => ({ 'networking.knative.dev/ingress-class': 'own.example.com' })),
  };
}

function requires(dice: Random): object {
  const zone = dice.pick<object>([
    { key: 'zone', operator: dice.pick(['Exists', 'DoesNotExist']) },
    { key: 'zone', operator: dice.pick(['In', 'NotIn']), values: ['a', 'b'] },
  ]);
  return {
    ...maybe(dice, 0.7, () => ({ labels: { matchLabels: { tier: dice.pick(['gold', 'silver']) } } })),
    ...maybe(dice, 0.5, () => ({ claims: { matchExpressions: [zone] } })),
  };
}

function migration(dice: Random): object {
  const strategy = maybe(dice, 0.5, () => ({ strategy: dice.pick(['MakeBeforeBreak', 'Recreate']) }));
  return {
    policy: dice.pick(['Evacuate', 'Follow', 'Manual']),
    ...strategy,
    ...maybe(dice, 0.5, () => ({ deadlineSeconds: dice.pick([60, 900]) })),
    ...maybe(dice, 0.2, () => ({ stabilisationSeconds: dice.pick([0, 600]) })),
    ...maybe(dice, 0.2, () => ({ cooldownSeconds: dice.pick([0, 600]) })),
    ...maybe(dice, 0.2, () => ({ failback: dice.pick(['Never', 'Manual']) })),
    ...maybe(dice, 0.2, () => ({ hostname: dice.pick(['Wait', 'Ignore']) })),
    ...(strategy.strategy === 'Recreate' ? {} : watched(dice)),
  };
}

/** Not with Recreate, which has no copy to go back to. */
function watched(dice: Random): object {
  const restarts = maybe(dice, 0.5, () => ({ restarts: 3 }));
  return {
    ...maybe(dice, 0.3, () => ({ unhealthy: { afterSeconds: 60, ...restarts } })),
    ...maybe(dice, 0.3, () => ({ verify: [{ name: 'up', http: { path: dice.pick(['/', '/up']) } }] })),
  };
}

function scaling(dice: Random): object {
  return {
    ...maybe(dice, 0.5, () => ({ minReplicas: dice.pick([0, 1, 2]) })),
    ...maybe(dice, 0.5, () => ({ maxReplicas: dice.pick([2, 3, 10]) })),
    ...maybe(dice, 0.4, () => ({ scaleDelaySeconds: dice.pick([0, 30, 90]) })),
    ...maybe(dice, 0.2, () => ({ metric: dice.pick(['concurrency', 'cpu', 'rps']) })),
  };
}

function template(dice: Random, tag: string, volumes: readonly string[]): object {
  const annotations = {
    ...maybe(dice, 0.5, () => scalingAnnotations(dice, 0.12)),
    ...maybe(dice, 0.1, () => ({ 'queue.sidecar.serving.knative.dev/cpu-resource-request': '50m' })),
    ...maybe(dice, 0.3, () => ({ 'example.com/note': dice.pick(['a', 'b']) })),
  };
  const more = maybe(dice, 0.3, () => ({ name: 'side', image: 'ghcr.io/example/side:v1' }));
  const files = some(dice, 0.3, [
    { name: 'config', configMap: { name: 'settings' } },
    { name: 'keys', secret: { secretName: 'keys', defaultMode: 256 } },
    { name: 'scratch', emptyDir: dice.pick<object>([{}, { sizeLimit: '1Gi' }, { medium: 'Memory' }]) },
    { name: 'all', projected: { sources: [{ configMap: { name: dice.pick(['settings', 'more']) } }] } },
  ]);
  const mounts = [
    ...volumes.map((name) => ({ name: `${name}-${tag}`, mountPath: `/${name}` })),
    ...files.map(({ name }) => ({ name, mountPath: `/${name}`, readOnly: name !== 'scratch' })),
  ];
  return {
    ...maybe(dice, 0.7, () => ({
      metadata: {
        annotations,
        ...maybe(dice, 0.3, () => ({ labels: { tier: dice.pick(['web', 'back']) } })),
        ...maybe(dice, 0.1, () => ({ name: `app-${tag}-${dice.pick(['v1', 'v2', 'v3'])}` })),
      },
    })),
    spec: {
      containers: [container(dice, mounts), ...('name' in more ? [more] : [])],
      ...(files.length === 0 && dice.chance(0.7) ? {} : { volumes: files }),
      ...maybe(dice, 0.3, () => ({
        imagePullSecrets: some(dice, 0.4, ['pull', 'other']).map((name) => ({ name })),
      })),
      ...maybe(dice, 0.2, () => ({ timeoutSeconds: dice.pick([60, 600]) })),
      ...maybe(dice, 0.2, () => ({ serviceAccountName: 'runner' })),
      ...maybe(dice, 0.2, () => ({ containerConcurrency: dice.pick([0, 10]) })),
      ...maybe(dice, 0.15, () => ({
        initContainers: [{ name: 'first', image: 'ghcr.io/example/first:v1', args: ['--once'] }],
      })),
      ...maybe(dice, 0.15, () => ({
        tolerations: some(dice, 0.6, [
          { key: 'edge', operator: 'Exists', effect: dice.pick(['NoSchedule', 'NoExecute']) },
        ]),
      })),
      ...maybe(dice, 0.2, () => ({
        nodeSelector: maybe(dice, 0.7, () => ({ zone: dice.pick(['a', 'b']) })),
      })),
      ...maybe(dice, 0.15, () => ({
        securityContext: maybe(dice, 0.7, () => ({ runAsUser: dice.pick([1000, 2000]) })),
      })),
    },
  };
}

function container(dice: Random, volumeMounts: readonly object[]): object {
  const amounts = { cpu: dice.pick(['50m', '1']), memory: dice.pick(['64Mi', '1Gi']) };
  return {
    name: 'app',
    image: dice.pick(['ghcr.io/example/app:v1', 'ghcr.io/example/app:v2']),
    ...(volumeMounts.length === 0 ? {} : { volumeMounts }),
    ...maybe(dice, 0.4, () => ({
      env: some(dice, 0.6, ['A', 'B', 'C']).map((name) => ({ name, value: dice.pick(['1', '2']) })),
    })),
    ...maybe(dice, 0.3, () => ({ ports: some(dice, 0.8, [{ containerPort: dice.pick([8080, 9000]) }]) })),
    ...maybe(dice, 0.3, () => ({ args: some(dice, 0.5, ['--fast', '--loud']) })),
    ...maybe(dice, 0.2, () => ({ command: ['/app'], workingDir: dice.pick(['/', '/srv']) })),
    ...maybe(dice, 0.2, () => ({ livenessProbe: { tcpSocket: {}, periodSeconds: dice.pick([5, 20]) } })),
    ...maybe(dice, 0.2, () => ({
      securityContext: { runAsNonRoot: true, capabilities: { drop: ['ALL'] } },
    })),
    ...maybe(dice, 0.3, () => ({ readinessProbe: { httpGet: { path: dice.pick(['/', '/ready']) } } })),
    ...maybe(dice, 0.4, () => ({ resources: { requests: amounts } })),
    ...maybe(dice, 0.2, () => ({ envFrom: [{ configMapRef: { name: 'settings' } }] })),
  };
}

function route(dice: Random, tag: string): object {
  const hostname = `${dice.pick(['shop', 'web'])}-${tag}${dice.pick(['', '.example.com'])}`;
  if (dice.chance(0.2)) return {};
  return {
    hostname,
    ...maybe(dice, 0.5, () => ({ tlsEnabled: dice.chance(0.7) })),
    ...maybe(dice, 0.2, () => ({ tlsSecret: 'own-tls' })),
    ...maybe(dice, 0.3, () => ({ routeTimeoutSeconds: dice.pick([60, 500]) })),
    ...maybe(dice, 0.1, () => ({ trafficTarget: { revisionName: 'app-00001' } })),
  };
}

/** Its server cannot be changed, so it follows from the name. */
function nfs(dice: Random, name: string, tag: string): object {
  const capacity = { storage: dice.pick(['1Gi', '2Gi']) };
  return { name: `${name}-${tag}`, server: 'nfs.example.com', path: `/${name}`, capacity };
}

function log(dice: Random): object {
  const type = dice.pick(['elastic', 'elastic-datastream']);
  return {
    type,
    host: dice.pick(['logs.example.com', 'https://logs.example.com']),
    index: dice.pick(['main', 'other']),
    ...dice.pick<object>([{ user: 'elastic' }, { username: 'elastic' }]),
    ...dice.pick<object>([{ passwordSecret: 'logs' }, { passwordSecretName: 'logs' }]),
    ...maybe(dice, 0.5, () => ({ sslVerify: dice.chance(0.5) })),
  };
}

function sources(dice: Random): object[] {
  const kafka = {
    bootstrapServers: ['kafka:9092'],
    topics: some(dice, 0.6, ['orders', 'returns']),
    secretRef: { name: 'kafka' },
    ...maybe(dice, 0.5, () => ({ consumers: dice.pick([1, 3]) })),
    ...maybe(dice, 0.3, () => ({ tls: true })),
  };
  const topics = kafka.topics.length === 0 ? ['orders'] : kafka.topics;
  const ping = { schedule: dice.pick(['* * * * *', '0 9 * * 1']) };
  const data = maybe(dice, 0.5, () => ({ data: '{"a":1}' }));
  return some(dice, 0.6, [
    {
      name: 'tick',
      pingSourceConfiguration: { ...ping, ...data },
      ...maybe(dice, 0.4, () => ({ uri: '/tick' })),
    },
    { name: 'tock', pingSourceConfiguration: { schedule: '*/5 * * * *' } },
    { name: 'topic', kafkaSourceConfiguration: { ...kafka, topics } },
  ]);
}
