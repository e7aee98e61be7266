// What the hub's objects say of a cluster that joins, in facts: no object of it, and nothing secret.
import { conditionOf } from '../kubernetes/core.ts';
import { JOIN_TOKEN, REUSE_NAME, TOKEN_ENDS_AT } from './labels.ts';
import { AVAILABLE, JOINED, type ManagedCluster, type ManagedClusterAddOn } from '../ocm/ocm.ts';
import type { ObjectMeta } from '../../kube/resource.ts';
import { boundOf, tokenOfUser, userOfToken } from './bootstrap-token.ts';
import { paidBy, payable, receiptOn } from './spending.ts';
import {
  clusterAskedFor,
  isOfAgent,
  stateOfRequest,
  unfitness,
  type RequestState,
  type SigningRequest,
} from './signing-request.ts';

const ACCEPTED = 'HubAcceptedManagedCluster';
/** OCM: the works of an add-on are applied on the site. */
const APPLIED = 'ManifestApplied';
/** As much of its message as is told. */
const SAID = 300;

/** Times are in milliseconds since the epoch; null where nothing says them. */
export interface JoinSight {
  readonly cluster: SeenCluster | null;
  /** The token that it came by, as long as that is there; else the last that was made for it. */
  readonly token: SeenToken | null;
  /** The certificate requests under its name, but those of its own agent, which OCM answers. */
  readonly requests: readonly SeenRequest[];
  readonly addOn: SeenAddOn | null;
  /** ClusterJoins name it that are not settled. Absent: none, or a worker before this field has looked. */
  readonly isDeclared?: boolean;
  /**
   * Until when an agent of a former cluster of the name may have a certificate, where its token was not made
   * in spite of that. Absent: none has, or nobody has looked.
   */
  readonly formerUntil?: number;
}

/** Our add-on on the cluster, as OCM sees it. */
export interface SeenAddOn {
  readonly isAvailable: boolean;
  /** OCM's agent has applied all of it. Absent: a hub worker before this field has looked. */
  readonly isApplied?: boolean;
  /** OCM's reason and message for what does not hold; null if it says none. */
  readonly says?: string | null;
}

export interface SeenCluster {
  readonly isAccepted: boolean;
  readonly isLeaving: boolean;
  readonly acceptedAt: number | null;
  /** Null: its agent has not joined. */
  readonly joinedAt: number | null;
  readonly isAvailable: boolean;
  readonly availableAt: number | null;
  /** When the last token that was made for it ends, or ended. */
  readonly tokenEndsAt: number | null;
}

export interface SeenToken {
  readonly id: string;
  /** The uid of the request that it has paid for; null: it is not spent. */
  readonly paidFor: string | null;
  readonly endsAt: number | null;
  /** It is for this very ManagedCluster, and not for an earlier one of its name. */
  readonly isOfThisOne: boolean;
}

export interface SeenRequest {
  readonly name: string;
  readonly uid: string;
  readonly username: string;
  /** The id of the token that the requester has shown. */
  readonly token: string | null;
  readonly state: RequestState;
  readonly isIssued: boolean;
  readonly askedAt: number | null;
  readonly approvedAt: number | null;
  /** Null: what it asks for is what an agent of this cluster asks for. */
  readonly unfit: string | null;
  /** The cluster that the requester's token is for; null if it is bound to none, or no token is there. */
  readonly tokenIsFor: string | null;
}

export interface JoinObjects {
  readonly name: string;
  readonly cluster: ManagedCluster | null;
  /** All that bear the name of the cluster. */
  readonly requests: readonly SigningRequest[];
  /** Metadata of tokens' Secrets, by the id of the token: that of the cluster, and those of requesters. */
  readonly tokens: ReadonlyMap<string, { readonly metadata: ObjectMeta }>;
  readonly addOn: ManagedClusterAddOn | null;
  /** As `formerUntil` says. Absent: nobody has looked. */
  readonly formerUntil?: number | null;
}

/** The ids of the tokens that a sight needs. */
export function tokensOf({
  cluster,
  requests,
}: Pick<JoinObjects, 'cluster' | 'requests'>): ReadonlySet<string> {
  const hinted = cluster?.metadata.annotations?.[JOIN_TOKEN] ?? '';
  const shown = requests.map(({ spec }) => tokenOfUser(spec?.username ?? ''));
  return new Set([tokenOfUser(userOfToken(hinted)), ...shown].filter((id) => id !== null));
}

