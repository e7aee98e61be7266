// What rules may look up besides the request: always in memory, never by a call of theirs.
import type { RcsConfigSpec } from '../crds/rcs-config.ts';

export interface Site {
  readonly name: string;
  /** By OCM's name or label for it. */
  readonly isHub: boolean;
  /** The RCSConfig allows Capps to be pinned to it. */
  readonly mayPin: boolean;
}

/** The Capp that has a hostname. */
export interface Holder {
  readonly namespace: string;
  readonly name: string;
  readonly deleting: boolean;
}

/** The CappRevision that a rollback names. */
export type Earlier =
  | { readonly is: 'missing' }
  | { readonly is: 'unread' }
  | {
      readonly is: 'there';
      readonly spec: unknown;
      /** The spec of the request has all of it. */
      readonly isHeld: boolean;
    };

export interface Known {
  /** The RCSConfig that the hub reads, or null if there is none. */
  readonly config: RcsConfigSpec | null;
  /** Namespace and name of that RCSConfig. */
  readonly configKey: { readonly namespace: string; readonly name: string };
  /** The namespace of Cappstan, whose service accounts are the control plane. */
  readonly namespace: string;
  /** The domain of Services inside clusters, such as cluster.local. */
  readonly clusterDomain: string;
  /** Namespaces in which no Capp may run, besides the built-in ones. */
  readonly reserved: readonly string[];
  /** Read for the one request that asks for it. */
  readonly earlier?: Earlier;
  sites(): readonly Site[];
  hasPlacement(namespace: string, name: string): boolean;
  /** Of a hostname as `canonicalHostname` spells it. */
  holders(hostname: string): readonly Holder[];
  /** "namespace/name" of each Capp that the cluster serves. */
  servedBy(cluster: string): readonly string[];
}
