// What the bridge watches on the hub. Of Secrets, ConfigMaps, works and add-ons it asks for metadata only. Of
// ServiceAccounts and RoleBindings, which hold no secrets, it keeps what a Capp's work depends on.
import { ADD_ON } from '../../crds/ocm/add-on.ts';
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import {
  CONFIG_MAP,
  ROLE_BINDING,
  SECRET,
  SERVICE_ACCOUNT,
  type RoleBinding,
  type ServiceAccount,
} from '../../crds/kubernetes/core.ts';
import {
  byLogReaders,
  forLogReaders,
  forPullSecrets,
  pullSecretsOf,
} from '../../crds/kubernetes/neighbours.ts';
import {
  MANAGED_CLUSTER,
  MANAGED_CLUSTER_ADD_ON,
  MANIFEST_WORK,
  type ManagedCluster,
} from '../../crds/ocm/ocm.ts';
import {
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
  PLACEMENT_DECISION,
  type ManagedClusterSet,
  type ManagedClusterSetBinding,
  type Placement,
  type PlacementDecision,
} from '../../crds/ocm/placements.ts';
import { BUNDLE, sourcesOf, type Bundle } from '../../crds/bundle/bundle.ts';
import { DRAIN, type Drain } from '../../crds/drain/drain.ts';
import { byHostname } from '../../crds/capp/hostname.ts';
import { factsAskedFor } from '../../crds/capp/spec/requires.ts';
import { CAPP_SET, type CappSet } from '../../crds/set/cappset.ts';
import { bySet } from '../../crds/set/child.ts';
import { RCS_CONFIG, type RcsConfig } from '../../crds/hub/rcs-config.ts';
import { byName, byWorkName } from '../../crds/ocm/work-identity.ts';
import { slim } from '../../crds/kubernetes/slim.ts';
import { slimCluster } from '../../crds/ocm/slim-cluster.ts';
import { cachesOf, type Cache, type OnProblem, withoutManagedFields } from '../../kube/watch/cache.ts';
import type { Kube } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { accountOf, configMapsOf, secretsOf } from './needs.ts';

export interface BridgeWatched {
  /**
   * Indexed by namespace, by what they refer to, by what they ask of sites, by the names of their works, and
   * by their set.
   */
  readonly capps: Cache<Capp>;
  /** The RCSConfig that is used, if it exists. */
  readonly configs: Cache<RcsConfig>;
  readonly placements: Cache<Placement>;
  readonly decisions: Cache<PlacementDecision>;
  readonly clusterSets: Cache<ManagedClusterSet>;
  readonly setBindings: Cache<ManagedClusterSetBinding>;
  readonly clusters: Cache<ManagedCluster>;
  /** Our add-on, in the namespace of each cluster that has it. */
  readonly agents: Cache<KubeObject>;
  /** Works with names that Cappstan gives, by name. */
  readonly works: Cache<KubeObject>;
  readonly drains: Cache<Drain>;
  /** Without the manifests that they hold; by what they read manifests from. */
  readonly bundles: Cache<Bundle>;
  readonly sets: Cache<CappSet>;
  readonly secrets: Cache<KubeObject>;
  readonly configMaps: Cache<KubeObject>;
  /** Indexed by their pull secrets. */
  readonly serviceAccounts: Cache<ServiceAccount>;
  /** Those that let subjects read logs, by namespace. */
  readonly roleBindings: Cache<RoleBinding>;
}

/** `config` is the key of the only RCSConfig that is used. */
export function watchHub(
  kube: Kube,
  config: { readonly namespace: string; readonly name: string },
  onProblem: OnProblem,
): BridgeWatched {
  const watch = cachesOf(kube, onProblem);
  return {
    capps: watch<Capp>(CAPP, {
      transform: withoutManagedFields,
      indexes: {
        namespace: inNamespace,
        secret: secretsOf,
        configMap: configMapsOf,
        serviceAccount: accountOf,
        hostname: byHostname,
        requires: ({ spec }) => factsAskedFor(spec.requires),
        work: byWorkName,
        set: bySet,
      },
    }),
    configs: watch<RcsConfig>(RCS_CONFIG, {
      fieldSelector: `metadata.namespace=${config.namespace},metadata.name=${config.name}`,
    }),
    placements: watch<Placement>(PLACEMENT),
    decisions: watch<PlacementDecision>(PLACEMENT_DECISION),
    clusterSets: watch<ManagedClusterSet>(MANAGED_CLUSTER_SET, { transform: withoutManagedFields }),
    setBindings: watch<ManagedClusterSetBinding>(MANAGED_CLUSTER_SET_BINDING, {
      transform: withoutManagedFields,
    }),
    clusters: watch<ManagedCluster>(MANAGED_CLUSTER, { transform: slimCluster }),
    agents: watch(MANAGED_CLUSTER_ADD_ON, { ...METADATA, fieldSelector: `metadata.name=${ADD_ON}` }),
    drains: watch<Drain>(DRAIN, { transform: withoutManagedFields }),
    bundles: watch<Bundle>(BUNDLE, {
      transform: withoutManifests,
      indexes: { secret: readsOf('secret'), configMap: readsOf('configMap') },
    }),
    sets: watch<CappSet>(CAPP_SET, { transform: withoutManagedFields }),
    works: watch(MANIFEST_WORK, { ...METADATA, indexes: { name: byName } }),
    secrets: watch(SECRET, METADATA),
    configMaps: watch(CONFIG_MAP, METADATA),
    serviceAccounts: watch<ServiceAccount>(SERVICE_ACCOUNT, {
      transform: forPullSecrets,
      indexes: { pullSecret: byPullSecret },
    }),
    roleBindings: watch<RoleBinding>(ROLE_BINDING, {
      transform: forLogReaders,
      indexes: { logReaders: byLogReaders },
    }),
  };
}

const METADATA = { metadataOnly: true, transform: slim } as const;

function byPullSecret(account: ServiceAccount): string[] {
  return pullSecretsOf(account).map((name) => `${account.metadata.namespace ?? ''}/${name}`);
}

/** What they hold is for the hub worker: a Secret may be written into a Bundle. */
function withoutManifests(bundle: Bundle): Bundle {
  const { manifests: _manifests, ...spec } = bundle.spec;
  return withoutManagedFields({ ...bundle, spec });
}

function readsOf(kind: 'configMap' | 'secret'): (bundle: Bundle) => string[] {
  return (bundle) => sourcesOf(bundle, kind).map((name) => `${bundle.metadata.namespace ?? ''}/${name}`);
}

function inNamespace({ metadata }: KubeObject): string[] {
  return [metadata.namespace ?? ''];
}
