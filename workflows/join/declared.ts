// What a ClusterJoin says, and what is to be done for it: pure.
import type { ClusterJoin, HeldReason, JoinState, RefusedReason } from '../../crds/join/cluster-join.ts';
import type { JoinVerdict } from './verdict.ts';

export interface DeclaredSight {
  /** The hub's settings let ClusterJoins of the namespace count. */
  readonly isServed: boolean;
  /** The hub's settings let it join the ManagedClusterSet. */
  readonly mayJoinSet: boolean;
  /** Labels that say what only OCM, Cappstan or the hub may say. */
  readonly reservedLabels: readonly string[];
  /**
   * Until when an agent of a former cluster of the name may have a certificate, in milliseconds since the
   * epoch; null: none has, or the ClusterJoin takes the name in spite of that. Absent: nobody has looked.
   */
  readonly formerUntil?: number | null;
  /** Why nobody may join by that name; null: it is free. */
  readonly nameFault: string | null;
  /** Null: there is no ManagedCluster of the name. */
  readonly cluster: {
    readonly isOfThisOne: boolean;
    readonly isAccepted: boolean;
    readonly isLeaving: boolean;
    /** The id of the last token that was made for it; '': none. */
    readonly tokenId: string;
  } | null;
  /** That token, as long as it is there. */
  readonly token: { readonly isOfThisOne: boolean } | null;
  /** The Secret with the line. */
  readonly line: 'absent' | 'ours' | 'foreign';
  /** The hub says where sites find it, and by what they know it. */
  readonly isWayKnown: boolean;
  /** Where the cluster is, by the hub's objects. */
  readonly verdict: Pick<JoinVerdict, 'phase' | 'reason' | 'message'>;
}

export interface JoinStanding {
  readonly state: JoinState;
  readonly reason: string;
  readonly message: string;
  /**
   * `expect`: make the ManagedCluster. `mint`: make the token. `hand-out`: write the line. `wait`: nothing
   * now. `end`: the token and its line go, and nothing is to be done any more.
   */
  readonly next: 'expect' | 'mint' | 'hand-out' | 'wait' | 'end';
  /** Somebody has to mend what no ring may tell of: it is looked at again after a while. */
  readonly isHeld?: true;
}

const HERE: ReadonlySet<JoinVerdict['phase']> = new Set(['Joined', 'Available', 'Equipped']);

/**
 * `now` in milliseconds since the epoch. Nothing is made for a line that nobody could write: who would come
 * by it has no way to the hub.
 */
export function standingOf(join: ClusterJoin, sight: DeclaredSight, now: number): JoinStanding {
  const standing = lastingEnd(join, toDo(join, sight, now));
  if (sight.isWayKnown || standing.next === 'wait' || standing.next === 'end') return standing;
  return held(
    'NoHubAddress',
    `The hub does not say where sites find it: ConfigMap kube-public/cluster-info is missing, or names no address with an authority. ${standing.next === 'hand-out' ? 'Its line is not written before' : 'No token is made before'}. cappstan hub and kubeadm make that ConfigMap; elsewhere see docs/hub.md. It is looked at again by itself.`,
  );
}

/**
 * One that has come to its end, and of which something is left, does not begin again when its ground is gone.
 */
function lastingEnd({ status }: ClusterJoin, standing: JoinStanding): JoinStanding {
  const { state } = status ?? {};
  if ((state !== 'Refused' && state !== 'Expired') || standing.state === state) return standing;
  const message = 'It had come to its end before. Delete this ClusterJoin, and write another.';
  return { state, reason: state === 'Expired' ? 'TokenExpired' : 'TokenRevoked', message, next: 'end' };
}

/** Of one that waits until somebody has mended the hub. */
export function held(reason: HeldReason, message: string): JoinStanding {
  return { ...waiting(reason, message, 'wait'), isHeld: true };
}

function toDo(join: ClusterJoin, sight: DeclaredSight, now: number): JoinStanding {
  const { cluster, verdict } = sight;
  const { tokenId } = join.status ?? {};
  const why = refusal(join, sight, now);
  if (why !== null) return { state: 'Refused', ...why, next: 'end' };
  if (cluster === null) return waiting('Preparing', 'Its ManagedCluster is being made.', 'expect');
  if (cluster.isAccepted && HERE.has(verdict.phase))
    return {
      state: 'Joined',
      reason: 'Joined',
      message: `${join.spec.cluster} has joined. kubectl get managedcluster ${join.spec.cluster} says how it is from here on.`,
      next: 'end',
    };
  if (cluster.isLeaving)
    return waiting('ClusterLeaving', `ManagedCluster ${join.spec.cluster} is being deleted.`, 'wait');
  if (tokenId === undefined && sight.token === null)
    return waiting('Preparing', 'Its token is being made.', 'mint');
  if (!cluster.isAccepted && endOf(join, now) <= now)
    return {
      state: 'Expired',
      reason: 'TokenExpired',
      message: 'Nobody came in time. Delete this ClusterJoin, and write another.',
      next: 'end',
    };
  const { reason, phase, message } = verdict;
  const isUnspent = !cluster.isAccepted && sight.token !== null;
  return waiting(
    reason ?? phase,
    message,
    tokenId === undefined || (isUnspent && sight.line === 'absent') ? 'hand-out' : 'wait',
  );
}

