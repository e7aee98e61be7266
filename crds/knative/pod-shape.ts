// The fields of a Knative revision's spec, and their types: knative.dev/serving v0.50, the schema of its
// Service. What it has no field for, a site refuses.
import {
  AFFINITY,
  DNS,
  DOWNWARD,
  FIELD,
  HOST_ALIAS,
  POD_SECURITY,
  RESOURCE_FIELD,
  SPREAD,
  TOLERATION,
  VOLUMES,
} from './core-shapes.ts';
import { all, texts, type Shape } from './shape.ts';

const keyed: Shape = { fields: { ...all('text', 'key name'), optional: 'truth' } };
const named: Shape = { fields: { name: 'text', optional: 'truth' } };

const env: Shape = {
  fields: {
    ...all('text', 'name value'),
    valueFrom: {
      fields: {
        ...all(keyed, 'configMapKeyRef secretKeyRef'),
        fieldRef: FIELD,
        resourceFieldRef: RESOURCE_FIELD,
      },
    },
  },
};

const probe: Shape = {
  fields: {
    ...all('whole', 'failureThreshold initialDelaySeconds periodSeconds successThreshold timeoutSeconds'),
    exec: { fields: { command: texts } },
    grpc: { fields: { port: 'whole', service: 'text' } },
    httpGet: {
      fields: {
        ...all('text', 'host path scheme'),
        port: 'either',
        httpHeaders: { list: { fields: all('text', 'name value') } },
      },
    },
    tcpSocket: { fields: { host: 'text', port: 'either' } },
  },
};

const security: Shape = {
  fields: {
    ...all('truth', 'allowPrivilegeEscalation privileged readOnlyRootFilesystem runAsNonRoot'),
    ...all('whole', 'runAsGroup runAsUser'),
    capabilities: { fields: all(texts, 'add drop') },
    seccompProfile: { fields: all('text', 'localhostProfile type') },
  },
};

const container = {
  fields: {
    ...all('text', 'image imagePullPolicy name terminationMessagePath terminationMessagePolicy workingDir'),
    ...all(texts, 'args command'),
    env: { list: env },
    envFrom: { list: { fields: { prefix: 'text', ...all(named, 'configMapRef secretRef') } } },
    ...all(probe, 'livenessProbe readinessProbe startupProbe'),
    ports: { list: { fields: { containerPort: 'whole', ...all('text', 'name protocol') } } },
    resources: { fields: all({ map: 'either' }, 'limits requests') },
    securityContext: security,
    volumeMounts: {
      list: { fields: { ...all('text', 'mountPath mountPropagation name subPath'), readOnly: 'truth' } },
    },
  },
} satisfies Shape;

/** What Knative does not take for an init container the rule for containers says in its own words. */
const before: Shape = {
  fields: { ...container.fields, ...all('any', 'lifecycle restartPolicy volumeDevices') },
};

const items: Shape = { list: { fields: { ...all('text', 'key path'), mode: 'whole' } } };
const projected: Shape = {
  fields: {
    ...all({ fields: { items, name: 'text', optional: 'truth' } }, 'configMap secret'),
    downwardAPI: DOWNWARD,
    serviceAccountToken: { fields: { ...all('text', 'audience path'), expirationSeconds: 'whole' } },
  },
};

const volume: Shape = {
  fields: {
    name: 'text',
    configMap: { fields: { defaultMode: 'whole', items, name: 'text', optional: 'truth' } },
    secret: { fields: { defaultMode: 'whole', items, secretName: 'text', optional: 'truth' } },
    projected: { fields: { defaultMode: 'whole', sources: { list: projected } } },
    ...VOLUMES,
  },
};

const POD: Shape = {
  fields: {
    ...all('text', 'dnsPolicy priorityClassName runtimeClassName schedulerName serviceAccountName'),
    ...all(
      'truth',
      'automountServiceAccountToken enableServiceLinks hostIPC hostNetwork hostPID shareProcessNamespace',
    ),
    ...all('whole', 'containerConcurrency idleTimeoutSeconds responseStartTimeoutSeconds timeoutSeconds'),
    affinity: AFFINITY,
    dnsConfig: DNS,
    securityContext: POD_SECURITY,
    hostAliases: { list: HOST_ALIAS },
    initContainers: { list: before },
    tolerations: { list: TOLERATION },
    topologySpreadConstraints: { list: SPREAD },
    containers: { list: container },
    imagePullSecrets: { list: { fields: { name: 'text' } } },
    nodeSelector: { map: 'text' },
    volumes: { list: volume },
  },
};

const METADATA: Shape = {
  fields: {
    ...all({ map: 'text' }, 'annotations labels'),
    ...all('text', 'name namespace'),
    ...all('any', 'creationTimestamp finalizers'),
  },
};

export const TEMPLATE_SHAPE: Shape = { fields: { metadata: METADATA, spec: POD } };
