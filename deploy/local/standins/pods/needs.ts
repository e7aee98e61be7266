// The objects that a Pod needs and its site lacks, as a kubelet's messages.
import type { ContainerSpec, Items, Keyed, Named, StandInPod, VolumeSpec, PodWorld } from './pod.ts';

/** The message about the first volume that cannot be mounted, or null. Optional sources are ignored. */
export function missingVolume(pod: StandInPod, world: PodWorld): string | null {
  const namespace = pod.metadata.namespace ?? '';
  for (const volume of pod.spec.volumes ?? []) {
    const missing = ofVolume(namespace, volume, world);
    if (missing !== null) return `MountVolume.SetUp failed for volume "${volume.name}": ${missing}`;
  }
  return null;
}

/** The message about the first missing Secret, ConfigMap or key of the container's environment, or null. */
export function missingEnvironment(
  namespace: string,
  container: ContainerSpec,
  world: PodWorld,
): string | null {
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    const missing =
      lacks(objects(namespace, world).configMap, configMapRef) ??
      lacks(objects(namespace, world).secret, secretRef);
    if (missing !== null) return missing;
  }
  for (const { valueFrom } of container.env ?? []) {
    const { configMap, secret } = objects(namespace, world);
    const missing =
      lacksKey(configMap, valueFrom?.configMapKeyRef) ?? lacksKey(secret, valueFrom?.secretKeyRef);
    if (missing !== null) return missing;
  }
  return null;
}

interface Objects {
  readonly kind: 'secret' | 'configmap';
  readonly namespace: string;
  keys(name: string): ReadonlySet<string> | null;
}

function objects(namespace: string, world: PodWorld): { configMap: Objects; secret: Objects } {
  return {
    configMap: { kind: 'configmap', namespace, keys: (name) => world.configMapKeys(namespace, name) },
    secret: { kind: 'secret', namespace, keys: (name) => world.secretKeys(namespace, name) },
  };
}

function ofVolume(namespace: string, volume: VolumeSpec, world: PodWorld): string | null {
  const { configMap, secret } = objects(namespace, world);
  const { secretName, ...rest } = volume.secret ?? {};
  const named: Items | undefined = secretName === undefined ? undefined : { ...rest, name: secretName };
  const claim = volume.persistentVolumeClaim?.claimName;
  if (claim !== undefined && world.claim(namespace, claim) !== 'bound') {
    return world.claim(namespace, claim) === 'missing'
      ? `persistentvolumeclaim "${claim}" not found`
      : `persistentvolumeclaim "${claim}" is not bound`;
  }
  const plain = lacksItems(configMap, volume.configMap) ?? lacksItems(secret, named);
  if (plain !== null) return plain;
  for (const source of volume.projected?.sources ?? []) {
    const missing = lacksItems(configMap, source.configMap) ?? lacksItems(secret, source.secret);
    if (missing !== null) return missing;
  }
  return null;
}

function lacks(source: Objects, reference: Named | undefined): string | null {
  if (reference?.name === undefined || reference.name === '' || reference.optional === true) return null;
  return source.keys(reference.name) === null ? `${source.kind} "${reference.name}" not found` : null;
}

function lacksKey(source: Objects, reference: Keyed | undefined): string | null {
  return (
    lacks(source, reference) ?? lacksKeys(source, reference, reference === undefined ? [] : [reference.key])
  );
}

function lacksItems(source: Objects, reference: Items | undefined): string | null {
  return (
    lacks(source, reference) ??
    lacksKeys(
      source,
      reference,
      (reference?.items ?? []).map((item) => item.key),
    )
  );
}

function lacksKeys(source: Objects, reference: Named | undefined, wanted: readonly string[]): string | null {
  if (reference?.name === undefined || reference.optional === true) return null;
  const keys = source.keys(reference.name);
  const absent = wanted.find((key) => keys?.has(key) !== true);
  return absent === undefined
    ? null
    : `couldn't find key ${absent} in ${source.kind} ${source.namespace}/${reference.name}`;
}