function waiting(reason: string, message: string, next: JoinStanding['next']): JoinStanding {
  return { state: 'Waiting', reason, message, next };
}

/** Before its token was told, it ends later. */
function endOf({ status }: ClusterJoin, now: number): number {
  return status?.tokenEndsAt === undefined ? now + 1 : Date.parse(status.tokenEndsAt);
}

type Refusal = { readonly reason: RefusedReason; readonly message: string };

function refusal(join: ClusterJoin, sight: DeclaredSight, now: number): Refusal | null {
  return (
    againstSpec(join, sight) ??
    againstCluster(join, sight) ??
    againstName(join, sight, now) ??
    againstToken(join, sight, now)
  );
}

function againstSpec(
  { metadata, spec }: ClusterJoin,
  { isServed, mayJoinSet, reservedLabels, nameFault }: DeclaredSight,
): Refusal | null {
  const says = (reason: RefusedReason, message: string): Refusal => ({ reason, message });
  if (!isServed)
    return says(
      'NamespaceNotServed',
      `ClusterJoins of namespace ${metadata.namespace ?? ''} let nobody in: joins.namespaces of the chart does not name it.`,
    );
  if (!mayJoinSet)
    return says(
      'ClusterSetNotAllowed',
      `Nobody joins ManagedClusterSet ${spec.clusterSet ?? ''} by a ClusterJoin: joins.clusterSets of the chart does not name it.`,
    );
  const [label] = reservedLabels;
  if (label !== undefined)
    return says(
      'LabelReserved',
      `spec.labels may not have ${label}, which says what a cluster is. A ManagedClusterSet has its own field, clusterSet.`,
    );
  return nameFault === null ? null : says('NameReserved', nameFault);
}

function againstCluster({ spec, status }: ClusterJoin, { cluster }: DeclaredSight): Refusal | null {
  const wasMade = status?.tokenId !== undefined;
  if (wasMade && (cluster === null || cluster.isLeaving))
    return {
      reason: 'ClusterGone',
      message: `ManagedCluster ${spec.cluster} was deleted, and its token with it.`,
    };
  if (cluster === null || cluster.isOfThisOne) return null;
  return {
    reason: 'ClusterExists',
    message: `The hub has a ManagedCluster ${spec.cluster} already, which this has not made. For that one: cappstan token --cluster ${spec.cluster} --existing. Otherwise choose another name.`,
  };
}

/** Who had the name before would be in again by it. */
function againstName({ spec }: ClusterJoin, sight: DeclaredSight, now: number): Refusal | null {
  const until = sight.formerUntil ?? 0;
  if (until <= now || sight.cluster?.isAccepted === true) return null;
  const date = new Date(until).toISOString().slice(0, 16).replace('T', ' ');
  return {
    reason: 'FormerCertificate',
    message: `spec.cluster: an agent of a former ManagedCluster ${spec.cluster} may have a certificate until ${date} UTC, and would be in again as ${spec.cluster}. Write another ClusterJoin: with another name, after that time, or, if nobody has that certificate any more, with spec.reuseName: true.`,
  };
}

function againstToken(join: ClusterJoin, sight: DeclaredSight, now: number): Refusal | null {
  const { spec, status } = join;
  const { cluster, token, line, verdict } = sight;
  if (cluster === null || cluster.isAccepted || HERE.has(verdict.phase)) return null;
  const isOthers = token !== null && !token.isOfThisOne;
  const isReplaced = status?.tokenId !== undefined && cluster.tokenId !== status.tokenId;
  if (isOthers || isReplaced)
    return {
      reason: 'Superseded',
      message: `Another token has been made for ${spec.cluster} since. cappstan joins shows how far that is.`,
    };
  if (line === 'foreign')
    return {
      reason: 'SecretTaken',
      message: 'The Secret for its line is there, and is somebody else’s. Choose another name.',
    };
  if (status?.tokenId !== undefined && token === null && endOf(join, now) > now)
    return { reason: 'TokenRevoked', message: 'Its token was deleted before anybody came with it.' };
  return null;
}
