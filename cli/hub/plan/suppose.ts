// Reads what a supposed loss or taint of a site, or an edit, is judged by, with the person's own rights, and
// asks the hub's own functions. Nothing is written.
import { differencesBy } from '../../../activities/hub/suppose/difference.ts';
import type { SupposedEdit } from '../../../activities/hub/suppose/edit.ts';
import { outlooksOn, type Outlook, type SpreadObject } from '../../../activities/hub/suppose/outlook.ts';
import type { Supposition } from '../../../activities/hub/suppose/world.ts';
import type { ChoiceCaches } from '../../../activities/hub/caches.ts';
import { BUNDLE } from '../../../crds/bundle/bundle.ts';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { DRAIN, type Drain } from '../../../crds/drain/drain.ts';
import { RCS_CONFIG, RCS_CONFIG_KEY, type RcsConfig } from '../../../crds/hub/rcs-config.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import {
  ADD_ON_PLACEMENT_SCORE,
  byPlacement,
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
  PLACEMENT_DECISION,
  type AddOnPlacementScore,
  type ManagedClusterSet,
  type ManagedClusterSetBinding,
  type Placement,
  type PlacementDecision,
} from '../../../crds/ocm/placements.ts';
import { byCluster, byName, byWorkName, workName } from '../../../crds/ocm/work-identity.ts';
import { CAPP_SET } from '../../../crds/set/cappset.ts';
import { isForbidden } from '../../../kube/failure.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { listed } from '../../../kube/watch/listed.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { ifAllowed } from '../objects/if-any.ts';

export interface Supposed {
  readonly outlooks: readonly Outlook[];
  /** Kinds that the person may not read, so that what they say is missing. */
  readonly unread: readonly string[];
}

/** Throws ApiError where Capps, sites, the RCSConfig, Placements or decisions cannot be read. */
export async function suppose(hub: ConnectedHub, site: string, supposition: Supposition): Promise<Supposed> {
  const { options, spreads, unread } = await readWorld(hub);
  return { outlooks: outlooksOn(options, { site, supposition, spreads }, Date.now()), unread };
}

/** What would go otherwise after the edit. Throws as `suppose` does. */
export async function supposeEdit(hub: ConnectedHub, edit: SupposedEdit): Promise<Supposed> {
  const { options, spreads, unread } = await readWorld(hub);
  return { outlooks: differencesBy(options, edit, spreads, Date.now()), unread };
}

async function readWorld(hub: ConnectedHub) {
  const unread: string[] = [];
  const [caches, spreads, hubUid] = await Promise.all([
    readCaches(hub, unread),
    readSpreads(hub, unread),
    readHubUid(hub),
  ]);
  return {
    options: { caches, hubUid, config: RCS_CONFIG_KEY },
    spreads,
    unread: unread.toSorted(),
  };
}

async function readCaches(hub: ConnectedHub, unread: string[]): Promise<ChoiceCaches> {
  const all = async <T>(kind: Resource): Promise<T[]> => (await hub.kube.list<T & KubeObject>(kind)).items;
  const some = <T>(kind: Resource, metadataOnly = false) => optional<T>(hub, kind, { unread, metadataOnly });
  const [capps, clusters, configs, placements, decisions] = await Promise.all([
    all<Capp>(CAPP),
    all<ManagedCluster>(MANAGED_CLUSTER),
    all<RcsConfig>(RCS_CONFIG),
    all<Placement>(PLACEMENT),
    all<PlacementDecision>(PLACEMENT_DECISION),
  ]);
  const [clusterSets, setBindings, scores, drains, works] = await Promise.all([
    some<ManagedClusterSet>(MANAGED_CLUSTER_SET),
    some<ManagedClusterSetBinding>(MANAGED_CLUSTER_SET_BINDING),
    some<AddOnPlacementScore>(ADD_ON_PLACEMENT_SCORE),
    some<Drain>(DRAIN),
    some<KubeObject>(MANIFEST_WORK, true),
  ]);
  return {
    capps: listed(capps, { work: byWorkName }),
    clusters: listed(clusters),
    configs: listed(configs),
    placements: listed(placements),
    decisions: listed(decisions, { placement: byPlacement }),
    clusterSets: listed(clusterSets ?? []),
    setBindings: listed(setBindings ?? []),
    scores: listed(scores ?? []),
    drains: listed(drains ?? []),
    works: listed(works ?? capps.flatMap(workByStatus), { name: byName, cluster: byCluster }),
  };
}

/** Who may not read works knows from its status where a Capp has one. */
function workByStatus({ metadata: { namespace = '', name }, status }: Capp): KubeObject[] {
  const site = status?.migration?.serving ?? status?.applicationLinks?.site;
  return site === undefined || site === null
    ? []
    : [{ metadata: { namespace: site, name: workName(namespace, name) } }];
}

async function readSpreads(hub: ConnectedHub, unread: string[]): Promise<SpreadObject[]> {
  const read = async (kind: Resource, as: SpreadObject['kind']): Promise<SpreadObject[]> => {
    const found = await optional<SpreadObject>(hub, kind, { unread, metadataOnly: false });
    return (found ?? []).map(({ metadata, spec }) => ({ kind: as, metadata, spec }));
  };
  return (await Promise.all([read(CAPP_SET, 'CappSet'), read(BUNDLE, 'Bundle')])).flat();
}

/** Null where the person may not read the kind, or the hub does not serve it. */
async function optional<T>(
  { kube }: ConnectedHub,
  kind: Resource,
  { unread, metadataOnly }: { readonly unread: string[]; readonly metadataOnly: boolean },
): Promise<T[] | null> {
  const found = await ifAllowed(kube.list<T & KubeObject>(kind, { metadataOnly }));
  if (found === null) unread.push(kind.plural);
  return found?.items ?? null;
}

/** Empty where it may not be read: then the hub is known by OCM's name and label for it alone. */
async function readHubUid({ kube }: ConnectedHub): Promise<string> {
  try {
    const home = await kube.getMetadata(NAMESPACE, { namespace: null, name: 'kube-system' });
    return home?.metadata.uid ?? '';
  } catch (error) {
    if (isForbidden(error)) return '';
    throw error;
  }
}
