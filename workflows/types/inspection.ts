// What a drill asks a site about, and what the site says: facts alone. Whether a Capp could run there decides
// the hub. Amounts are whole numbers: thousandths of a core, bytes, and pods.

/** Kinds that some Capps need on their site, and that not every site has. */
export const SITE_KINDS = [
  'Service',
  'NfsPvc',
  'PingSource',
  'KafkaSource',
  'Certificate',
  'SyslogNGFlow',
] as const;
export type SiteKind = (typeof SITE_KINDS)[number];

/** What a ResourceQuota may limit of pods. */
export const QUOTA_RESOURCES = [
  'pods',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
] as const;
export type QuotaResource = (typeof QUOTA_RESOURCES)[number];

/**
 * `OnNode`: a node has the image. `Failing`: a pod waits because it cannot be pulled. Otherwise whether nodes
 * have other images of its registry.
 */
export const IMAGE_SIGHTS = ['OnNode', 'Failing', 'KnownRegistry', 'UnknownRegistry'] as const;
export type ImageSight = (typeof IMAGE_SIGHTS)[number];

export interface InspectQuestion {
  /** A hundred at most. */
  readonly namespaces: readonly string[];
  /** Two hundred at most. */
  readonly images: readonly string[];
  readonly kinds: readonly SiteKind[];
  /** Whether to say what the nodes have left. */
  readonly wantsNodes: boolean;
}

/** What a node that takes pods has left. */
export interface NodeRoom {
  readonly cpu: number;
  readonly memory: number;
  readonly pods: number;
}

export interface QuotaRoom {
  readonly namespace: string;
  /** Of the ResourceQuota. */
  readonly name: string;
  readonly resource: QuotaResource;
  readonly hard: number;
  readonly used: number;
}

export interface Inspected {
  /** Those with the most memory left first, 200 at most; empty if they were not asked for. */
  readonly nodes: readonly NodeRoom[];
  /** Nodes that take pods and are not among these. */
  readonly moreNodes: number;
  /** Of the namespaces that were asked about: as many as an answer has room for. */
  readonly quotas: readonly QuotaRoom[];
  readonly areAllQuotas: boolean;
  /** In the order in which they were asked about. */
  readonly images: readonly ImageSight[];
  /** Of the kinds that were asked about, those that the site does not serve. */
  readonly absent: readonly SiteKind[];
}

export const MOST_INSPECTED = { namespaces: 100, images: 200, nodes: 200, quotas: 500 } as const;
