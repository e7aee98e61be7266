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
/** Of these Knative wants to read `enabled`; of the others `allowed` is as good. */
const ENABLED_ONLY = new Set([CLAIM, WRITE, EMPTY_DIR]);

/**
 * A fault that names the first field that needs a switch which is off, with all that are off for the same
 * field; null if the site takes all of it, or does not say what it takes.
 */
export function featureFault(pod: Fields, switches: ConfigMap | null): SiteFault | null {
  if (switches === null) return null;
  const off = needsOf(pod).filter(({ feature }) => !isOn(switches, feature));
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

function needsOf(pod: Fields): Need[] {
  const ofPod = Object.entries(OF_POD).filter(([field]) => isSet(pod[field]));
  const volumes = listOf(pod['volumes']);
  return [
    ...volumes.flatMap((volume) => ofVolume(volume)),
    ...ofPod.map(([field, feature]) => ({ feature: `${POD}${feature}`, field })),
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

function listOf(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is Fields => typeof one === 'object' && one !== null);
}
