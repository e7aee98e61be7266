// Accepts a cluster that comes with the token that was made for it: the one thing in the join that lets
// somebody in.
import {
  boundOf,
  endOfToken,
  tokenKey,
  tokenOfUser,
  TOKEN_TYPE,
} from '../../../crds/join/bootstrap-token.ts';
import {
  CLUSTER_JOIN,
  isOverJoin,
  isSettledJoin,
  type ClusterJoin,
} from '../../../crds/join/cluster-join.ts';
import {
  approvalOf,
  clusterAskedFor,
  SIGNING_REQUEST,
  stateOfRequest,
  unfitness,
  type SigningRequest,
} from '../../../crds/join/signing-request.ts';
import { paidBy, payable, receiptOn } from '../../../crds/join/spending.ts';
import { SECRET, type Secret } from '../../../crds/kubernetes/core.ts';
import { FOR_JOIN, JOIN_TOKEN, JOINED_BY, REUSE_NAME } from '../../../crds/join/labels.ts';
import { formerSentence, USUAL_LIFE_MS } from '../../../crds/join/name-record.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import type { Approved } from '../../../workflows/join/port.ts';
import { acting } from '../../trying.ts';
import { declaredFor, settle, type DeclaredOptions } from './declared.ts';
import { formerOf, keepName, noteName } from './former.ts';
import { joinOf, requestsUnder } from './look.ts';

export interface JoinOptions {
  readonly kube: Kube;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** For how long the hub signs certificates of clients at most; Kubernetes' year, if not given. */
  readonly lifeMs?: number;
  /** Whose ClusterJoins count; without it, none is read, and nobody comes by one. */
  readonly declared?: DeclaredOptions;
}

const FIELD_MANAGER = 'cappstan-join';
const NONE_DECLARED: DeclaredOptions = { namespaces: [], clusterSets: [] };

export function hubJoins({
  kube: given,
  now = Date.now,
  lifeMs = USUAL_LIFE_MS,
  declared,
}: JoinOptions): Pick<Hub, 'seeJoin' | 'approveJoin' | 'releaseToken' | 'settleDeclared'> {
  return {
    seeJoin: (cluster) =>
      acting(given, async (kube) => {
        await noteName(kube, cluster, { lifeMs, now: now() });
        const sight = await joinOf(kube, cluster, now());
        const joins = declared === undefined ? [] : await declaredFor(kube, cluster);
        return joins.every(isSettledJoin) ? sight : { ...sight, isDeclared: true };
      }),
    settleDeclared: (cluster) =>
      acting(given, (kube) => settle(kube, cluster, { ...(declared ?? NONE_DECLARED), now })),
    approveJoin: (cluster, hint) =>
      acting(given, async (kube) => {
        const found = await read(kube, { cluster, hint, served: declared?.namespaces ?? [], now: now() });
        const why = objection(found, cluster, now());
        return why === null ? approve(kube, found as Found, lifeMs) : { outcome: 'LeftAlone', why };
      }),
    releaseToken: (cluster, id) =>
      acting(given, async (kube) => {
        const [token, joining, under] = await Promise.all([
          kube.get<Secret>(SECRET, tokenKey(id)),
          kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: cluster }),
          requestsUnder(kube, cluster),
        ]);
        if (token === null || boundOf(token)?.cluster !== cluster) return;
        const { uid = '', resourceVersion = '' } = token.metadata;
        if (uid === '' || spentOn({ cluster: joining, token, under, id }) === null) return;
        await kube.remove(SECRET, tokenKey(id), { uid, resourceVersion });
      }),
  };
}

interface Looked {
  readonly cluster: ManagedCluster | null;
  readonly request: SigningRequest | null;
  readonly token: Secret | null;
  /** All requests under the name of the cluster. */
  readonly under: readonly SigningRequest[];
  /** The id of the token, as the hint says. */
  readonly id: string;
  /** The token was made for a ClusterJoin that is gone, is over or being deleted, or counts no more. */
  readonly isRevoked: boolean;
  /** Until when an agent of a former cluster of the name may have a certificate; 0: none has. */
  readonly formerUntil: number;
}

interface Asked {
  readonly cluster: string;
  readonly hint: { readonly request: string; readonly token: string };
  /** The namespaces whose ClusterJoins count. */
  readonly served: readonly string[];
  readonly now: number;
}

type Found = { readonly [part in keyof Looked]: NonNullable<Looked[part]> };

/**
 * The token is the one that the requester has shown, whatever the hint says. The requests are read after the
 * cluster: an agent that has changed the receipt on the cluster was approved before.
 */
async function read(kube: Kube, { cluster: name, hint, served, now }: Asked): Promise<Looked> {
  const request = await kube.get<SigningRequest>(SIGNING_REQUEST, { namespace: null, name: hint.request });
  const shown = tokenOfUser(request?.spec?.username ?? '');
  const token =
    shown === null || shown !== hint.token ? null : await kube.get<Secret>(SECRET, tokenKey(shown));
  const cluster = await kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name });
  return {
    request,
    cluster,
    token,
    isRevoked: await isRevoked(kube, token, served),
    formerUntil: (await formerOf(kube, name, { uid: cluster?.metadata.uid ?? null, now })) ?? 0,
    under: await requestsUnder(kube, name),
    id: hint.token,
  };
}

