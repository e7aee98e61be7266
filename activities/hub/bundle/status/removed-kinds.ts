// Versions of kinds that Kubernetes served once, and what people write today. Pure.

interface Kind {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

/** Kinds by the version that serves them today; those without one have no successor. */
const TODAY: Readonly<Record<string, readonly string[]>> = {
  'apps/v1': ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'networking.k8s.io/v1': ['Ingress', 'IngressClass', 'NetworkPolicy'],
  'batch/v1': ['CronJob'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'policy/v1': ['PodDisruptionBudget'],
  'rbac.authorization.k8s.io/v1': ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  'admissionregistration.k8s.io/v1': ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  'apiextensions.k8s.io/v1': ['CustomResourceDefinition'],
  'apiregistration.k8s.io/v1': ['APIService'],
  'scheduling.k8s.io/v1': ['PriorityClass'],
  'storage.k8s.io/v1': ['CSIDriver', 'CSINode', 'CSIStorageCapacity', 'StorageClass', 'VolumeAttachment'],
  'certificates.k8s.io/v1': ['CertificateSigningRequest'],
  'coordination.k8s.io/v1': ['Lease'],
  'discovery.k8s.io/v1': ['EndpointSlice'],
  'node.k8s.io/v1': ['RuntimeClass'],
  'flowcontrol.apiserver.k8s.io/v1': ['FlowSchema', 'PriorityLevelConfiguration'],
  '': ['PodSecurityPolicy'],
};

/** In which kinds lay before they had a group of their own. */
const FORMER = 'extensions';

/** The site says it: nothing else is repeated. */
const VERSION = /^v\d{1,2}(?:(?:alpha|beta)\d{1,2})?$/;

/** What to write in place of a version that is removed; null for what Kubernetes never had. */
export function successorOf({ group = '', version = '', kind = '' }: Kind): string | null {
  const [today] = Object.entries(TODAY).find(([, kinds]) => kinds.includes(kind)) ?? [];
  if (today === undefined) return null;
  const isOurs = group === FORMER || group === today.split('/')[0] || (today === '' && group === 'policy');
  if (!isOurs || !VERSION.test(version) || `${group}/${version}` === today) return null;
  if (today === '') return `Kubernetes serves no ${kind} any more: leave it out.`;
  return `Kubernetes serves no ${kind} of ${group}/${version} any more: write ${today}, whose fields may have other names.`;
}
