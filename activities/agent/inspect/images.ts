// Whether images are on the nodes of a site, and whether their registry is known there: by what nodes and
// waiting pods say. No registry is asked: the name is a tenant's, and would lead the agent anywhere. Pure.
import type { Node, Pod } from '../../../crds/kubernetes/core.ts';
import { imageName } from '../../../crds/kubernetes/image.ts';
import type { ImageSight } from '../../../workflows/types/inspection.ts';

/**
 * As the kubelet names it that an image cannot be pulled (k8s.io/kubernetes, pkg/kubelet/images/types.go).
 */
const FAILING: ReadonlySet<string> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'ImageInspectError',
  'InvalidImageName',
  'ErrImageNeverPull',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

/** Of each image, in order. `waiting`: pods that have not started. */
export function sightsOf(
  images: readonly string[],
  nodes: readonly Node[],
  waiting: readonly Pod[],
): ImageSight[] {
  const there = nodes
    .flatMap(({ status }) => status?.images ?? [])
    .flatMap(({ names }) => names ?? [])
    .map(imageName);
  const onNodes = new Set(there.map(({ full }) => full));
  const registries = new Set(there.map(({ registry }) => registry));
  const failing = new Set(waiting.flatMap(failingIn).map((image) => imageName(image).full));
  return images.map((image) => {
    const { registry, full } = imageName(image);
    if (failing.has(full)) return 'Failing';
    if (onNodes.has(full)) return 'OnNode';
    return registries.has(registry) ? 'KnownRegistry' : 'UnknownRegistry';
  });
}

function failingIn({ spec = {}, status = {} }: Pod): string[] {
  const { containers = [], initContainers = [] } = spec;
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const stuck = new Set(
    [...containerStatuses, ...initContainerStatuses]
      .filter(({ state }) => FAILING.has(state?.waiting?.reason ?? ''))
      .map(({ name }) => name),
  );
  return [...containers, ...initContainers]
    .filter(({ name }) => stuck.has(name))
    .flatMap(({ image }) => image ?? []);
}
