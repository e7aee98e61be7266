// The site operator's caches, and which Capp each object belongs to.
import { CAPP, type Capp } from '../crds/capp/capp.ts';
import { CONFIG_MAP, POD, NAMESPACE, type Pod } from '../crds/kubernetes/core.ts';
import { CAPP_OF_REVISION, CAPP_UID, PARENT_CAPP } from '../crds/labels.ts';
import {
  DOMAIN_MAPPING,
  KNATIVE_FEATURES,
  KNATIVE_CONFIGURATION_LABEL,
  KNATIVE_REVISION,
  KNATIVE_SERVICE,
  KNATIVE_SERVICE_LABEL,
  NFS_PVC,
  type DomainMapping,
  type KnativeRevision,
  type KnativeService,
  type NfsPvc,
} from '../crds/kubernetes/knative.ts';
import { CERTIFICATE, type CertificateObject } from '../crds/kubernetes/certificate.ts';
import { KAFKA_SOURCE, PING_SOURCE, type KnativeSource } from '../crds/kubernetes/eventing.ts';
import { SYSLOG_NG_FLOW, SYSLOG_NG_OUTPUT, type SyslogNgObject } from '../crds/kubernetes/logging.ts';
import { sourceName, sourcesOf } from './events/asked.ts';
import { cache, type Cache, type OnProblem, withoutManagedFields } from '../kube/watch/cache.ts';
import type { Kube } from '../kube/client.ts';
import type { KubeObject, Resource } from '../kube/resource.ts';
import { BY_CAPP } from './objects/by-capp.ts';
import { optional, type Optional } from '../kube/watch/optional.ts';
import { canonicalHostname } from '../crds/capp/hostname.ts';
import { CAPP_CONFIG, CAPP_CONFIG_NAME } from '../crds/capp-config.ts';
import { AUTOSCALE_DEFAULTS, DNS_CONFIG } from '../crds/former-config.ts';
import { CAPP_REVISION } from '../crds/capp-revision.ts';
import { CAPP_SECRET, type CappSecret } from '../crds/sealing/capp-secret.ts';
import type { CappConfig } from './config/capp-config.ts';
import { namedConfigMap, type NamedConfigMap } from './config-map.ts';
import type { LiveConfig } from './config/live.ts';
import { RECORDS, type NamedRecord } from '../crds/dns-record.ts';
import type { NamespaceOpenings } from './namespaces/openings.ts';
import type { Recorder } from './recorder.ts';
import type { RevisionHistory } from './revisions/history.ts';
import type { Steps } from './workload/steps.ts';
import type { Unrouted } from './route/unrouted.ts';
import type { Undeployed } from './workload/undeployed.ts';
import type { Unserved } from './workload/unserved.ts';
import type { Unmade } from './workload/unmade.ts';
import type { Unstarted } from './workload/unstarted.ts';
import type { Refusals } from './objects/refusals.ts';

/** The index of the Capps by what they ask for by name; keys are `claimKey`s. */
export const BY_CLAIM = 'asked';

export interface Watched {
  readonly capps: Cache<Capp>;
  readonly services: Optional<KnativeService>;
  readonly revisions: Optional<KnativeRevision>;
  readonly nfsPvcs: Optional<NfsPvc>;
  readonly domainMappings: Optional<DomainMapping>;
  readonly certificates: Optional<CertificateObject>;
  readonly records: Optional<NamedRecord>;
  /** By the uid of their Capp; those of others too, for the names that they have. */
  readonly clusterRecords: Optional<NamedRecord>;
  readonly syslogNgFlows: Optional<SyslogNgObject>;
  readonly syslogNgOutputs: Optional<SyslogNgObject>;
  readonly pingSources: Optional<KnativeSource>;
  readonly kafkaSources: Optional<KnativeSource>;
  /** Secrets that come sealed. */
  readonly cappSecrets: Optional<CappSecret>;
  readonly cappConfigs: Optional<CappConfig>;
  /** What counts where there is none. */
  readonly autoscaleDefaults: NamedConfigMap;
  readonly dnsConfig: NamedConfigMap;
  /** What Knative takes of a Pod. */
  readonly features: NamedConfigMap;
  /** Metadata only. */
  readonly cappRevisions: Optional<KubeObject>;
  readonly pods: Cache<Pod>;
  /** Metadata only. */
  readonly namespaces: Cache<KubeObject>;
}

/** What a Capp may ask for; a site serves it or not. */
export function optionalKinds(watched: Watched): readonly Optional<KubeObject>[] {
  const { services, revisions, nfsPvcs, domainMappings, certificates } = watched;
  const { records, clusterRecords, cappRevisions } = watched;
  const { syslogNgFlows, syslogNgOutputs, pingSources, kafkaSources } = watched;
  const first = [services, revisions, nfsPvcs, domainMappings, certificates, records, clusterRecords];
  return [...first, syslogNgFlows, syslogNgOutputs, pingSources, kafkaSources, cappRevisions];
}

/** What a look at a Capp needs. */
export interface OperatedSite {
  readonly kube: Kube;
  readonly watched: Watched;
  readonly config: LiveConfig;
  readonly steps: Steps;
  readonly recorder: Pick<Recorder, 'published'>;
  readonly history: RevisionHistory;
  /** Namespaces in which no Capp may run, besides those that never may. */
  readonly reserved: readonly string[];
  readonly refusals: Refusals;
  readonly unserved: Unserved;
  readonly unrouted: Unrouted;
  readonly undeployed: Undeployed;
  readonly unmade: Unmade;
  readonly unstarted: Unstarted;
  readonly openings: NamespaceOpenings;
}

