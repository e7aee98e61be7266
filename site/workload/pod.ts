// The pod spec of a Capp's revision: the user's, with the volumes that volumesSpec promises and the time that
// routeSpec allows.
import type { Capp } from '../../crds/capp/capp.ts';
import type { PodSpec, Volume } from '../../crds/kubernetes/pod.ts';

/** Knative's own default for both timeouts, in seconds. */
const KNATIVE_TIMEOUT = 300;

/** Takes a normalised Capp. Fields that we do not know stay as they are. */
export function podSpec(capp: Capp): PodSpec {
  return completed(capp, withoutIdle(capp.spec.configurationSpec.template.spec));
}

/** The same as earlier versions wrote it: with the lists that are empty. */
export function formerPodSpec(capp: Capp): PodSpec {
  return completed(capp, capp.spec.configurationSpec.template.spec);
}

function completed(capp: Capp, pod: PodSpec): PodSpec {
  const volumes = [...(pod.volumes ?? []), ...promisedVolumes(capp)];
  return {
    ...pod,
    enableServiceLinks: false,
    ...timeouts(capp),
    ...(volumes.length === 0 ? {} : { volumes }),
  };
}

/**
 * What Knative's CRD keeps by names (`x-kubernetes-list-type: map`). Of such a list that is applied empty
 * nobody is the owner, so it would stay when an edit takes it out.
 */
const KEPT_BY_NAMES: ReadonlySet<string> = new Set(['imagePullSecrets', 'volumes']);

function withoutIdle(pod: PodSpec): PodSpec {
  const said = Object.entries(pod).filter(
    ([field, value]) => !(KEPT_BY_NAMES.has(field) && Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(said) as PodSpec;
}

/**
 * NFS volumes that a container mounts and the pod does not declare itself. Knative refuses a volume that
 * nobody mounts.
 */
function promisedVolumes(capp: Capp): Volume[] {
  const pod = capp.spec.configurationSpec.template.spec;
  const declared = new Set(pod.volumes?.map((volume) => volume.name));
  const mounts = [...pod.containers, ...(pod.initContainers ?? [])].flatMap(
    (container) => container.volumeMounts ?? [],
  );
  const mounted = new Set(mounts.map((mount) => mount.name));
  return (capp.spec.volumesSpec?.nfsVolumes ?? [])
    .filter(({ name }) => mounted.has(name) && !declared.has(name))
    .map(({ name }) => ({ name, persistentVolumeClaim: { claimName: name } }));
}

/**
 * A longer request also needs a longer wait for its first byte, or Knative ends it after 300 s all the same.
 */
function timeouts(capp: Capp): Partial<PodSpec> {
  const pod = capp.spec.configurationSpec.template.spec;
  const timeoutSeconds = capp.spec.routeSpec?.routeTimeoutSeconds ?? pod.timeoutSeconds;
  if (timeoutSeconds === undefined) return {};
  const start =
    pod['responseStartTimeoutSeconds'] ?? (timeoutSeconds > KNATIVE_TIMEOUT ? timeoutSeconds : undefined);
  return { timeoutSeconds, ...(start === undefined ? {} : { responseStartTimeoutSeconds: start }) };
}
