// What the chain from a host to a site and back knows: facts of one read, and no object or secret of it.
import type { JoinVerdict } from '../../join/verdict.ts';
import type { JoinedReason, ProvisionedReason } from '../../../crds/metal/status.ts';

export interface ChainHost {
  /** "namespace/name". */
  readonly key: string;
  readonly role: string;
  /** `status.provisioning.state`; empty where Metal³ says none. */
  readonly state: string;
  /** Nothing is on it, and it can be provisioned, as Metal³ says. */
  readonly isAvailable: boolean;
  /**
   * `ours`: put there for this SIPCluster, so that it may be taken away again. `foreign`: of somebody else,
   * as is a host that somebody else has claimed, with or without an image.
   */
  readonly image: 'none' | 'ours' | 'foreign';
  /** Something of ours is on the BareMetalHost. */
  readonly isMarked: boolean;
  /** The id of the token in the user data that it was given; null if there was none in it. */
  readonly joinsBy: string | null;
  /** Null: there is no Secret with its user data. `joinsBy` as above. */
  readonly userData: { readonly joinsBy: string | null } | null;
  /** What Metal³ could not do, though it may be trying again; null if nothing failed. */
  readonly error: string | null;
  /** Detached or paused: Metal³ does nothing with it. */
  readonly isAway: boolean;
  /** The BareMetalHost is being deleted. */
  readonly isLeaving: boolean;
  /** User data may be written in its namespace. */
  readonly mayWrite: boolean;
}

/** Times are in milliseconds since the epoch. */
export interface ChainSight {
  readonly site: string;
  /** The SIPCluster. */
  readonly sip: { readonly namespace: string; readonly name: string };
  /** The hub workers may make sites for SIPClusters of this namespace. */
  readonly mayProvision: boolean;
  /** Null: the hub has no ManagedCluster of that name. */
  readonly cluster: SeenSite | null;
  /** How far the site is with joining. Null: on the way back, or where the hub workers may not provision. */
  readonly join: JoinVerdict | null;
  /**
   * The site has come once, so it may run on its hosts: its ManagedCluster says so, or the SIPCluster, which
   * says it also when that ManagedCluster is gone or another.
   */
  readonly hasCome: boolean;
  /** The SIPCluster says so. */
  readonly isNoted: boolean;
  /**
   * Short ids of other hubs of the site, in order: what runs there for them this hub neither sees nor drains.
   * The site's claims say it, and the SIPCluster where its ManagedCluster says nothing any more.
   */
  readonly otherHubs: readonly string[];
  /** As the SIPCluster says it. */
  readonly notedHubs: readonly string[];
  /** The last token that was made for it. `isThere`: so is its Secret, and is for its ManagedCluster. */
  readonly token: { readonly id: string; readonly endsAt: number; readonly isThere: boolean } | null;
  readonly drain: SeenDrain | null;
  /** No Capp is to be moved for its deletion: they are waited for. */
  readonly isDrainRefused: boolean;
  /** Capps of which a work is on the site, named. Read before anything is wiped that nobody asked for. */
  readonly capps: readonly string[];
  /** Hosts that are reserved for it, in order. Those that are to be given back among them. */
  readonly hosts: readonly ChainHost[];
  /** Roles that are provisioned. */
  readonly roles: readonly string[];
  /** All hosts that it wants are reserved. */
  readonly isComplete: boolean;
  /** What a person lets be wiped: keys of hosts; on the way back also the site's name. */
  readonly allowed: ReadonlySet<string>;
  /** Keys of hosts that a person gives back as they are. */
  readonly abandoned: ReadonlySet<string>;
  /** Since when not all of its hosts are provisioned; null: they were, or nobody has said. */
  readonly since: number | null;
  readonly wasJoined: boolean;
  readonly deadlineMs: number;
}

export interface SeenSite {
  /** It was made for this very SIPCluster. */
  readonly isOurs: boolean;
  readonly isLeaving: boolean;
  readonly isAccepted: boolean;
  readonly hasJoined: boolean;
  /** By this ManagedCluster a site was let in once, or is, though an admin may have shut it out since. */
  readonly hasCome: boolean;
  /** Labels and clusterset are as the SIPCluster says. */
  readonly hasLabels: boolean;
}

export interface SeenDrain {
  readonly isOurs: boolean;
  readonly isDryRun: boolean;
  readonly isPaused: boolean;
  /** It has ended, for the spec that it has now. */
  readonly isComplete: boolean;
  /** "3 wait, 1 is under way, 2 stay". */
  readonly says: string;
}

/** Each may be done twice, late, or beside another try: it rests on the versions that were read. */
export type ChainAct =
  /** Write on the SIPCluster that its site has come, and which other hubs it has. */
  | { readonly do: 'note' }
  /** Make the ManagedCluster. */
  | { readonly do: 'expect' }
  | { readonly do: 'label' }
  /** Make a token in place of the last one. */
  | { readonly do: 'token' }
  /** Write the user data of a host, with this token in it, then its image. */
  | { readonly do: 'provision'; readonly host: string; readonly token: string | null }
  /** Take the image away. */
  | { readonly do: 'wipe'; readonly host: string }
  /** Delete the Secret with its user data. */
  | { readonly do: 'forget'; readonly host: string }
  /** Take words of `allow-wipe` and of `abandon-hosts` away that are carried out. */
  | { readonly do: 'heard'; readonly words: readonly string[]; readonly abandoned: readonly string[] }
  | { readonly do: 'drain' }
  | { readonly do: 'undrain' }
  /** Delete the ManagedCluster and its token; `force`: a person lets it go with its Capps. */
  | { readonly do: 'detach'; readonly force: boolean };

/** What is written before all else; null: nothing. What a ManagedCluster says goes with it. */
export function firstOf({ hasCome, isNoted, otherHubs, notedHubs }: ChainSight): readonly ChainAct[] | null {
  const isSame = isNoted && otherHubs.join() === notedHubs.join();
  return hasCome && !isSame ? [{ do: 'note' }] : null;
}

export interface Said<Reason extends string> {
  readonly isTrue: boolean;
  readonly reason: Reason;
  readonly message: string;
}
export type ProvisionedSaid = Said<ProvisionedReason>;
export type JoinedSaid = Said<JoinedReason>;

export function notYet<Reason extends string>(reason: Reason, message: string): Said<Reason> {
  return { isTrue: false, reason, message };
}

/** In these states Metal³ has not read the user data yet. */
const BEFORE: ReadonlySet<string> = new Set([
  '',
  'unmanaged',
  'registering',
  'match profile',
  'inspecting',
  'preparing',
  'ready',
  'available',
]);

/** Its user data is on the way to the machine, or there: no other token gets there any more. */
export function hasRead({ image, state }: Pick<ChainHost, 'image' | 'state'>): boolean {
  return image === 'ours' && !BEFORE.has(state);
}

const MOST_NAMED = 10;

/** The first of them, and how many more. */
export function named(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