export function watchSite(kube: Kube, onProblem: OnProblem): Watched {
  const options = <T extends KubeObject>(resource: Resource) => ({
    resource,
    transform: (object: T): T => withoutManagedFields(object),
    onProblem: (error: unknown) => onProblem(resource.kind, error),
  });
  const ofCapps = <T extends KubeObject>(resource: Resource): Optional<T> =>
    optional<T>(kube, { ...options(resource), indexes: { [BY_CAPP]: byLabel(PARENT_CAPP) } });
  const configMap = (key: { readonly namespace: string; readonly name: string }): NamedConfigMap =>
    namedConfigMap(kube, key, (error) => onProblem(CONFIG_MAP.kind, error));
  return {
    capps: cache<Capp>(kube, { ...options(CAPP), indexes: { [BY_CLAIM]: claimsOf } }),
    services: optional<KnativeService>(kube, options(KNATIVE_SERVICE)),
    revisions: optional<KnativeRevision>(kube, {
      ...options(KNATIVE_REVISION),
      indexes: { [BY_CAPP]: byLabel(KNATIVE_CONFIGURATION_LABEL) },
    }),
    nfsPvcs: ofCapps<NfsPvc>(NFS_PVC),
    domainMappings: ofCapps<DomainMapping>(DOMAIN_MAPPING),
    certificates: ofCapps<CertificateObject>(CERTIFICATE),
    records: ofCapps<NamedRecord>(RECORDS.Namespaced),
    clusterRecords: optional<NamedRecord>(kube, {
      ...options(RECORDS.Cluster),
      indexes: { [BY_CAPP]: ({ metadata: { labels } }) => [labels?.[CAPP_UID] ?? ''] },
    }),
    syslogNgFlows: ofCapps<SyslogNgObject>(SYSLOG_NG_FLOW),
    syslogNgOutputs: ofCapps<SyslogNgObject>(SYSLOG_NG_OUTPUT),
    pingSources: ofCapps<KnativeSource>(PING_SOURCE),
    kafkaSources: ofCapps<KnativeSource>(KAFKA_SOURCE),
    cappSecrets: optional<CappSecret>(kube, options(CAPP_SECRET)),
    cappConfigs: optional<CappConfig>(kube, {
      ...options(CAPP_CONFIG),
      fieldSelector: `metadata.name=${CAPP_CONFIG_NAME}`,
    }),
    autoscaleDefaults: configMap(AUTOSCALE_DEFAULTS),
    dnsConfig: configMap(DNS_CONFIG),
    features: configMap(KNATIVE_FEATURES),
    cappRevisions: optional<KubeObject>(kube, {
      ...options(CAPP_REVISION),
      metadataOnly: true,
      labelSelector: CAPP_OF_REVISION,
      indexes: { [BY_CAPP]: byLabel(CAPP_OF_REVISION) },
    }),
    pods: cache<Pod>(kube, {
      ...options(POD),
      labelSelector: KNATIVE_SERVICE_LABEL,
      transform: leanPod,
      indexes: { [BY_CAPP]: byLabel(KNATIVE_SERVICE_LABEL) },
    }),
    namespaces: cache<KubeObject>(kube, {
      ...options(NAMESPACE),
      metadataOnly: true,
    }),
  };
}

export function claimKey(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}

/**
 * A Capp is reconciled for these even while they belong to somebody else. A domain is claimed by its hostname
 * (`hostnamesOf`), and so is a cluster-scoped DNS record, across namespaces.
 */
function claimsOf(capp: Capp): string[] {
  const {
    metadata: { namespace = '' },
    spec,
  } = capp;
  const volumes = (spec.volumesSpec?.nfsVolumes ?? []).map(({ name }) =>
    claimKey(NFS_PVC.kind, namespace, name),
  );
  const { hostname = '' } = spec.routeSpec ?? {};
  const sources = sourcesOf(capp).map((source) =>
    claimKey(PING_SOURCE.kind, namespace, sourceName(capp, source)),
  );
  if (hostname === '') return [...volumes, ...sources];
  const host = canonicalHostname(hostname);
  const routes = [claimKey(DOMAIN_MAPPING.kind, namespace, host), claimKey(RECORDS.Cluster.kind, '', host)];
  return [...volumes, ...sources, ...routes];
}

function byLabel(label: string): (object: KubeObject) => string[] {
  return ({ metadata: { namespace = '', labels } }) => {
    const name = labels?.[label];
    return name === undefined ? [] : [`${namespace}/${name}`];
  };
}

/** Of a Pod, what tells how its containers fare; the words of a container stay out of memory. */
function leanPod({ metadata, status }: Pod): Pod {
  const { name, namespace, uid, resourceVersion, labels, deletionTimestamp } = metadata;
  const known = { name, namespace, uid, resourceVersion, labels, deletionTimestamp };
  const { conditions, containerStatuses, initContainerStatuses } = status ?? {};
  return JSON.parse(
    JSON.stringify({ metadata: known, status: { conditions, containerStatuses, initContainerStatuses } }),
    quiet,
  );
}

function quiet(key: string, value: unknown): unknown {
  return key === 'message' ? undefined : value;
}
