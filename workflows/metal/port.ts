// What the workflows of SIPClusters and of hosts need from activities.

export interface SipRef {
  readonly namespace: string;
  readonly name: string;
}

/** Counts and sentences of ours. */
export type SipTurned =
  /** The SIPCluster is gone, and no host that was reserved for it is left. */
  | { readonly outcome: 'Gone' }
  | {
      readonly outcome: 'Turned';
      /** It lacks hosts that are free, or one has failed for which there is another. */
      readonly needsHosts: boolean;
      /** When to look again at the latest, in milliseconds since the epoch; null: when something changes. */
      readonly wakeAt: number | null;
      /** One line of markdown for people, in the Temporal UI. */
      readonly says: string;
    };

export interface Reserving {
  /**
   * `Reserved`: what was missing, or another host for a failed one. `Nothing`: there was nothing to reserve.
   * `Short`: not all that is missing is free. `Contended`: somebody else was faster each time. `Refused`: the
   * hub refuses a write; the status says which. In all but the first no host is held that was not held
   * before.
   */
  readonly outcome: 'Reserved' | 'Nothing' | 'Short' | 'Contended' | 'Refused';
  /** Hosts that this call has reserved. */
  readonly hosts: number;
  /** Free hosts that were left out, and why, for people. */
  readonly says?: string;
}

/** Activities of the hub worker for SIPClusters. What they are told is a name; all else they read live. */
export interface Metal {
  /**
   * Reads the SIPCluster and all BareMetalHosts, makes the services that it asks for where the hub allows it,
   * gives back what it has beyond what it wants once no service leads there, and writes its status. Reserves
   * nothing. Of a SIPCluster that is being deleted it removes the services, gives back every host when none
   * is left, and releases the finalizer; of one that is gone it gives back those that were reserved for it by
   * us. Where it asks for a site, it also does what is next on the way from its hosts to that site, or back:
   * a host is then given back only when the site is detached and the host is wiped; a token that it makes is
   * in no answer. Writes nothing that is unchanged, so a repeat only looks; each write of a host or a status
   * rests on the version that was read, and a service is applied as the next look would apply it. Throws
   * Unreachable, Conflict and Forbidden.
   */
  turnSipCluster(ref: SipRef): Promise<SipTurned>;
  /**
   * Reserves what a SIPCluster lacks, all of it or nothing, or another host for one that has failed, which
   * the next look gives back; a host to which its services could not lead is left out. Rings its workflow
   * whatever came of it. Only the workflow `hosts/hub` calls it, once at a time. A repeat finds what the
   * first try reserved; beside another, each host goes to whoever writes first, and the other gives back what
   * that call took. Throws Unreachable and Conflict.
   */
  reserveHosts(ref: SipRef): Promise<Reserving>;
  /**
   * Asks `hosts/hub` for that, and starts it if it does not run. A repeat asks once more. Throws Unreachable.
   */
  askForHosts(ref: SipRef): Promise<void>;
}
