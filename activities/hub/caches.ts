// The hub worker's watched caches. A choice reads only these, and a rollout reads from them what seldom
// changes.
import { CAPP, type Capp } from '../../crds/capp/capp.ts';
import {
  NAMESPACE,
  ROLE_BINDING,
  SERVICE_ACCOUNT,
  type RoleBinding,
  type ServiceAccount,
} from '../../crds/kubernetes/core.ts';
import { DRAIN, isDraining, type Drain } from '../../crds/drain/drain.ts';
import { byHostname } from '../../crds/capp/hostname.ts';
import { BUNDLE_KEY, CHECKS_OF, SALT } from '../../crds/labels.ts';
import {
  byLogReaders,
  forLogReaders,
  forPullSecrets,
  forPodSecurity,
} from '../../crds/kubernetes/neighbours.ts';
import { MANAGED_CLUSTER, MANIFEST_WORK, type ManagedCluster } from '../../crds/ocm/ocm.ts';
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
} from '../../crds/ocm/placements.ts';
import { bySet, setOf } from '../../crds/set/child.ts';
import { RCS_CONFIG, type RcsConfig } from '../../crds/hub/rcs-config.ts';
import { bundleOfWork } from '../../crds/ocm/bundle-work.ts';
import { bundleOfChecks } from '../../crds/ocm/check-work.ts';
import { byCluster, byName, byWorkName } from '../../crds/ocm/work-identity.ts';
import { slim } from '../../crds/kubernetes/slim.ts';
import { slimCluster } from '../../crds/ocm/slim-cluster.ts';
import { cachesOf, type Cache, type OnProblem, withoutManagedFields } from '../../kube/watch/cache.ts';
import type { Kube } from '../../kube/client.ts';
import { keyText, type KubeObject } from '../../kube/resource.ts';
import { byHealth } from './place/fleet-health.ts';
import { withOthersFields } from './set/hand-edits.ts';
import { seenWork, type BundleWork } from './bundle/status/seen.ts';

export interface HubCaches {
  /**
   * Indexed by hostname, by the site in their status, by the names of their works, by their set, and by
   * health.
   */
  readonly capps: Cache<Capp>;
  readonly configs: Cache<RcsConfig>;
  readonly placements: Cache<Placement>;
  readonly decisions: Cache<PlacementDecision>;
  readonly clusterSets: Cache<ManagedClusterSet>;
  readonly setBindings: Cache<ManagedClusterSetBinding>;
  readonly clusters: Cache<ManagedCluster>;
  readonly scores: Cache<AddOnPlacementScore>;
  readonly drains: Cache<Drain>;
  /** Metadata only: works with names that Cappstan gives, by name and by cluster. */
  readonly works: Cache<KubeObject>;
  /**
   * Works labelled as Bundles', without what they carry, by the Bundle that their name tells, and by cluster.
   */
  readonly bundleWorks: Cache<BundleWork>;
  /** Works with the Jobs that check Bundles, in the same form, by the Bundle that they check. */
  readonly checkWorks: Cache<BundleWork>;
  /** With their pull secrets only. */
  readonly serviceAccounts: Cache<ServiceAccount>;
  /** With subjects only for those that let subjects read logs; these by namespace. */
  readonly roleBindings: Cache<RoleBinding>;
  /** With their labels of pod security only: some 300 bytes each. */
  readonly namespaces: Cache<KubeObject>;
}

/** What a choice of a site reads. */
export type ChoiceCaches = Omit<
  HubCaches,
  'bundleWorks' | 'checkWorks' | 'serviceAccounts' | 'roleBindings' | 'namespaces'
>;

