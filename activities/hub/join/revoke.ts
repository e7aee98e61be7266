// Takes back what a ClusterJoin has made, as far as the hub worker may. What stays is named, and holds the
// ClusterJoin no longer than somebody could come by it.
import { tokenKey } from '../../../crds/join/bootstrap-token.ts';
import {
  CLUSTER_JOIN,
  JOIN_FINALIZER,
  LONGEST_SECONDS,
  lineSecretName,
  NOT_TAKEN_BACK,
  type ClusterJoin,
} from '../../../crds/join/cluster-join.ts';
import { JOINED_BY, TOKEN_ENDS_AT } from '../../../crds/join/labels.ts';
import { hasJoined, MANAGED_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import { removeFinalizers } from '../../../kube/finalizer.ts';
import { keyOf, type KubeObject } from '../../../kube/resource.ts';
import type { JoinStanding } from '../../../workflows/join/declared.ts';
import type { DeclaredTurn } from '../../../workflows/join/port.ts';
import { emit } from '../status/events.ts';
import { HUB_TIMES } from '../times.ts';
import { publishJoin } from './join-status.ts';
import { takeBack } from './line.ts';
import { isFor, isOf, tokenIdOf, tokenUnder } from './made.ts';
import { isRefusal, wordsOf } from './refused.ts';
import { dropToken } from './token.ts';

export const GONE: DeclaredTurn = { hasActed: true, says: 'gone' };

/** What may not be deleted. */
interface Left {
  readonly says: string;
  /** Until when it may hold its ClusterJoin, in milliseconds since the epoch. */
  readonly holdsUntil: number;
}

export interface EndedJoin {
  readonly managed: ManagedCluster | null;
  readonly standing: JoinStanding;
  readonly now: number;
}

/**
 * Of one that has come to its end: the token first, for without it the line opens nothing. That of somebody
 * else stays, and that by which its cluster has come. Returns how it stands then: while a token stays by
 * which somebody could come, it is tried again.
 */
export async function end(
  kube: Kube,
  join: ClusterJoin,
  { managed, standing, now }: EndedJoin,
): Promise<JoinStanding> {
  const mayCome = standing.state !== 'Joined' && isOf(managed, join) && !hasCome(managed);
  const token = mayCome ? await tokenUnder(kube, managed) : null;
  const left = [
    ...(managed !== null && token !== null && isFor(token, join) ? await without(kube, managed, token) : []),
    ...(await withoutLine(kube, join)),
  ];
  if (left.length === 0) return standing;
  const message = `${standing.message} ${saidOf(left)}`;
  if (!left.some(({ holdsUntil }) => holdsUntil > now)) return { ...standing, message };
  return { ...standing, reason: NOT_TAKEN_BACK, message: `${standing.reason}: ${message}`, isHeld: true };
}

interface Revoking {
  readonly managed: ManagedCluster | null;
  readonly now: number;
}

/** Of one that is deleted. */
export async function revoke(
  kube: Kube,
  join: ClusterJoin,
  { managed, now }: Revoking,
): Promise<DeclaredTurn> {
  const left = [
    ...(isOf(managed, join) ? await withoutCluster(kube, join, managed) : []),
    ...(await withoutLine(kube, join)),
  ];
  const held = left.filter(({ holdsUntil }) => holdsUntil > now);
  if (held.length > 0) return hold(kube, join, { left, held, now });
  if (left.length > 0)
    await emit(kube, join, {
      type: 'Warning',
      reason: NOT_TAKEN_BACK,
      note: `ClusterJoin ${join.metadata.name} is gone. ${saidOf(left)}`,
      occasion: '',
    });
  await letGo(kube, join);
  return { hasActed: true, says: 'revoked' };
}

async function hold(
  kube: Kube,
  join: ClusterJoin,
  { left, held, now }: { left: readonly Left[]; held: readonly Left[]; now: number },
): Promise<DeclaredTurn> {
  const until = Math.max(...held.map(({ holdsUntil }) => holdsUntil));
  const message = `${saidOf(left)} It is tried again by itself. This ClusterJoin goes without it at ${dateOf(until)}.`;
  const standing = {
    state: join.status?.state ?? 'Waiting',
    reason: NOT_TAKEN_BACK,
    message,
    next: 'wait',
  } as const;
  await publishJoin(kube, join, { standing, now });
  return { hasActed: true, says: `being deleted, ${NOT_TAKEN_BACK}`, isHeld: true };
}

/**
 * A cluster that was accepted once stays, whoever accepted it, and so does a token that it has come by, of
 * which it still hears, and one that somebody else has made for it since.
 * Of one that never came nothing stays: the ManagedCluster goes by the version that was read, so that whoever
 * is accepted in this moment is not taken for one that never came.
 */
async function withoutCluster(kube: Kube, join: ClusterJoin, managed: ManagedCluster): Promise<Left[]> {
  const { name, uid = '', resourceVersion = '' } = managed.metadata;
  const isThere = hasCome(managed);
  const token = await tokenUnder(kube, managed);
  const isOurs = token !== null && isFor(token, join);
  const isNobodys = isOurs || token === null;
  const left: Left[] = [];
  const goes = !isThere && isNobodys && managed.spec?.hubAcceptsClient !== true;
  if (goes) {
    const grace = Date.parse(join.metadata.deletionTimestamp ?? '') + HUB_TIMES.joinNotTakenBack.ms;
    const says = `ManagedCluster ${name}, as which nobody has come, is left: kubectl delete managedcluster ${name}.`;
    const remove = () => kube.remove(MANAGED_CLUSTER, keyOf(managed), { uid, resourceVersion });
    left.push(...(await tried(says, grace, remove)));
  }
  // A token of a ManagedCluster that is gone opens nothing, and goes with that.
  const isDead = goes && left.length === 0;
  if (!isThere && isOurs) left.push(...(await without(kube, managed, token)).filter(() => !isDead));
  return left;
}

/**
 * A cluster that was let in by its token still fetches its certificate by it. The workflow releases it later.
 */
function hasCome(managed: ManagedCluster): boolean {
  return managed.metadata.annotations?.[JOINED_BY] !== undefined || hasJoined(managed);
}

/** Somebody could come by it until it ends. */
async function without(kube: Kube, managed: ManagedCluster, token: KubeObject): Promise<Left[]> {
  const id = tokenIdOf(managed);
  const { namespace, name } = tokenKey(id);
  const holdsUntil = endOfToken(token);
  const says = `Token ${id} is left, and is good until ${dateOf(holdsUntil)}: kubectl -n ${namespace} delete secret ${name}.`;
  return tried(says, holdsUntil, () => dropToken(kube, managed));
}

/** In milliseconds since the epoch. Where somebody has spoiled what it says, it ends as late as one may. */
function endOfToken({ metadata: { annotations, creationTimestamp = '' } }: KubeObject): number {
  const endsAt = Date.parse(annotations?.[TOKEN_ENDS_AT] ?? '');
  const latest = Date.parse(creationTimestamp) + LONGEST_SECONDS * 1_000;
  return Number.isNaN(endsAt) ? latest : endsAt;
}

/** Without its token it opens nothing, and Kubernetes' garbage collector takes it with its ClusterJoin. */
async function withoutLine(kube: Kube, join: ClusterJoin): Promise<Left[]> {
  const says = `Secret ${join.metadata.namespace ?? ''}/${lineSecretName(join)} is left until the ClusterJoin is gone.`;
  return tried(says, 0, () => takeBack(kube, join));
}

async function tried(says: string, holdsUntil: number, act: () => Promise<unknown>): Promise<Left[]> {
  try {
    await act();
    return [];
  } catch (error) {
    // A webhook that is down is answered for by the API server, for as long as it is down.
    if (!isRefusal(error) && !(error instanceof ApiError && error.code >= 500)) throw error;
    return [{ says: `${says} The hub refused to delete it ${wordsOf(error)}.`, holdsUntil }];
  }
}

/** Of the version that is there: what was published since has made another. */
export async function letGo(kube: Kube, join: ClusterJoin): Promise<void> {
  const live = await kube.get<ClusterJoin>(CLUSTER_JOIN, keyOf(join));
  if (live !== null && live.metadata.uid === join.metadata.uid)
    await removeFinalizers(kube, CLUSTER_JOIN, live, [JOIN_FINALIZER]);
}

function saidOf(left: readonly Left[]): string {
  return left.map(({ says }) => says).join(' ');
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}
