// Reads what the hub knows of its sites.
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { HUB_STATUS } from '../../../crds/hub/hub-status.ts';
import { ADD_ON } from '../../../crds/ocm/add-on.ts';
import {
  MANAGED_CLUSTER,
  MANAGED_CLUSTER_ADD_ON,
  type ManagedCluster,
  type ManagedClusterAddOn,
} from '../../../crds/ocm/ocm.ts';
import { slimCluster } from '../../../crds/ocm/slim-cluster.ts';
import { ADD_ON_PLACEMENT_SCORE, type AddOnPlacementScore } from '../../../crds/ocm/placements.ts';
import { ApiError } from '../../../kube/failure.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { agentsIn, type ShownSiteFacts } from '../../explain/sites.ts';
import type { ConnectedHub } from '../connection/hub.ts';
import { readHubStatus } from './status.ts';

export interface FoundSites {
  readonly facts: ShownSiteFacts;
  /** Kinds that could not be read, so that what they say is missing. */
  readonly unread: readonly string[];
}

/** Throws ApiError if the person may not read ManagedClusters; everything else is optional. */
export async function readSites(hub: ConnectedHub): Promise<FoundSites> {
  const unread: string[] = [];
  const optional = async <T extends KubeObject>(resource: Resource, fieldSelector?: string): Promise<T[]> => {
    try {
      const selection = fieldSelector === undefined ? {} : { fieldSelector };
      return (await hub.kube.list<T>(resource, selection)).items;
    } catch (error) {
      if (!(error instanceof ApiError) || (error.code !== 403 && error.code !== 404)) throw error;
      unread.push(resource.plural);
      return [];
    }
  };
  const { items: clusters } = await hub.kube.list<ManagedCluster>(MANAGED_CLUSTER, { keep: slimCluster });
  const [status, addOns, scores, capps] = await Promise.all([
    readHubStatus(hub),
    optional<ManagedClusterAddOn>(MANAGED_CLUSTER_ADD_ON, `metadata.name=${ADD_ON}`),
    optional<AddOnPlacementScore>(ADD_ON_PLACEMENT_SCORE),
    optional<Capp>(CAPP),
  ]);
  if (status === null) unread.push(HUB_STATUS.plural);
  const facts = { clusters, addOns, scores, capps, agents: agentsIn(status ?? {}) };
  return { facts, unread: unread.toSorted() };
}
