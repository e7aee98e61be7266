// What the bridge watches on the hub. Of Secrets, ConfigMaps, works and add-ons it asks for metadata only; of ServiceAccounts and RoleBindings,
// which hold no secrets and whose metadata tells nothing, it keeps what a Capp's work rests on.
import { cappOfWork } from '../crds/capp-key.ts';
import { ADD_ON } from '../crds/add-on.ts';
import { CAPP, type Capp } from '../crds/capp.ts';
import { CONFIG_MAP, ROLE_BINDING, SECRET, SERVICE_ACCOUNT, type RoleBinding, type ServiceAccount } from '../crds/core.ts';
import { forLogReaders, letsReadLogs } from '../crds/log-readers.ts';
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
import { forPullSecrets, pullSecretsOf } from '../crds/pull-secrets.ts';
import { RCS_CONFIG, type RcsConfig } from '../crds/rcs-config.ts';
import { cache, type Cache } from '../kube/cache.ts';
import type { Kube } from '../kube/client.ts';
import { withoutManagedFields } from '../kube/lean.ts';
import type { KubeObject } from '../kube/resource.ts';
import { accountOf, configMapsOf, secretsOf } from './needs.ts';

export interface Watched {
  /** By namespace, and by what they refer to. */
  readonly capps: Cache<Capp>;
  readonly configs: Cache<RcsConfig>;
  readonly placements: Cache<Placement>;
  readonly decisions: Cache<PlacementDecision>;
  readonly clusters: Cache<ManagedCluster>;
  /** Our add-on, in the namespace of each cluster that has it. */
  readonly agents: Cache<KubeObject>;
  readonly works: Cache<KubeObject>;
  readonly secrets: Cache<KubeObject>;
  readonly configMaps: Cache<KubeObject>;
  /** By their pull secrets. */
  readonly serviceAccounts: Cache<ServiceAccount>;
  /** Those that let read logs by namespace. */
  readonly roleBindings: Cache<RoleBinding>;
}

export type OnProblem = (kind: string, error: unknown) => void;

export function watchHub(kube: Kube, onProblem: OnProblem): Watched {
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
      indexes: { namespace: inNamespace, secret: secretsOf, configMap: configMapsOf, serviceAccount: accountOf },
      onProblem: (error) => onProblem('Capp', error),
    }),
    configs: cache<RcsConfig>(kube, { resource: RCS_CONFIG, onProblem: (error) => onProblem('RCSConfig', error) }),
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
    serviceAccounts: cache<ServiceAccount>(kube, {
      resource: SERVICE_ACCOUNT,
      transform: forPullSecrets,
      indexes: { pullSecret: (account) => pullSecretsOf(account).map((name) => `${account.metadata.namespace ?? ''}/${name}`) },
      onProblem: (error) => onProblem('ServiceAccount', error),
    }),
    roleBindings: cache<RoleBinding>(kube, {
      resource: ROLE_BINDING,
      transform: forLogReaders,
      indexes: { logReaders: (binding) => (letsReadLogs(binding) ? inNamespace(binding) : []) },
      onProblem: (error) => onProblem('RoleBinding', error),
    }),
  };
}

function inNamespace({ metadata }: KubeObject): string[] {
  return [metadata.namespace ?? ''];
}