export function hubCaches(kube: Kube, onProblem: OnProblem): HubCaches {
  const watch = cachesOf(kube, onProblem);
  return {
    capps: watch<Capp>(CAPP, {
      transform: forChoosing,
      indexes: { hostname: byHostname, site: bySite, work: byWorkName, set: bySet, health: byHealth },
    }),
    configs: watch<RcsConfig>(RCS_CONFIG),
    placements: watch<Placement>(PLACEMENT),
    decisions: watch<PlacementDecision>(PLACEMENT_DECISION, { indexes: { placement: byPlacement } }),
    clusterSets: watch<ManagedClusterSet>(MANAGED_CLUSTER_SET),
    setBindings: watch<ManagedClusterSetBinding>(MANAGED_CLUSTER_SET_BINDING),
    clusters: watch<ManagedCluster>(MANAGED_CLUSTER, { transform: slimCluster }),
    scores: watch<AddOnPlacementScore>(ADD_ON_PLACEMENT_SCORE),
    drains: watch<Drain>(DRAIN, { transform: withoutProgress }),
    works: watch<KubeObject>(MANIFEST_WORK, {
      metadataOnly: true,
      transform: withoutSalt,
      indexes: { name: byName, cluster: byCluster, bundle: byBundle, checks: byChecked },
    }),
    bundleWorks: watch<BundleWork>(MANIFEST_WORK, {
      labelSelector: BUNDLE_KEY,
      transform: (work) => seenWork(work),
      indexes: { bundle: byBundle, cluster: ({ metadata: { namespace = '' } }) => [namespace] },
    }),
    checkWorks: watch<BundleWork>(MANIFEST_WORK, {
      labelSelector: CHECKS_OF,
      transform: (work) => seenWork(work),
      indexes: { checks: byChecked },
    }),
    serviceAccounts: watch<ServiceAccount>(SERVICE_ACCOUNT, { transform: forPullSecrets }),
    roleBindings: watch<RoleBinding>(ROLE_BINDING, {
      transform: forLogReaders,
      indexes: { logReaders: byLogReaders },
    }),
    namespaces: watch<KubeObject>(NAMESPACE, { metadataOnly: true, transform: forPodSecurity }),
  };
}

/** The Drain of a cluster; undefined if there is none, or if it is a dry run. */
export function standingDrain({ drains }: Pick<HubCaches, 'drains'>, cluster: string): Drain | undefined {
  const drain = drains.get({ namespace: null, name: cluster });
  return drain !== undefined && isDraining(drain) ? drain : undefined;
}

/** The status of a Drain changes every few seconds, and no placement needs it. */
function withoutProgress({ status: _status, ...drain }: Drain): Drain {
  return withoutManagedFields(drain);
}

/**
 * A choice and a publication need little of a Capp. An apply reads its pod spec live; that of a set's Capp is
 * compared with what the set wrote, and with who else wrote to it.
 */
function forChoosing(capp: Capp): Capp {
  const { observedGeneration, applicationLinks, migration, sites, conditions } = capp.status ?? {};
  const { verification, failedVerification } = capp.status ?? {};
  const checks = { verification, failedVerification };
  const known = { observedGeneration, applicationLinks, migration, sites, conditions, ...checks };
  const kept = Object.entries(known).filter(([, value]) => value !== undefined);
  const isOfSet = setOf(capp) !== null;
  return {
    ...(isOfSet ? withOthersFields(capp) : withoutManagedFields(capp)),
    spec: isOfSet ? capp.spec : { ...capp.spec, ...withImagesOf(capp) },
    status: Object.fromEntries(kept),
  };
}

/** Of its pods: what is unhealthy with one image elsewhere is not the fault of a site. */
function withImagesOf({ spec }: Capp): Pick<Capp['spec'], 'configurationSpec'> {
  const given: unknown = spec.configurationSpec?.template?.spec?.containers;
  const all: readonly ({ name?: unknown; image?: unknown } | null)[] = Array.isArray(given) ? given : [];
  const containers = all.flatMap((one) =>
    typeof one?.image === 'string' && typeof one.name === 'string'
      ? [{ name: one.name, image: one.image }]
      : [],
  );
  return { configurationSpec: { template: { spec: { containers } } } };
}

function withoutSalt(work: KubeObject): KubeObject {
  const { [SALT]: _salt, ...annotations } = work.metadata.annotations ?? {};
  return slim({ ...work, metadata: { ...work.metadata, annotations } });
}

function byBundle(work: KubeObject): string[] {
  const bundle = bundleOfWork(work);
  return bundle === null ? [] : [keyText(bundle)];
}

/** The Bundle that its Jobs check. */
function byChecked(work: KubeObject): string[] {
  const bundle = bundleOfChecks(work);
  return bundle === null ? [] : [keyText(bundle)];
}

/** The site in its status. */
function bySite({ status }: Capp): string[] {
  const site = status?.applicationLinks?.site;
  return site === undefined ? [] : [site];
}
