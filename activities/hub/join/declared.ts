// ClusterJoins: does for each what `cappstan token` does for a person, and says how it stands.
import { boundOf, tokenKey } from '../../../crds/join/bootstrap-token.ts';
import {
  CLUSTER_JOIN,
  isSettledJoin,
  JOIN_FINALIZER,
  USUAL_SECONDS,
  type ClusterJoin,
} from '../../../crds/join/cluster-join.ts';
import { expectedCluster } from '../../../crds/join/expected.ts';
import { FOR_JOIN, JOIN_OF, JOIN_TOKEN, JOINED_BY } from '../../../crds/join/labels.ts';
import { SECRET } from '../../../crds/kubernetes/core.ts';
import { hasJoined, MANAGED_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { isAlreadyExists, isNotFound, retryOnConflict } from '../../../kube/failure.ts';
import { addFinalizer, removeFinalizers } from '../../../kube/finalizer.ts';
import { keyOf, type KubeObject } from '../../../kube/resource.ts';
import { standingOf, type DeclaredSight, type JoinStanding } from '../../../workflows/join/declared.ts';
import type { DeclaredTurn } from '../../../workflows/join/port.ts';
import { joinVerdict } from '../../../workflows/join/verdict.ts';
import { foreignLabels } from '../metal/chain/site-labels.ts';
import { nameFault } from './name.ts';
import { joinOf } from './look.ts';
import { handOut, lineOf, takeBack } from './line.ts';
import { publishJoin } from './join-status.ts';
import { dropToken, makeToken } from './token.ts';

export interface DeclaredOptions {
  /** The namespaces whose ClusterJoins count. Without any, none is read. */
  readonly namespaces: readonly string[];
  /** The ManagedClusterSets that their clusters may join, beside the default one. */
  readonly clusterSets: readonly string[];
}

interface Turning extends DeclaredOptions {
  readonly now: () => number;
}

const MADE_BY = { fieldManager: 'cappstan-join' } as const;
/** Looks of one turn: one for each thing that is written. */
const MOST_LOOKS = 10;

/** Those that name the cluster, the oldest first. */
export async function declaredFor(kube: Kube, cluster: string): Promise<readonly ClusterJoin[]> {
  try {
    const { items } = await kube.list<ClusterJoin>(CLUSTER_JOIN);
    const age = ({ metadata }: ClusterJoin): string =>
      `${metadata.creationTimestamp ?? ''} ${metadata.uid ?? ''}`;
    return items
      .filter(({ spec }) => spec.cluster === cluster)
      .toSorted((one, other) => (age(one) < age(other) ? -1 : 1));
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** Throws ApiError. */
export async function settle(kube: Kube, cluster: string, turning: Turning): Promise<DeclaredTurn> {
  let hasActed = false;
  const says: string[] = [];
  for (const join of await declaredFor(kube, cluster)) {
    if (isSettledJoin(join)) continue;
    const told = await retryOnConflict(() => settleOne(kube, join, turning));
    hasActed ||= told.hasActed;
    says.push(`ClusterJoin ${join.metadata.namespace ?? ''}/${join.metadata.name}: ${told.says}`);
  }
  return { hasActed, says: says.join(' ') };
}

async function settleOne(kube: Kube, given: ClusterJoin, turning: Turning): Promise<DeclaredTurn> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const join = await kube.get<ClusterJoin>(CLUSTER_JOIN, keyOf(given));
    if (join === null || join.metadata.uid !== given.metadata.uid) return { hasActed: true, says: 'gone' };
    const managed = await kube.get<ManagedCluster>(MANAGED_CLUSTER, clusterKey(join));
    if (join.metadata.deletionTimestamp !== undefined) {
      await revoke(kube, join, managed);
      return { hasActed: true, says: 'revoked' };
    }
    const now = turning.now();
    const standing = standingOf(join, await sightOf(kube, join, managed, turning), now);
    if (await acted(kube, { join, managed, standing, now })) continue;
    const isEnd = standing.next === 'end';
    if (isEnd) await end(kube, join, managed, standing);
    await publishJoin(kube, join, { standing, now });
    // A cluster that has joined is never taken back: nothing is left to wait for.
    if (standing.state === 'Joined') await letGo(kube, join);
    return { hasActed: looks > 0 || isEnd, says: `${standing.state}, ${standing.reason}` };
  }
  return { hasActed: true, says: 'goes on' };
}

interface Stands {
  readonly join: ClusterJoin;
  readonly managed: ManagedCluster | null;
  readonly standing: JoinStanding;
  readonly now: number;
}

/** False: nothing was to be written. What was read is not so any more otherwise. */
async function acted(kube: Kube, { join, managed, standing, now }: Stands): Promise<boolean> {
  const { uid = '', namespace = '', name } = join.metadata;
  switch (standing.next) {
    case 'expect':
      await expect(kube, join);
      return true;
    case 'mint':
      if (managed === null) return true;
      await makeToken(kube, {
        managed,
        ttlMs: (join.spec.ttlSeconds ?? USUAL_SECONDS) * 1_000,
        now,
        ...MADE_BY,
        notes: { [FOR_JOIN]: `${namespace}/${name}/${uid}` },
      });
      return true;
    case 'hand-out': {
      const id = managed === null ? '' : tokenIdOf(managed);
      await handOut(kube, join, id, MADE_BY);
      await publishJoin(kube, join, { standing, now, minted: { id, managed } });
      return true;
    }
    case 'wait':
    case 'end':
      return false;
  }
}

/** Nothing is made for what could go without taking it back: the finalizer is first. */
async function expect(kube: Kube, join: ClusterJoin): Promise<void> {
  await addFinalizer(kube, CLUSTER_JOIN, join, JOIN_FINALIZER);
  const { cluster: name, labels, clusterSet } = join.spec;
  const annotations = { [JOIN_OF]: join.metadata.uid ?? '' };
  const made = expectedCluster({ name, labels, clusterSet, annotations });
  try {
    await kube.create<ManagedCluster>(MANAGED_CLUSTER, made, MADE_BY);
  } catch (error) {
    // Somebody else's stays as it is: the next look says so.
    if (!isAlreadyExists(error)) throw error;
  }
}

/** The line opens nothing any more. The token of somebody else stays. */
async function end(
  kube: Kube,
  join: ClusterJoin,
  managed: ManagedCluster | null,
  standing: JoinStanding,
): Promise<void> {
  await takeBack(kube, join);
  if (standing.state !== 'Joined' && isOf(managed, join) && (await isTokenOf(kube, managed, join)))
    await dropToken(kube, managed);
}

/**
 * A cluster that was accepted once stays, whoever accepted it, and so does a token that it has come by, of
 * which it still hears, and one that somebody else has made for it since.
 * Of one that never came nothing stays: the ManagedCluster goes by the version that was read, so that whoever
 * is accepted in this moment is not taken for one that never came.
 */
async function revoke(kube: Kube, join: ClusterJoin, managed: ManagedCluster | null): Promise<void> {
  await takeBack(kube, join);
  if (isOf(managed, join)) {
    const { uid = '', resourceVersion = '', annotations = {} } = managed.metadata;
    const hasCome = annotations[JOINED_BY] !== undefined || hasJoined(managed);
    const token = await tokenUnder(kube, managed);
    const isOurs = token !== null && isFor(token, join);
    const isNobodys = isOurs || token === null;
    if (!hasCome && isNobodys && managed.spec?.hubAcceptsClient !== true)
      await kube.remove(MANAGED_CLUSTER, keyOf(managed), { uid, resourceVersion });
    if (!hasCome && isOurs) await dropToken(kube, managed);
  }
  await letGo(kube, join);
}

/** Of the version that is there: what was published since has made another. */
async function letGo(kube: Kube, join: ClusterJoin): Promise<void> {
  const live = await kube.get<ClusterJoin>(CLUSTER_JOIN, keyOf(join));
  if (live !== null && live.metadata.uid === join.metadata.uid)
    await removeFinalizers(kube, CLUSTER_JOIN, live, [JOIN_FINALIZER]);
}

async function sightOf(
  kube: Kube,
  join: ClusterJoin,
  managed: ManagedCluster | null,
  { namespaces, clusterSets, now }: Turning,
): Promise<DeclaredSight> {
  const { cluster: name, clusterSet } = join.spec;
  return {
    isServed: namespaces.includes(join.metadata.namespace ?? ''),
    mayJoinSet: clusterSet === undefined || ['default', ...clusterSets].includes(clusterSet),
    reservedLabels: foreignLabels(join.spec),
    nameFault: managed === null ? ((await nameFault(kube, name, 'A cluster'))?.message ?? null) : null,
    cluster: managed === null ? null : clusterSeen(managed, join),
    token: managed === null ? null : await tokenSeen(kube, managed, join),
    line: await lineOf(kube, join),
    verdict: joinVerdict(name, await joinOf(kube, name), now()),
  };
}

function clusterSeen(managed: ManagedCluster, join: ClusterJoin): DeclaredSight['cluster'] {
  return {
    isOfThisOne: isOf(managed, join),
    isAccepted: managed.spec?.hubAcceptsClient === true,
    isLeaving: managed.metadata.deletionTimestamp !== undefined,
    tokenId: tokenIdOf(managed),
  };
}

/** That of an earlier ManagedCluster of the name opens nothing. */
async function tokenSeen(
  kube: Kube,
  managed: ManagedCluster,
  join: ClusterJoin,
): Promise<DeclaredSight['token']> {
  const token = await tokenUnder(kube, managed);
  if (token === null || boundOf(token)?.uid !== managed.metadata.uid) return null;
  return { isOfThisOne: isFor(token, join) };
}

function tokenIdOf({ metadata }: ManagedCluster): string {
  return metadata.annotations?.[JOIN_TOKEN] ?? '';
}

async function tokenUnder(kube: Kube, managed: ManagedCluster): Promise<KubeObject | null> {
  const id = tokenIdOf(managed);
  return id === '' ? null : kube.getMetadata(SECRET, tokenKey(id));
}

function isOf(managed: ManagedCluster | null, join: ClusterJoin): managed is ManagedCluster {
  return managed !== null && managed.metadata.annotations?.[JOIN_OF] === join.metadata.uid;
}

function isFor({ metadata }: KubeObject, join: ClusterJoin): boolean {
  return metadata.annotations?.[FOR_JOIN]?.endsWith(`/${join.metadata.uid ?? ''}`) === true;
}

async function isTokenOf(kube: Kube, managed: ManagedCluster, join: ClusterJoin): Promise<boolean> {
  const token = await tokenUnder(kube, managed);
  return token !== null && isFor(token, join);
}

function clusterKey({ spec }: ClusterJoin) {
  return { namespace: null, name: spec.cluster };
}
