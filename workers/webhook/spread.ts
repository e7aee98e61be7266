// What decides to which sites something with many sites goes, read live when somebody asks for a plan: caches
// of it would be kept for nothing.
import { NAMESPACE } from '../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER } from '../../crds/ocm/ocm.ts';
import {
  byPlacement,
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
  PLACEMENT_DECISION,
  type PlacementDecision,
} from '../../crds/ocm/placements.ts';
import { RCS_CONFIG } from '../../crds/hub/rcs-config.ts';
import type { SelectRules } from '../../activities/hub/bundle/sites.ts';
import type { Kube } from '../../kube/client.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import { listed } from '../../kube/watch/listed.ts';

export interface Asking {
  readonly kube: Pick<Kube, 'get' | 'list' | 'getMetadata'>;
  /** The key of the RCSConfig. */
  readonly config: { readonly namespace: string; readonly name: string };
  readonly signal: AbortSignal;
}

/** Throws ApiError. */
export async function readSpread(asking: Asking): Promise<SelectRules['caches']> {
  const all = <T extends KubeObject>(kind: Resource) => listAll<T>(asking, kind);
  const [configs, placements, decisions, clusterSets, setBindings, clusters] = await Promise.all([
    all(RCS_CONFIG),
    all(PLACEMENT),
    all<PlacementDecision>(PLACEMENT_DECISION),
    all(MANAGED_CLUSTER_SET),
    all(MANAGED_CLUSTER_SET_BINDING),
    all(MANAGED_CLUSTER),
  ] as const);
  return {
    configs: listed(configs as never[]),
    placements: listed(placements as never[]),
    decisions: listed(decisions, { placement: byPlacement }),
    clusterSets: listed(clusterSets as never[]),
    setBindings: listed(setBindings as never[]),
    clusters: listed(clusters as never[]),
  };
}

/** Reads that end with the question. */
export function readsOf({ kube, signal }: Asking): Pick<Kube, 'get'> {
  return { get: (resource, key) => kube.get(resource, key, { signal }) };
}

/** Throws ApiError. */
export async function listAll<T extends KubeObject>(
  { kube, signal }: Asking,
  kind: Resource,
  namespace?: string,
): Promise<readonly T[]> {
  return (await kube.list<T>(kind, { ...(namespace === undefined ? {} : { namespace }), signal })).items;
}

/** Throws ApiError. */
export async function hubUidFor({ kube, signal }: Asking): Promise<string> {
  const home = await kube.getMetadata(NAMESPACE, { namespace: null, name: 'kube-system' }, { signal });
  return home?.metadata.uid ?? '';
}
