// What `kubectl capp doctor --pre` rests on: what a hub or a site is like before Cappstan is installed.
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import type { Read } from '../facts.ts';

/** An address that the chart will be given, tried from this machine. */
export interface TriedAddress {
  /** The flag that named it. */
  readonly flag: string;
  readonly text: string;
  /**
   * `Unreadable`: it is no `<host>:<port>`. `NoName`: DNS has no such host. `Silent`: nobody listens there.
   */
  readonly problem: 'Unreadable' | 'NoName' | 'Silent' | null;
}

export interface Before {
  readonly is: 'hub' | 'site';
  /** Of the API server, such as v1.34.1. */
  readonly version: string;
  /** Kinds as `<plural>.<group>`, and whether the API server serves them. */
  readonly served: Readonly<Record<string, boolean>>;
  /** Null: the person may not read them, or this is a site. */
  readonly clusters: Read<ManagedCluster>;
  /** What whoever installs the chart must be able to do and the person may not. */
  readonly refused: readonly string[];
  /** Where the chart would go. */
  readonly namespace: string;
  readonly addresses: readonly TriedAddress[];
}
