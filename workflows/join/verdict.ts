// How far a cluster is with joining, what it waits for, and what is to be done: pure.
import type { JoinSight, SeenAddOn, SeenRequest } from '../../crds/join/sight.ts';
import { clock, earliest } from '../types/clock.ts';

const SECOND = 1_000;
/** Longer than an agent takes from its certificate to its first lease, and OCM to install the add-on. */
const PATIENCE = 180 * SECOND;
/**
 * A token is kept for so long after it was spent: the agent hears by it that its certificate is issued. It
 * opens nothing any more.
 */
const KEPT_AFTER = 60 * SECOND;

/** In order. `Leaving`: the ManagedCluster is being deleted, or is gone. */
export type JoinPhase = 'Expected' | 'Asked' | 'Accepted' | 'Joined' | 'Available' | 'Equipped' | 'Leaving';

/** Why it does not go on by itself. */
export type JoinReason =
  | 'AwaitingAcceptance'
  | 'NameTaken'
  | 'FormerCertificate'
  | 'TokenExpired'
  | 'TokenOfAnother'
  | 'RequestUnfit'
  | 'AgentSilent'
  | 'AddOnMissing'
  | 'AddOnNotApplied'
  | 'AddOnNotAvailable';

export interface JoinVerdict {
  readonly phase: JoinPhase;
  /** Null: it goes on by itself. */
  readonly reason: JoinReason | null;
  readonly message: string;
  readonly act:
    | { readonly do: 'wait' }
    /** Accept the cluster and this request, which the token pays for. */
    | { readonly do: 'approve'; readonly request: string; readonly token: string }
    /** Delete the token, which is spent. */
    | { readonly do: 'release'; readonly token: string }
    /** Nothing is left to do. */
    | { readonly do: 'end' };
  /** When to look again at the latest, in milliseconds since the epoch; null: when something changes. */
  readonly wakeAt: number | null;
}

const WAIT = { do: 'wait' } as const;

/** `now` in milliseconds since the epoch. */
export function joinVerdict(cluster: string, sight: JoinSight, now: number): JoinVerdict {
  if (sight.cluster === null || sight.cluster.isLeaving)
    return {
      phase: 'Leaving',
      reason: null,
      message: sight.cluster === null ? 'The hub has no such ManagedCluster.' : 'It is being deleted.',
      act: sight.cluster === null ? { do: 'end' } : WAIT,
      wakeAt: null,
    };
  const good = payable(sight, now);
  if (good !== null && sight.token !== null)
    return {
      phase: 'Asked',
      reason: null,
      message: `${good.name} came with the token for ${cluster}, and is being accepted.`,
      act: { do: 'approve', request: good.name, token: sight.token.id },
      wakeAt: null,
    };
  const how = sight.cluster.isAccepted ? accepted(cluster, sight, now) : waiting(cluster, sight, now);
  return { ...how, ...released(how, sight, now) };
}

/** The request that the token pays for: the one that it has been spent on, or else the newest that fits. */
function payable({ token, requests, cluster, formerUntil = 0 }: JoinSight, now: number): SeenRequest | null {
  if (formerUntil > now) return null;
  if (token === null || !token.isOfThisOne || (token.endsAt ?? 0) <= now) return null;
  const own = requests
    .filter((request) => request.token === token.id && request.unfit === null && request.state === 'Pending')
    .toSorted((a, b) => (b.askedAt ?? 0) - (a.askedAt ?? 0));
  const { paidFor } = token;
  if (paidFor === null) return own[0] ?? null;
  // Accepted, but for the approval; a person may have taken the acceptance back since.
  const paid = own.find(({ uid }) => uid === paidFor);
  return cluster?.isAccepted === true ? (paid ?? null) : null;
}

type How = Omit<JoinVerdict, 'act'> & { readonly isDone?: true };

function waiting(cluster: string, sight: JoinSight, now: number): How {
  const { cluster: seen, token, requests } = sight;
  const pending = requests.filter(({ state }) => state === 'Pending');
  const says = (reason: JoinReason, message: string, wakeAt: number | null = null): How => ({
    phase: pending.length > 0 ? 'Asked' : 'Expected',
    reason,
    message,
    wakeAt,
  });
  const left = leftAlone(cluster, pending);
  const { formerUntil = 0 } = sight;
  if (token !== null && !token.isOfThisOne)
    return says(
      'NameTaken',
      `The token was made for an earlier ManagedCluster ${cluster}. Make another: cappstan token --cluster ${cluster} --existing.`,
    );
  if (left !== null) return says(left.reason, left.message);
  if (formerUntil > now)
    return says(
      'FormerCertificate',
      `An agent of a former ManagedCluster ${cluster} may have a certificate until ${clock(formerUntil)}, and would be in again as ${cluster}. If nobody has it any more: cappstan token --cluster ${cluster} --existing --reuse-name, or cappstan accept ${cluster} --reuse-name. Otherwise take another name.`,
      formerUntil,
    );
  const endsAt = token?.endsAt ?? seen?.tokenEndsAt ?? null;
  if (endsAt !== null && endsAt <= now)
    return says(
      'TokenExpired',
      `The token ended at ${clock(endsAt)} before it was used. Make another: cappstan token --cluster ${cluster} --existing.`,
    );
  if (token?.paidFor === null)
    return {
      phase: 'Expected',
      reason: null,
      message: `The token is good until ${clock(endsAt ?? 0)}. Nobody has come with it.`,
      wakeAt: endsAt,
    };
  const asked = pending.map(({ name, username }) => `${name} of ${username}`).join(', ');
  return says(
    'AwaitingAcceptance',
    pending.length === 0
      ? `A person has to accept it: cappstan accept ${cluster}.`
      : `${asked} asks. A person has to accept it: cappstan accept ${cluster}.`,
  );
}