/** Of a token for no ClusterJoin it is false. That of a namespace that counts no more lets nobody in. */
async function isRevoked(kube: Kube, token: Secret | null, served: readonly string[]): Promise<boolean> {
  const made = token?.metadata.annotations?.[FOR_JOIN];
  if (made === undefined) return false;
  const [namespace = '', name = '', uid = ''] = made.split('/');
  if (!served.includes(namespace)) return true;
  const join = await kube.get<ClusterJoin>(CLUSTER_JOIN, { namespace, name });
  return join?.metadata.uid !== uid || isOverJoin(join);
}

/** Null: all that is there fits together. */
function objection(looked: Looked, name: string, now: number): string | null {
  const { cluster, request, token } = looked;
  if (cluster === null || cluster.metadata.deletionTimestamp !== undefined)
    return `The hub has no ManagedCluster ${name}, or it is being deleted.`;
  if (request === null || clusterAskedFor(request) !== name)
    return 'The request is gone, or for another cluster.';
  if (token === null || token.type !== TOKEN_TYPE)
    return `Who asks has not shown token ${looked.id}, or it is gone.`;
  const unfit = unfitness(request, name);
  if (unfit !== null) return `It asks ${unfit}.`;
  if (stateOfRequest(request) === 'Denied') return 'The request is denied.';
  const found = { ...looked, cluster, request, token };
  return againstToken(found, now) ?? againstUse(found);
}

/** Whether the token is for this cluster, and good. */
function againstToken({ cluster, token, id, formerUntil }: Found, now: number): string | null {
  const { name, uid, annotations } = cluster.metadata;
  const bound = boundOf(token);
  if (bound?.cluster !== name) return `Token ${id} is not for ${name}.`;
  if (bound.uid === '' || bound.uid !== uid)
    return `Token ${id} is for another ManagedCluster of the name ${name}.`;
  if (annotations?.[JOIN_TOKEN] !== id) return `Another token has been made for ${name} since.`;
  if ((endOfToken(token) ?? 0) <= now) return `Token ${id} has ended.`;
  return formerUntil > now && token.metadata.annotations?.[REUSE_NAME] !== 'true'
    ? `${formerSentence(name, formerUntil)} Token ${id} was not made in spite of that (--reuse-name).`
    : null;
}

/** Whether the token has been spent, and on what. */
function againstUse(found: Found): string | null {
  const { cluster, request, id } = found;
  const paidFor = spentOn(found);
  if (paidFor === null)
    return found.isRevoked
      ? `The ClusterJoin for which token ${id} was made is gone, is over or is being deleted, or its namespace is not in joins.namespaces of the chart any more.`
      : null;
  if (paidFor !== request.metadata.uid) return `Token ${id} has been used for another request.`;
  // Somebody has taken the acceptance back since.
  return cluster.spec?.hubAcceptsClient === true
    ? null
    : `${cluster.metadata.name} was accepted by token ${id} once, and is not any more.`;
}

/** The uid of the request that the token has paid for, by what is read live; null: it is not spent. */
function spentOn({
  cluster,
  token,
  under,
  id,
}: Pick<Looked, 'cluster' | 'under' | 'id'> & Pick<Found, 'token'>): string | null {
  return paidBy({ id, uid: token.metadata.uid ?? '' }, receiptOn(cluster), under.map(payable));
}

function receiptOf({ token, request }: Found): string {
  return `${token.metadata.uid ?? ''}/${request.metadata.name}/${request.metadata.uid ?? ''}`;
}

async function approve(kube: Kube, found: Found, lifeMs: number): Promise<Approved> {
  const { cluster, request, token } = found;
  const { name, uid, resourceVersion } = cluster.metadata;
  if (spentOn(found) === null) {
    await keepName(kube, cluster, lifeMs);
    await kube.patch<ManagedCluster>(
      MANAGED_CLUSTER,
      { namespace: null, name },
      {
        metadata: { uid, resourceVersion, annotations: { [JOINED_BY]: receiptOf(found) } },
        spec: { hubAcceptsClient: true },
      },
      { fieldManager: FIELD_MANAGER },
    );
  }
  if (stateOfRequest(request) === 'Pending') await approveRequest(kube, request, token.metadata.name);
  return { outcome: 'Approved' };
}

async function approveRequest(kube: Kube, request: SigningRequest, token: string): Promise<void> {
  const message = `Cappstan: who asks has shown ${token}, which is for this cluster`;
  await kube.patch<SigningRequest>(
    SIGNING_REQUEST,
    { namespace: null, name: request.metadata.name },
    approvalOf(request, 'BoundToken', message),
    { subresource: 'approval', fieldManager: FIELD_MANAGER },
  );
}
