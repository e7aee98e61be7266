// What rules may know besides the request: looked up in memory, never asked of anybody.
import type { RcsConfigSpec } from '../crds/rcs-config.ts';

export interface Site {
  readonly name: string;
  /** By OCM's name or label for it. */
  readonly isHub: boolean;
  /** By the RCSConfig's word a Capp may be sent there by its name. */
  readonly mayPin: boolean;
}

/** Who has a hostname. */
export interface Holder {
  readonly namespace: string;
  readonly name: string;
  readonly deleting: boolean;
}

export interface Known {
  /** The RCSConfig that the hub reads, or null if there is none. */
  readonly config: RcsConfigSpec | null;
  /** Where that stands. */
  readonly configKey: { readonly namespace: string; readonly name: string };
  /** Where Cappstan runs: its service accounts change nothing that a user wants. */
  readonly namespace: string;
  /** The domain of Services inside clusters, such as cluster.local. */
  readonly clusterDomain: string;
  /** Namespaces in which no Capp may run, besides those that never may. */
  readonly reserved: readonly string[];
  sites(): readonly Site[];
  hasPlacement(namespace: string, name: string): boolean;
  /** Of a hostname as `canonicalHostname` spells it. */
  holders(hostname: string): readonly Holder[];
  /** "namespace/name" of each Capp that the cluster serves. */
  servedBy(cluster: string): readonly string[];
}
