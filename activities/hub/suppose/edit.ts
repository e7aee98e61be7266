// The hub's objects as they would be after an edit of a Placement or of the RCSConfig. Pure.
import type { RcsConfig } from '../../../crds/hub/rcs-config.ts';
import { byPlacement, PLACEMENT_LABEL, type Placement } from '../../../crds/ocm/placements.ts';
import { keyOf, keyText, type KubeObject } from '../../../kube/resource.ts';
import { listed } from '../../../kube/watch/listed.ts';
import type { ChoiceCaches } from '../caches.ts';

export type SupposedEdit =
  | { readonly of: 'RCSConfig'; readonly object: RcsConfig & KubeObject }
  | {
      readonly of: 'Placement';
      readonly object: Placement & KubeObject;
      /** What OCM selects by the edited spec. */
      readonly clusters: readonly string[];
    };

/** `caches` stay as they are. */
export function afterEdit(caches: ChoiceCaches, edit: SupposedEdit): ChoiceCaches {
  if (edit.of === 'RCSConfig')
    return { ...caches, configs: listed(withThis(caches.configs.list(), edit.object)) };
  const { object, clusters } = edit;
  const key = keyText(keyOf(object));
  const { namespace = '', name } = object.metadata;
  const status = { ...object.status, numberOfSelectedClusters: clusters.length };
  const page = {
    metadata: { namespace, name: `${name}-edited`, labels: { [PLACEMENT_LABEL]: name } },
    status: { decisions: clusters.map((clusterName) => ({ clusterName })) },
  };
  const others = caches.decisions.list().filter((one) => !byPlacement(one).includes(key));
  return {
    ...caches,
    placements: listed(withThis(caches.placements.list(), { ...object, status })),
    decisions: listed([...others, page], { placement: byPlacement }),
  };
}

function withThis<T extends Pick<KubeObject, 'metadata'>>(objects: readonly T[], object: T): T[] {
  const key = keyText(keyOf(object));
  return [...objects.filter((one) => keyText(keyOf(one)) !== key), object];
}
