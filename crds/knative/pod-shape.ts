// The fields of a Knative revision's spec, and their types: knative.dev/serving v0.50, the schema of its
// Service. What it has no field for, a site refuses.

/** Text; a whole number; true or false; text or a whole number; anything; or what is made of them. */
export type Shape =
  | 'text'
  | 'whole'
  | 'truth'
  | 'either'
  | 'any'
  | { readonly fields: Readonly<Record<string, Shape>> }
  | { readonly list: Shape }
  | { readonly map: Shape };

const texts = { list: 'text' } as const;

/** Fields of one type, by their names. */
function all<S extends Shape>(shape: S, names: string): Readonly<Record<string, S>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, shape]));
}

const keyed: Shape = { fields: { ...all('text', 'key name'), optional: 'truth' } };
const named: Shape = { fields: { name: 'text', optional: 'truth' } };

const env: Shape = {
  fields: {
    ...all('text', 'name value'),
    valueFrom: {
      fields: { ...all(keyed, 'configMapKeyRef secretKeyRef'), ...all('any', 'fieldRef resourceFieldRef') },
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

const container: Shape = {
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
};

const items: Shape = { list: { fields: { ...all('text', 'key path'), mode: 'whole' } } };
const projected: Shape = {
  fields: {
    ...all({ fields: { items, name: 'text', optional: 'truth' } }, 'configMap secret'),
    downwardAPI: 'any',
    serviceAccountToken: { fields: { ...all('text', 'audience path'), expirationSeconds: 'whole' } },
  },
};

const volume: Shape = {
  fields: {
    name: 'text',
    configMap: { fields: { defaultMode: 'whole', items, name: 'text', optional: 'truth' } },
    secret: { fields: { defaultMode: 'whole', items, secretName: 'text', optional: 'truth' } },
    projected: { fields: { defaultMode: 'whole', sources: { list: projected } } },
    ...all('any', 'csi emptyDir ephemeral hostPath image persistentVolumeClaim'),
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
    ...all('any', 'affinity dnsConfig securityContext'),
    ...all({ list: 'any' }, 'hostAliases initContainers tolerations topologySpreadConstraints'),
    containers: { list: container },
    imagePullSecrets: { list: { fields: { name: 'text' } } },
    nodeSelector: { map: 'text' },
    volumes: { list: volume },
  },
};

const METADATA: Shape = {
  fields: {
    ...all({ map: 'text' }, 'annotations labels'),
    ...all('any', 'name namespace creationTimestamp finalizers'),
  },
};

export const TEMPLATE_SHAPE: Shape = { fields: { metadata: METADATA, spec: POD } };
