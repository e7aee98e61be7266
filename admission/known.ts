// What rules may look up besides the request: always in memory, never by a call of theirs.
import type { RcsConfigSpec } from '../crds/hub/rcs-config.ts';

export interface KnownSite {
  readonly name: string;
  /** By OCM's name or label for it. */
  readonly isHub: boolean;
  /** The RCSConfig allows Capps to be pinned to it. */
  readonly mayPin: boolean;
  /** Its ManagedCluster is being deleted. */
  readonly isGoing?: true;
  /** The labels of the ManagedCluster. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** The Capp that has a hostname. */
export interface Holder {
  readonly namespace: string;
  readonly name: string;
  readonly deleting: boolean;
  /** The set that it is of, as `setOf` says it; its siblings may have the hostname as well. */
  readonly set?: string;
  /** It was admitted a moment ago, and no cache shows it: nobody knows whether it was ever stored. */
  readonly isPending?: true;
}

export interface Draining {
  readonly site: string;
  /** Its Drain was let in a moment ago, and no cache shows it: nobody knows whether it was ever stored. */
  readonly isPending?: true;
}

/** The CappRevision that a rollback names. */
export type NamedRevision =
  | { readonly is: 'missing' }
  | { readonly is: 'unread' }
  | {
      readonly is: 'there';
      readonly spec: unknown;
      /** The spec of the request has all of it. */
      readonly isHeld: boolean;
    };

/** On hubs and on sites. */
export interface Common {
  /** The RCSConfig of a hub, the CappConfig of a site. */
  readonly config: Pick<RcsConfigSpec, 'defaultResources'> | null;
  /** The namespace of Cappstan, whose service accounts are the control plane. */
  readonly namespace: string;
  /** The domain of Services inside clusters, such as cluster.local. */
  readonly clusterDomain: string;
  /** Namespaces in which no Capp may run, besides the built-in ones. */
  readonly reserved: readonly string[];
  /** Read for the one request that asks for it. */
  readonly earlier?: NamedRevision;
  /**
   * Who has a hostname, which is given with its zone, as `comparedName` spells it. Those that are pending
   * come last.
   */
  holders(hostname: string): readonly Holder[];
}

/** On a hub. */
export interface HubKnowledge extends Common {
  /** The RCSConfig that the hub reads, or null if there is none. */
  readonly config: RcsConfigSpec | null;
  /** Namespace and name of that RCSConfig. */
  readonly configKey: { readonly namespace: string; readonly name: string };
  sites(): readonly KnownSite[];
  hasPlacement(namespace: string, name: string): boolean;
  /** The sites with a Drain that is no dry run and stands, and those whose Drain was let in a moment ago. */
  draining(): readonly Draining[];
  /** "namespace/name" of each Capp that the cluster serves. */
  servedBy(cluster: string): readonly string[];
}

/** On a site. */
export interface SiteKnown extends Common {
  readonly config: SiteRules;
}

/** What the site's CappConfig says of Capps that are written there. */
export interface SiteRules extends Pick<RcsConfigSpec, 'defaultResources'> {
  /** In lower case, with a dot at its end, or null. */
  readonly zone: string | null;
  readonly maxKafkaConsumers: number;
  /** Takes the spellings of one hostname. Why it may not be had, in whole sentences, or null. */
  hostnameFault(names: readonly string[]): string | null;
  /** The most that a Capp may ask for; null for no limit. */
  readonly limits: {
    readonly minReplicas: number | null;
    readonly maxReplicas: number | null;
    readonly scaleDelaySeconds: number | null;
  };
  /** Annotations of a template as they are after the limits. */
  limited(annotations: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
}