/** A request that nobody here approves. */
function leftAlone(
  cluster: string,
  pending: readonly SeenRequest[],
): (Pick<JoinVerdict, 'reason' | 'message'> & { readonly reason: JoinReason }) | null {
  const stray = pending.find(({ tokenIsFor }) => tokenIsFor !== null && tokenIsFor !== cluster);
  if (stray !== undefined)
    return {
      reason: 'TokenOfAnother',
      message: `${stray.name} asks for ${cluster} with a token for ${stray.tokenIsFor ?? ''}. It is left alone: kubectl certificate deny ${stray.name}.`,
    };
  const unfit = pending.find((request) => request.unfit !== null);
  if (unfit !== undefined)
    return {
      reason: 'RequestUnfit',
      message: `${unfit.name} of ${unfit.username} asks ${unfit.unfit ?? ''}. It is left alone: kubectl certificate deny ${unfit.name}.`,
    };
  return null;
}

function accepted(cluster: string, { cluster: seen, addOn, requests }: JoinSight, now: number): How {
  const since = (at: number | null): number => (at ?? now) + PATIENCE;
  const late = (due: number, reason: JoinReason): Pick<How, 'reason' | 'wakeAt'> =>
    due <= now ? { reason, wakeAt: null } : { reason: null, wakeAt: due };
  if (seen?.joinedAt === null)
    return {
      phase: 'Accepted',
      message: `The agent on ${cluster} has not come with its certificate yet. If it stays so, look at its log.`,
      ...late(since(seen.acceptedAt), 'AgentSilent'),
    };
  if (seen?.isAvailable !== true)
    return {
      phase: 'Joined',
      message: `The agent on ${cluster} does not renew its lease. If it stays so, look at its log.`,
      ...late(since(seen?.joinedAt ?? null), 'AgentSilent'),
    };
  if (addOn?.isAvailable !== true) {
    const [reason, message] = behind(cluster, addOn);
    return { phase: 'Available', message, ...late(since(seen.availableAt), reason) };
  }
  const done = { phase: 'Equipped', wakeAt: null, isDone: true } as const;
  const pending = requests.filter(({ state }) => state === 'Pending');
  const left = leftAlone(cluster, pending);
  if (left !== null) return { ...done, ...left };
  const [other] = pending;
  const message =
    other === undefined
      ? 'Capps can be placed on it.'
      : `It has joined, and ${other.name} of ${other.username} asks for ${cluster} once more. If that is to be: cappstan accept ${cluster}. Otherwise: kubectl certificate deny ${other.name}.`;
  return { ...done, reason: other === undefined ? null : 'AwaitingAcceptance', message };
}

/** Which part of the add-on's way to the cluster is not done. */
function behind(cluster: string, addOn: SeenAddOn | null): readonly [JoinReason, string] {
  if (addOn === null)
    return [
      'AddOnMissing',
      `The hub has no ManagedClusterAddOn ${cluster}/cappstan. If it stays so, look whether the hub’s Placement for our add-on chooses ${cluster}: kubectl get placementdecisions -A.`,
    ];
  const says = addOn.says == null ? '' : ` (${addOn.says})`;
  return addOn.isApplied === false
    ? [
        'AddOnNotApplied',
        `The agent on ${cluster} has not applied all of our add-on${says}. If it stays so: kubectl -n ${cluster} describe manifestwork addon-cappstan-deploy-0, on the hub.`,
      ]
    : [
        'AddOnNotAvailable',
        `Our add-on is applied on ${cluster}, and its Pods do not all run${says}. If it stays so: kubectl -n open-cluster-management-agent-addon get pods, on the site.`,
      ];
}

/** A token that is spent goes when the agent has its certificate. */
function released(
  { isDone, wakeAt }: How,
  { cluster, token, requests }: JoinSight,
  now: number,
): Pick<JoinVerdict, 'act' | 'wakeAt'> {
  if (token === null || !token.isOfThisOne || token.paidFor === null)
    return {
      act: isDone === true && token === null ? { do: 'end' } : WAIT,
      wakeAt: token === null ? wakeAt : earliest([wakeAt, token.endsAt]),
    };
  const paid = requests.find(({ uid }) => uid === token.paidFor);
  const due = paid === undefined ? now : (paid.approvedAt ?? paid.askedAt ?? 0) + KEPT_AFTER;
  if (due <= now || hasCome(cluster, paid)) return { act: { do: 'release', token: token.id }, wakeAt };
  return { act: WAIT, wakeAt: earliest([wakeAt, due]) };
}

/** The agent has joined with the certificate that was issued for the request. */
function hasCome(cluster: JoinSight['cluster'], paid: SeenRequest | undefined): boolean {
  return paid?.isIssued === true && (cluster?.joinedAt ?? 0) >= (paid.askedAt ?? Infinity);
}
