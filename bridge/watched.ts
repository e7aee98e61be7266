// What the bridge watches on the hub. Of Secrets, ConfigMaps, works and add-ons it asks for metadata only.
import { cappOfWork } from '../crds/capp-key.ts';
import { ADD_ON } from '../crds/add-on.ts';
import { CAPP, type Capp } from '../crds/capp.ts';
import { CONFIG_MAP, SECRET } from '../crds/core.ts';
import {
  MANAGED_CLUSTER,
  MANAGED_CLUSTER_ADD_ON,
  MANIFEST_WORK,
  PLACEMENT,
  PLACEMENT_DECISION,
  type ManagedCluster,
  type Placement,
  type PlacementDecision,
} from '../crds/ocm.ts';
import { hostnameOf } from '../crds/hostname.ts';
import { normalise } from '../crds/normalise.ts';
import { RCS_CONFIG, type RcsConfig } from '../crds/rcs-config.ts';
import { references } from '../crds/references.ts';
import { cache, type Cache } from '../kube/cache.ts';
import type { Kube } from '../kube/client.ts';
import { withoutManagedFields } from '../kube/lean.ts';
import type { KubeObject } from '../kube/resource.ts';

export interface Watched {
  readonly capps: Cache<Capp>;
  /** The one that counts, if it is there. */
  readonly configs: Cache<RcsConfig>;
  readonly placements: Cache<Placement>;
  readonly decisions: Cache<PlacementDecision>;
  readonly clusters: Cache<ManagedCluster>;
  /** Our add-on, in the namespace of each cluster that has it. */
  readonly agents: Cache<KubeObject>;
  readonly works: Cache<KubeObject>;
  readonly secrets: Cache<KubeObject>;
  readonly configMaps: Cache<KubeObject>;
}

export type OnProblem = (kind: string, error: unknown) => void;

/** `config` is where the one RCSConfig stands that counts. */
export function watchHub(kube: Kube, config: { readonly namespace: string; readonly name: string }, onProblem: OnProblem): Watched {
  const metadata = (resource: typeof SECRET | typeof CONFIG_MAP) =>
    cache<KubeObject>(kube, {
      resource,
      metadataOnly: true,
      transform: withoutManagedFields,
      onProblem: (error) => onProblem(resource.kind, error),
    });
  return {
    capps: cache<Capp>(kube, {
      resource: CAPP,
      transform: withoutManagedFields,
      indexes: {
        secret: (capp) => uses(capp, 'secrets'),
        configMap: (capp) => uses(capp, 'configMaps'),
        hostname: (capp) => [hostnameOf(capp)].filter((hostname) => hostname !== null),
      },
      onProblem: (error) => onProblem('Capp', error),
    }),
    configs: cache<RcsConfig>(kube, {
      resource: RCS_CONFIG,
      fieldSelector: `metadata.namespace=${config.namespace},metadata.name=${config.name}`,
      onProblem: (error) => onProblem('RCSConfig', error),
    }),
    placements: cache<Placement>(kube, { resource: PLACEMENT, onProblem: (error) => onProblem('Placement', error) }),
    decisions: cache<PlacementDecision>(kube, {
      resource: PLACEMENT_DECISION,
      onProblem: (error) => onProblem('PlacementDecision', error),
    }),
    clusters: cache<ManagedCluster>(kube, { resource: MANAGED_CLUSTER, onProblem: (error) => onProblem('ManagedCluster', error) }),
    agents: cache<KubeObject>(kube, {
      resource: MANAGED_CLUSTER_ADD_ON,
      fieldSelector: `metadata.name=${ADD_ON}`,
      metadataOnly: true,
      transform: withoutManagedFields,
      onProblem: (error) => onProblem('ManagedClusterAddOn', error),
    }),
    works: cache<KubeObject>(kube, {
      resource: MANIFEST_WORK,
      metadataOnly: true,
      transform: withoutManagedFields,
      indexes: { capp: (work) => cappOfWork(work) },
      onProblem: (error) => onProblem('ManifestWork', error),
    }),
    secrets: metadata(SECRET),
    configMaps: metadata(CONFIG_MAP),
  };
}

/** "namespace/name" of each Secret or ConfigMap that a Capp refers to. A spec that cannot be read refers to nothing. */
function uses(capp: Capp, kind: 'secrets' | 'configMaps'): string[] {
  try {
    const { namespace = '' } = capp.metadata;
    return references(normalise(capp).capp)[kind].map(({ name }) => `${namespace}/${name}`);
  } catch {
    return [];
  }
}
