// What the webhook keeps at hand, so that an answer costs no request: the kinds its rules look things up in, watched.
import type { Claims } from '../admission/claims.ts';
import type { Holder, Known } from '../admission/known.ts';
import { CAPP } from '../crds/capp.ts';
import { byHostname } from '../crds/hostname.ts';
import { LOCAL_CLUSTER, MANAGED_CLUSTER, PLACEMENT } from '../crds/ocm.ts';
import { RCS_CONFIG, type RcsConfig } from '../crds/rcs-config.ts';
import { cache, type Cache } from '../kube/cache.ts';
import type { Kube } from '../kube/client.ts';
import type { KubeObject } from '../kube/resource.ts';

/** Of a Capp: whose hostname it is, and which clusters serve it. */
interface Seen extends KubeObject {
  readonly spec?: { readonly routeSpec?: { readonly hostname?: string } };
  readonly status?: { readonly applicationLinks?: { readonly site?: string }; readonly migration?: { readonly serving?: string } };
}

export interface AdmissionCaches {
  readonly capps: Cache<Seen>;
  readonly configs: Cache<RcsConfig>;
  /** Metadata only, as of clusters. */
  readonly placements: Cache<KubeObject>;
  readonly clusters: Cache<KubeObject>;
}

export type OnProblem = (kind: string, error: unknown) => void;

export function admissionCaches(kube: Kube, onProblem: OnProblem): AdmissionCaches {
  const problem = (kind: string) => ({ onProblem: (error: unknown) => onProblem(kind, error) });
  const metadata = (resource: typeof PLACEMENT | typeof MANAGED_CLUSTER) =>
    cache<KubeObject>(kube, { resource, metadataOnly: true, transform: lean, ...problem(resource.kind) });
  return {
    capps: cache<Seen>(kube, { resource: CAPP, transform: needed, indexes: { hostname: byHostname, cluster }, ...problem(CAPP.kind) }),
    configs: cache<RcsConfig>(kube, { resource: RCS_CONFIG, ...problem(RCS_CONFIG.kind) }),
    placements: metadata(PLACEMENT),
    clusters: metadata(MANAGED_CLUSTER),
  };
}

export interface Place {
  readonly configKey: Known['configKey'];
  readonly namespace: string;
  readonly clusterDomain: string;
  readonly reserved: readonly string[];
}

/** As of now: what it gives must not be kept over a wait. */
export function knownFrom(caches: AdmissionCaches, place: Place, claimed: Claims): Known {
  const { capps, configs, placements, clusters } = caches;
  return {
    ...place,
    config: configs.get(place.configKey)?.spec ?? null,
    sites: () => clusters.list().map(({ metadata }) => ({ name: metadata.name, isHub: isHub(metadata) })),
    hasPlacement: (namespace, name) => placements.get({ namespace, name }) !== undefined,
    holders: (name) => [...capps.by('hostname', name).map(holderOf), ...claimed.of(name, Date.now())],
    servedBy: (name) => capps.by('cluster', name).map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`),
  };
}

function holderOf({ metadata }: Seen): Holder {
  return { namespace: metadata.namespace ?? '', name: metadata.name, deleting: metadata.deletionTimestamp !== undefined };
}

function isHub({ name, labels }: KubeObject['metadata']): boolean {
  return name === LOCAL_CLUSTER || labels?.[LOCAL_CLUSTER] === 'true';
}

function cluster({ status }: Seen): string[] {
  const names = [status?.applicationLinks?.site ?? '', status?.migration?.serving ?? ''];
  return [...new Set(names)].filter((name) => name !== '');
}

function needed({ apiVersion, kind, metadata, spec, status }: Seen): Seen {
  const { name, namespace, uid, resourceVersion, deletionTimestamp, finalizers } = metadata;
  const known = Object.entries({ name, namespace, uid, resourceVersion, deletionTimestamp, finalizers }).filter(
    ([, value]) => value !== undefined,
  );
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
  const { name, namespace, uid, resourceVersion, labels } = object.metadata;
  const known = Object.entries({ name, namespace, uid, resourceVersion, labels }).filter(([, value]) => value !== undefined);
  return { ...object, metadata: Object.fromEntries(known) as unknown as KubeObject['metadata'] };
}
