// Which kinds of Kubernetes itself are in namespaces and which are not. Pure.
/** Kinds that are in no namespace, by their group; the name of the core group is empty. */
const CLUSTER_SCOPED: Readonly<Record<string, readonly string[]>> = {
  '': ['Namespace', 'Node', 'PersistentVolume'],
  'admissionregistration.k8s.io': [
    'MutatingAdmissionPolicy',
    'MutatingAdmissionPolicyBinding',
    'MutatingWebhookConfiguration',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    'ValidatingWebhookConfiguration',
  ],
  'apiextensions.k8s.io': ['CustomResourceDefinition'],
  'apiregistration.k8s.io': ['APIService'],
  'certificates.k8s.io': ['CertificateSigningRequest', 'ClusterTrustBundle'],
  'flowcontrol.apiserver.k8s.io': ['FlowSchema', 'PriorityLevelConfiguration'],
  'networking.k8s.io': ['IngressClass', 'IPAddress', 'ServiceCIDR'],
  'node.k8s.io': ['RuntimeClass'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding'],
  'resource.k8s.io': ['DeviceClass', 'ResourceSlice'],
  'scheduling.k8s.io': ['PriorityClass'],
  'storage.k8s.io': ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment', 'VolumeAttributesClass'],
};

const NAMESPACED: Readonly<Record<string, readonly string[]>> = {
  '': [
    'ConfigMap',
    'Endpoints',
    'LimitRange',
    'PersistentVolumeClaim',
    'Pod',
    'PodTemplate',
    'ReplicationController',
    'ResourceQuota',
    'Secret',
    'Service',
    'ServiceAccount',
  ],
  apps: ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  autoscaling: ['HorizontalPodAutoscaler'],
  batch: ['CronJob', 'Job'],
  'coordination.k8s.io': ['Lease'],
  'discovery.k8s.io': ['EndpointSlice'],
  'networking.k8s.io': ['Ingress', 'NetworkPolicy'],
  policy: ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io': ['Role', 'RoleBinding'],
  'resource.k8s.io': ['ResourceClaim', 'ResourceClaimTemplate'],
  'storage.k8s.io': ['CSIStorageCapacity'],
};

/** Null for a kind that Kubernetes does not have by itself. */
export function isNamespaced(group: string, kind: string): boolean | null {
  if (has(CLUSTER_SCOPED, group, kind)) return false;
  return has(NAMESPACED, group, kind) ? true : null;
}

function has(kinds: Readonly<Record<string, readonly string[]>>, group: string, kind: string): boolean {
  return Object.hasOwn(kinds, group) && kinds[group]?.includes(kind) === true;
}
