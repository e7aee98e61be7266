// The fields of those parts of a Pod of which Knative's schema says nothing: Kubernetes' own (k8s.io/api,
// core/v1), which Knative reads into the types of Go. What they have no field for vanishes without a word.
import { all, texts, type Shape } from './shape.ts';

const selector: Shape = {
  fields: {
    matchLabels: { map: 'text' },
    matchExpressions: { list: { fields: { ...all('text', 'key operator'), values: texts } } },
  },
};

const nodeTerm: Shape = {
  fields: all(
    { list: { fields: { ...all('text', 'key operator'), values: texts } } },
    'matchExpressions matchFields',
  ),
};

const podTerm: Shape = {
  fields: {
    topologyKey: 'text',
    ...all(selector, 'labelSelector namespaceSelector'),
    ...all(texts, 'namespaces matchLabelKeys mismatchLabelKeys'),
  },
};

const amongPods: Shape = {
  fields: {
    requiredDuringSchedulingIgnoredDuringExecution: { list: podTerm },
    preferredDuringSchedulingIgnoredDuringExecution: {
      list: { fields: { weight: 'whole', podAffinityTerm: podTerm } },
    },
  },
};

export const AFFINITY: Shape = {
  fields: {
    nodeAffinity: {
      fields: {
        requiredDuringSchedulingIgnoredDuringExecution: { fields: { nodeSelectorTerms: { list: nodeTerm } } },
        preferredDuringSchedulingIgnoredDuringExecution: {
          list: { fields: { weight: 'whole', preference: nodeTerm } },
        },
      },
    },
    ...all(amongPods, 'podAffinity podAntiAffinity'),
  },
};

export const TOLERATION: Shape = {
  fields: { ...all('text', 'key operator value effect'), tolerationSeconds: 'whole' },
};

export const SPREAD: Shape = {
  fields: {
    ...all('whole', 'maxSkew minDomains'),
    ...all('text', 'topologyKey whenUnsatisfiable nodeAffinityPolicy nodeTaintsPolicy'),
    labelSelector: selector,
    matchLabelKeys: texts,
  },
};

export const HOST_ALIAS: Shape = { fields: { ip: 'text', hostnames: texts } };

export const DNS: Shape = {
  fields: {
    ...all(texts, 'nameservers searches'),
    options: { list: { fields: all('text', 'name value') } },
  },
};

/** Of the Pod: what else Kubernetes has Knative refuses. */
export const POD_SECURITY: Shape = {
  fields: {
    ...all('whole', 'fsGroup runAsGroup runAsUser'),
    runAsNonRoot: 'truth',
    supplementalGroups: { list: 'whole' },
    seccompProfile: { fields: all('text', 'localhostProfile type') },
  },
};

export const FIELD: Shape = { fields: all('text', 'apiVersion fieldPath') };
export const RESOURCE_FIELD: Shape = {
  fields: { ...all('text', 'containerName resource'), divisor: 'either' },
};

export const DOWNWARD: Shape = {
  fields: {
    items: {
      list: { fields: { path: 'text', mode: 'whole', fieldRef: FIELD, resourceFieldRef: RESOURCE_FIELD } },
    },
  },
};

const claim: Shape = {
  fields: {
    accessModes: texts,
    selector,
    resources: { fields: all({ map: 'either' }, 'limits requests') },
    ...all('text', 'storageClassName volumeAttributesClassName volumeMode volumeName'),
    dataSource: { fields: all('text', 'apiGroup kind name') },
    dataSourceRef: { fields: all('text', 'apiGroup kind name namespace') },
  },
};

/** Kinds of volumes, by their names. */
export const VOLUMES: Readonly<Record<string, Shape>> = {
  csi: {
    fields: {
      ...all('text', 'driver fsType'),
      readOnly: 'truth',
      volumeAttributes: { map: 'text' },
      nodePublishSecretRef: { fields: { name: 'text' } },
    },
  },
  emptyDir: { fields: { medium: 'text', sizeLimit: 'either' } },
  ephemeral: { fields: { volumeClaimTemplate: { fields: { metadata: 'any', spec: claim } } } },
  hostPath: { fields: all('text', 'path type') },
  image: { fields: all('text', 'pullPolicy reference') },
  persistentVolumeClaim: { fields: { claimName: 'text', readOnly: 'truth' } },
};
