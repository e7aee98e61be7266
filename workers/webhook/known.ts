// The webhook's caches, so that an answer costs no request.
import type { PendingNotes } from '../../admission/pending.ts';
import type { Draining, Holder, HubKnowledge } from '../../admission/known.ts';
import { CAPP } from '../../crds/capp/capp.ts';
import { byHostname } from '../../crds/capp/hostname.ts';
import { comparedName, hostnamesOf } from '../../crds/capp/route-name.ts';
import { DRAIN, isDraining, type Drain } from '../../crds/drain/drain.ts';
import { LOCAL_CLUSTER, MANAGED_CLUSTER } from '../../crds/ocm/ocm.ts';
import {
  MANAGED_CLUSTER_SET,
  MANAGED_CLUSTER_SET_BINDING,
  PLACEMENT,
  type ManagedClusterSet,
  type ManagedClusterSetBinding,
  type Placement,
} from '../../crds/ocm/placements.ts';
import { pinningOf } from '../../crds/ocm/pinning.ts';
import { RCS_CONFIG, type RcsConfig } from '../../crds/hub/rcs-config.ts';
import { setOf } from '../../crds/set/child.ts';
import { cachesOf, type Cache, type OnProblem } from '../../kube/watch/cache.ts';
import type { Kube } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/resource.ts';

/** The fields of a Capp that tell whose hostname it is, and which clusters serve it. */
export interface HostnameFields extends KubeObject {
  readonly spec?: { readonly routeSpec?: { readonly hostname?: string } };
  readonly status?: {
    readonly applicationLinks?: { readonly site?: string };
    readonly migration?: { readonly serving?: string };
  };
}

export interface AdmissionCaches {
  readonly capps: Cache<HostnameFields>;
  readonly configs: Cache<RcsConfig>;
  /** With the clustersets that they name. */
  readonly placements: Cache<Placement>;
  readonly clusterSets: Cache<ManagedClusterSet>;
  readonly setBindings: Cache<ManagedClusterSetBinding>;
  /** Metadata only. */
  readonly clusters: Cache<KubeObject>;
  readonly drains: Cache<Drain>;
}

export function admissionCaches(kube: Kube, onProblem: OnProblem): AdmissionCaches {
  const watch = cachesOf(kube, onProblem);
  return {
    capps: cappCache(kube, onProblem),
    configs: watch<RcsConfig>(RCS_CONFIG),
    placements: watch<Placement>(PLACEMENT, { transform: selecting }),
    clusterSets: watch<ManagedClusterSet>(MANAGED_CLUSTER_SET),
    setBindings: watch<ManagedClusterSetBinding>(MANAGED_CLUSTER_SET_BINDING),
    clusters: watch<KubeObject>(MANAGED_CLUSTER, { metadataOnly: true, transform: lean }),
    drains: watch<Drain>(DRAIN, { transform: ordering }),
  };
}

export function cappCache(kube: Kube, onProblem: OnProblem): Cache<HostnameFields> {
  return cachesOf(kube, onProblem)<HostnameFields>(CAPP, {
    transform: needed,
    indexes: { hostname: byHostname, cluster },
  });
}

export interface WebhookPlace {
  readonly configKey: HubKnowledge['configKey'];
  readonly namespace: string;
  readonly clusterDomain: string;
  readonly reserved: readonly string[];
}

/** A view of the caches as of now: do not keep it across an await. */
export function knownFrom(caches: AdmissionCaches, place: WebhookPlace, pending: PendingNotes): HubKnowledge {
  const { capps, configs, placements, clusters } = caches;
  const config = configs.get(place.configKey)?.spec ?? null;
  return {
    ...place,
    config,
    sites: () => {
      const mayPin = pinningOf(caches, config);
      return clusters.list().map(({ metadata }) => ({
        name: metadata.name,
        isHub: isHub(metadata),
        mayPin: mayPin(metadata.labels),
        ...(metadata.deletionTimestamp === undefined ? {} : { isGoing: true as const }),
        labels: metadata.labels ?? {},
      }));
    },
    hasPlacement: (namespace, name) => placements.get({ namespace, name }) !== undefined,
    holders: (name) => [
      ...hostnamesOf(name, config?.dns?.zone).flatMap((one) => capps.by('hostname', one).map(holderOf)),
      ...pending.hostnames.of(name, Date.now()),
    ],
    draining: () => drainingBy(caches, pending),
    servedBy: (name) =>
      capps.by('cluster', name).map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`),
  };
}

function drainingBy({ clusters, drains }: AdmissionCaches, pending: PendingNotes): Draining[] {
  return clusters.list().flatMap(({ metadata: { name } }): Draining[] => {
    const found = drains.get({ namespace: null, name });
    if (found !== undefined && isDraining(found)) return [{ site: name }];
    return pending.drains.of(name, Date.now()).length > 0 ? [{ site: name, isPending: true }] : [];
  });
}

export function hubHostnameKey(
  { configs }: Pick<AdmissionCaches, 'configs'>,
  { configKey }: Pick<WebhookPlace, 'configKey'>,
  hostname: string,
): string {
  return comparedName(hostname, configs.get(configKey)?.spec.dns?.zone);
}

export function holderOf({ metadata }: HostnameFields): Holder {
  const set = setOf({ metadata });
  return {
    ...(set === null ? {} : { set }),
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    deleting: metadata.deletionTimestamp !== undefined,
  };
}

function isHub({ name, labels }: KubeObject['metadata']): boolean {
  return name === LOCAL_CLUSTER || labels?.[LOCAL_CLUSTER] === 'true';
}

function cluster({ status }: HostnameFields): string[] {
  const names = [status?.applicationLinks?.site ?? '', status?.migration?.serving ?? ''];
  return [...new Set(names)].filter((name) => name !== '');
}

function needed({ apiVersion, kind, metadata, spec, status }: HostnameFields): HostnameFields {
  const { name, namespace, uid, resourceVersion, deletionTimestamp, finalizers } = metadata;
  const ownerReferences = setOf({ metadata }) === null ? undefined : metadata.ownerReferences;
  const known = Object.entries({
    name,
    namespace,
    uid,
    resourceVersion,
    deletionTimestamp,
    finalizers,
    ownerReferences,
  }).filter(([, value]) => value !== undefined);
  const host = spec?.routeSpec?.hostname;
  const site = status?.applicationLinks?.site;
  const serving = status?.migration?.serving;
  return {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
    metadata: Object.fromEntries(known) as unknown as KubeObject['metadata'],
    ...(host === undefined ? {} : { spec: { routeSpec: { hostname: host } } }),
    status: {
      ...(site === undefined ? {} : { applicationLinks: { site } }),
      ...(serving === undefined ? {} : { migration: { serving } }),
    },
  };
}

function lean(object: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, labels, deletionTimestamp } = object.metadata;
  const known = Object.entries({ name, namespace, uid, resourceVersion, labels, deletionTimestamp }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...object, metadata: Object.fromEntries(known) as unknown as KubeObject['metadata'] };
}

/** What it orders does not matter here: only whether its site is closed. */
function ordering(drain: Drain): Drain {
  const { apiVersion, kind, spec } = drain;
  const { metadata } = lean(drain);
  return {
    apiVersion,
    kind,
    metadata,
    spec: { dryRun: spec.dryRun } as Drain['spec'],
  };
}

function selecting({ spec, ...placement }: Placement): Placement {
  const { metadata } = lean(placement);
  return {
    metadata,
    ...(spec?.clusterSets === undefined ? {} : { spec: { clusterSets: spec.clusterSets } }),
  };
}