export function sightOf(seen: JoinObjects): JoinSight {
  const { name, cluster, addOn, formerUntil = null } = seen;
  const last = seen.tokens.get(cluster?.metadata.annotations?.[JOIN_TOKEN] ?? '');
  const isInSpite = last?.metadata.annotations?.[REUSE_NAME] === 'true';
  return {
    ...(formerUntil === null || isInSpite ? {} : { formerUntil }),
    cluster: cluster === null ? null : clusterSeen(cluster),
    token: cameBy(seen) ?? tokenSeen(seen, cluster?.metadata.annotations?.[JOIN_TOKEN] ?? ''),
    requests: seen.requests
      .filter((request) => clusterAskedFor(request) === name && !isOfAgent(request, name))
      .map((request) => requestSeen(request, seen)),
    addOn: addOn === null ? null : addOnSeen(addOn),
  };
}

function addOnSeen({ status }: ManagedClusterAddOn): SeenAddOn {
  const [applied, available] = [APPLIED, 'Available'].map((type) => conditionOf(status?.conditions, type));
  const isApplied = applied?.status === 'True';
  const failed = isApplied ? available : applied;
  return {
    isAvailable: available?.status === 'True',
    isApplied,
    says: failed === undefined ? null : `${failed.reason ?? ''}: ${failed.message ?? ''}`.slice(0, SAID),
  };
}

function clusterSeen({ metadata, spec, status }: ManagedCluster): SeenCluster {
  const since = (type: string): number | null => {
    const found = conditionOf(status?.conditions, type);
    return found?.status === 'True' ? timeOf(found.lastTransitionTime) : null;
  };
  const { annotations = {}, deletionTimestamp } = metadata;
  return {
    isAccepted: spec?.hubAcceptsClient === true,
    isLeaving: deletionTimestamp !== undefined,
    acceptedAt: since(ACCEPTED),
    joinedAt: since(JOINED),
    isAvailable: conditionOf(status?.conditions, AVAILABLE)?.status === 'True',
    availableAt: since(AVAILABLE),
    tokenEndsAt: timeOf(annotations[TOKEN_ENDS_AT]),
  };
}

/**
 * The token of a request that is approved: it has to go, whatever the annotations say, which an agent writes.
 */
function cameBy(seen: JoinObjects): SeenToken | null {
  for (const request of seen.requests) {
    const id = stateOfRequest(request) === 'Approved' ? tokenOfUser(request.spec?.username ?? '') : null;
    const token = id === null ? null : tokenSeen(seen, id);
    if (token?.isOfThisOne === true) return token;
  }
  return null;
}

function tokenSeen({ name, cluster, requests, tokens }: JoinObjects, id: string): SeenToken | null {
  const token = tokens.get(id);
  const bound = token === undefined ? null : boundOf(token);
  if (token === undefined || bound?.cluster !== name) return null;
  return {
    id,
    paidFor: paidBy({ id, uid: token.metadata.uid ?? '' }, receiptOn(cluster), requests.map(payable)),
    endsAt: timeOf(token.metadata.annotations?.[TOKEN_ENDS_AT]),
    isOfThisOne: bound.uid === cluster?.metadata.uid,
  };
}

function requestSeen(request: SigningRequest, { name, tokens }: JoinObjects): SeenRequest {
  const { metadata, spec, status } = request;
  const username = spec?.username ?? '';
  const shown = tokenOfUser(username);
  const token = tokens.get(shown ?? '');
  return {
    name: metadata.name,
    uid: metadata.uid ?? '',
    username,
    token: shown,
    state: stateOfRequest(request),
    isIssued: (status?.certificate ?? '') !== '',
    askedAt: timeOf(metadata.creationTimestamp),
    approvedAt: timeOf(conditionOf(status?.conditions, 'Approved')?.lastTransitionTime),
    unfit: unfitness(request, name),
    tokenIsFor: token === undefined ? null : (boundOf(token)?.cluster ?? null),
  };
}

function timeOf(text: string | undefined): number | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : at;
}
