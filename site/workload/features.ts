// What of a Pod Knative takes only where a site has switched it on: its ConfigMap config-features. Pure.
import type { ConfigMap } from '../../crds/kubernetes/core.ts';
import { KNATIVE_FEATURES } from '../../crds/kubernetes/knative.ts';
import { SiteFault } from '../objects/fault.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Need {
  /** The key in config-features. */
  readonly feature: string;
  /** Below the Pod's spec. */
  readonly field: string;
}

const POD = 'kubernetes.podspec-';

/** knative.dev/serving, pkg/apis/config/features.go and pkg/apis/serving/fieldmask.go. */
const OF_POD: Readonly<Record<string, string>> = {
  affinity: 'affinity',
  dnsConfig: 'dnsconfig',
  dnsPolicy: 'dnspolicy',
  hostAliases: 'hostaliases',
  hostIPC: 'hostipc',
  hostNetwork: 'hostnetwork',
  hostPID: 'hostpid',
  initContainers: 'init-containers',
  nodeSelector: 'nodeselector',
  priorityClassName: 'priorityclassname',
  runtimeClassName: 'runtimeclassname',
  schedulerName: 'schedulername',
  shareProcessNamespace: 'shareprocessnamespace',
  tolerations: 'tolerations',
  topologySpreadConstraints: 'topologyspreadconstraints',
};
const OF_VOLUME: Readonly<Record<string, string>> = {
  csi: 'volumes-csi',
  emptyDir: 'volumes-emptydir',
  ephemeral: 'volumes-ephemeral',
  hostPath: 'volumes-hostpath',
  image: 'volumes-image',
};
const CLAIM = `${POD}persistent-volume-claim`;
const WRITE = `${POD}persistent-volume-write`;
const EMPTY_DIR = `${POD}volumes-emptydir`;
const FIELD_REF = `${POD}fieldref`;
const SECURITY = `${POD}securitycontext`;
const PROPAGATION = `${POD}volumes-mount-propagation`;
const CAPABILITIES = 'kubernetes.containerspec-addcapabilities';
const PROBING = 'multi-container-probing';
/**
 * Of these Knative wants to read `enabled` (pkg/apis/serving/k8s_validation.go); of the others `allowed` is
 * as good.
 */
const ENABLED_ONLY = new Set([
  CLAIM,
  WRITE,
  EMPTY_DIR,
  PROPAGATION,
  CAPABILITIES,
  PROBING,
  `${POD}init-containers`,
  ...Object.values(OF_VOLUME).map((feature) => `${POD}${feature}`),
]);

/**
 * A fault that names the first field that needs a switch which is off, with all that are off for the same
 * field; null if the site takes all of it, or does not say what it takes.
 */
export function featureFault(pod: Fields, switches: ConfigMap | null): SiteFault | null {
  if (switches === null) return null;
  const off = needsOf(pod, isSecure(switches)).filter(({ feature }) => !isOn(switches, feature));
  const [first] = off;
  if (first === undefined) return null;
  const names = off.filter(({ field }) => field === first.field).map(({ feature }) => feature);
  const { name } = KNATIVE_FEATURES;
  return new SiteFault(
    'FeatureOff',
    `${first.field} needs ${names.join(' and ')}, off in Knative's ${name} here. "kubectl capp doctor" has the command that turns it on.`,
  );
}

function isOn({ data = {} }: ConfigMap, feature: string): boolean {
  // It is on where the ConfigMap does not say.
  const otherwise = feature === EMPTY_DIR ? 'enabled' : 'disabled';
  const said = data[feature]?.toLowerCase() ?? otherwise;
  return said === 'enabled' || (said === 'allowed' && !ENABLED_ONLY.has(feature));
}

/** With secure defaults Knative takes more without a switch: what opts out of them. */
function isSecure({ data = {} }: ConfigMap): boolean {
  return ['enabled', 'allowrootbounded'].includes(data['secure-pod-defaults']?.toLowerCase() ?? '');
}

function needsOf(pod: Fields, isSecured: boolean): Need[] {
  const ofPod = Object.entries(OF_POD).filter(([field]) => isSet(pod[field]));
  const volumes = listOf(pod['volumes']);
  return [
    ...volumes.flatMap((volume) => ofVolume(volume)),
    ...ofPod.map(([field, feature]) => ({ feature: `${POD}${feature}`, field })),
    ...ofSecurity(fieldsOf(pod['securityContext']), isSecured),
    ...ofContainers(listOf(pod['containers']), listOf(pod['initContainers']), isSecured),
  ];
}

/** pkg/apis/serving/fieldmask.go, PodSecurityContextMask. */
function ofSecurity(security: Fields, isSecured: boolean): Need[] {
  const set = Object.keys(security).filter((name) => isSet(security[name]));
  const { type } = fieldsOf(security['seccompProfile']);
  const isOptOut =
    isSecured &&
    set.every((name) => name === 'seccompProfile') &&
    (type === 'RuntimeDefault' || type === 'Unconfined');
  return set.length === 0 || isOptOut ? [] : [{ feature: SECURITY, field: 'securityContext' }];
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

function ofContainers(own: readonly Fields[], init: readonly Fields[], isSecured: boolean): Need[] {
  const beside = own.filter((one) => own.length > 1 && listOf(one['ports']).length === 0);
  const place = (one: Fields): string =>
    `${init.includes(one) ? 'initContainers' : 'containers'}[${String(one['name'])}]`;
  return [
    ...beside.flatMap((one) =>
      PROBES.filter((probe) => Object.values(fieldsOf(one[probe])).some(isSet)).map((probe) => ({
        feature: PROBING,
        field: `${place(one)}.${probe}`,
      })),
    ),
    ...[...own, ...init].flatMap((one) => ofContainer(one, place(one), isSecured)),
  ];
}

/** Paths without the index, as a name may be long. */
function ofContainer(container: Fields, place: string, isSecured: boolean): Need[] {
  const sources = listOf(container['env']).map((one) => fieldsOf(one['valueFrom']));
  const ref = ['fieldRef', 'resourceFieldRef'].find((name) => sources.some((one) => isSet(one[name])));
  const added = fieldsOf(fieldsOf(container['securityContext'])['capabilities'])['add'];
  const isOptOut = isSecured && Array.isArray(added) && added.length === 1 && added[0] === 'NET_BIND_SERVICE';
  const isPropagated = listOf(container['volumeMounts']).some((one) => isSet(one['mountPropagation']));
  return [
    ...(ref === undefined ? [] : [{ feature: FIELD_REF, field: `${place}.env.valueFrom.${ref}` }]),
    ...(isSet(added) && !isOptOut
      ? [{ feature: CAPABILITIES, field: `${place}.securityContext.capabilities.add` }]
      : []),
    ...(isPropagated ? [{ feature: PROPAGATION, field: `${place}.volumeMounts.mountPropagation` }] : []),
  ];
}

function ofVolume(volume: Fields): Need[] {
  const place = `volumes[${String(volume['name'])}]`;
  const claim = volume['persistentVolumeClaim'];
  const field = `${place}.persistentVolumeClaim`;
  const isRead =
    typeof claim === 'object' && claim !== null && 'readOnly' in claim && claim.readOnly === true;
  return [
    ...(isSet(claim) ? [{ feature: CLAIM, field }] : []),
    ...(isSet(claim) && !isRead ? [{ feature: WRITE, field }] : []),
    ...Object.entries(OF_VOLUME)
      .filter(([source]) => isSet(volume[source]))
      .map(([source, feature]) => ({ feature: `${POD}${feature}`, field: `${place}.${source}` })),
  ];
}

/** An empty list or text, false and null are what a Pod has that does not say it. */
function isSet(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length > 0
    : value !== undefined && value !== null && value !== false && value !== '';
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function listOf(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is Fields => typeof one === 'object' && one !== null);
}
