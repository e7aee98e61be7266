// ClusterJoins: does for each what `cappstan token` does for a person, and says how it stands.
import { boundOf } from '../../../crds/join/bootstrap-token.ts';
import {
  CLUSTER_JOIN,
  isSettledJoin,
  JOIN_FINALIZER,
  USUAL_SECONDS,
  type ClusterJoin,
} from '../../../crds/join/cluster-join.ts';
import { expectedCluster } from '../../../crds/join/expected.ts';
import { FOR_JOIN, JOIN_OF, REUSE_NAME } from '../../../crds/join/labels.ts';
import { MANAGED_CLUSTER, type ManagedCluster } from '../../../crds/ocm/ocm.ts';
import type { Kube } from '../../../kube/client.ts';
import { isAlreadyExists, isNotFound, retryOnConflict, type ApiError } from '../../../kube/failure.ts';
import { addFinalizer } from '../../../kube/finalizer.ts';
import { keyOf } from '../../../kube/resource.ts';
import { standingOf, type DeclaredSight, type JoinStanding } from '../../../workflows/join/declared.ts';
import type { DeclaredTurn } from '../../../workflows/join/port.ts';
import { joinVerdict } from '../../../workflows/join/verdict.ts';
import { foreignLabels } from '../metal/chain/site-labels.ts';
import { isFor, isOf, tokenIdOf, tokenUnder } from './made.ts';
import { isRefusal, standingWhenRefused } from './refused.ts';
import { end, GONE, letGo, revoke, type EndedJoin } from './revoke.ts';
import { formerOf } from './former.ts';
import { nameFault } from './name.ts';
import { joinOf } from './look.ts';
import { handOut, lineOf, mayHandOut } from './line.ts';
import { publishJoin } from './join-status.ts';
import { isWayKnown, makeToken } from './token.ts';

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
  let [hasActed, isHeld] = [false, false];
  const says: string[] = [];
  for (const join of await declaredFor(kube, cluster)) {
    if (isSettledJoin(join)) continue;
    const told = await unlessRefused(kube, join, turning);
    hasActed ||= told.hasActed;
    isHeld ||= told.isHeld === true;
    says.push(`ClusterJoin ${join.metadata.namespace ?? ''}/${join.metadata.name}: ${told.says}`);
  }
  return { hasActed, says: says.join(' '), ...(isHeld ? { isHeld } : {}) };
}

/** What the hub refuses for one ClusterJoin keeps no other one waiting. */
async function unlessRefused(kube: Kube, given: ClusterJoin, turning: Turning): Promise<DeclaredTurn> {
  try {
    return await retryOnConflict(() => settleOne(kube, given, turning));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return retryOnConflict(() => tell(kube, given, { error, now: turning.now() }));
  }
}

/** Publishes what the hub has refused. Where that is the end, token and line are taken back before. */
async function tell(
  kube: Kube,
  given: ClusterJoin,
  { error, now }: { readonly error: ApiError; readonly now: number },
): Promise<DeclaredTurn> {
  const join = await kube.get<ClusterJoin>(CLUSTER_JOIN, keyOf(given));
  if (join === null || join.metadata.uid !== given.metadata.uid) return GONE;
  const managed = await kube.get<ManagedCluster>(MANAGED_CLUSTER, clusterKey(join));
  const standing = standingWhenRefused(join, managed, error);
  return publishEnd(kube, join, { managed, standing, now });
}

async function settleOne(kube: Kube, given: ClusterJoin, turning: Turning): Promise<DeclaredTurn> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const join = await kube.get<ClusterJoin>(CLUSTER_JOIN, keyOf(given));
    if (join === null || join.metadata.uid !== given.metadata.uid) return GONE;
    const managed = await kube.get<ManagedCluster>(MANAGED_CLUSTER, clusterKey(join));
    const now = turning.now();
    if (join.metadata.deletionTimestamp !== undefined) return revoke(kube, join, { managed, now });
    const standing = standingOf(join, await sightOf(kube, join, managed, turning), now);
    if (await acted(kube, { join, managed, standing, now })) continue;
    const told = await publishEnd(kube, join, { managed, standing, now });
    return { ...told, hasActed: told.hasActed || looks > 0 };
  }
  return { hasActed: true, says: 'goes on' };
}

/** Of one at its end it takes back first what anybody could come by. */
async function publishEnd(kube: Kube, join: ClusterJoin, ended: EndedJoin): Promise<DeclaredTurn> {
  const isEnd = ended.standing.next === 'end';
  const standing = isEnd ? await end(kube, join, ended) : ended.standing;
  await publishJoin(kube, join, { standing, now: ended.now });
  // A cluster that has joined is never taken back: nothing is left to wait for.
  if (standing.state === 'Joined') await letGo(kube, join);
  const { state, reason, isHeld } = standing;
  return { hasActed: isEnd, says: `${state}, ${reason}`, ...(isHeld === true ? { isHeld } : {}) };
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
      // A token that nobody could be handed is not made.
      await mayHandOut(kube, join, MADE_BY);
      await makeToken(kube, {
        managed,
        ttlMs: (join.spec.ttlSeconds ?? USUAL_SECONDS) * 1_000,
        now,
        ...MADE_BY,
        notes: {
          [FOR_JOIN]: `${namespace}/${name}/${uid}`,
          ...(join.spec.reuseName === true ? { [REUSE_NAME]: 'true' } : {}),
        },
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
    await kube.create<ManagedCluster>(MANAGED_CLUSTER, made, { ...MADE_BY, quotesRefusal: true });
  } catch (error) {
    // Somebody else's stays as it is: the next look says so.
    if (!isAlreadyExists(error)) throw error;
  }
}

async function sightOf(
  kube: Kube,
  join: ClusterJoin,
  managed: ManagedCluster | null,
  { namespaces, clusterSets, now }: Turning,
): Promise<DeclaredSight> {
  const { cluster: name, clusterSet, reuseName } = join.spec;
  const asUid = { uid: managed?.metadata.uid ?? null, now: now() };
  return {
    formerUntil: reuseName === true ? null : await formerOf(kube, name, asUid),
    isServed: namespaces.includes(join.metadata.namespace ?? ''),
    mayJoinSet: clusterSet === undefined || ['default', ...clusterSets].includes(clusterSet),
    reservedLabels: foreignLabels(join.spec),
    nameFault: managed === null ? ((await nameFault(kube, name, 'A cluster'))?.message ?? null) : null,
    cluster: managed === null ? null : clusterSeen(managed, join),
    token: managed === null ? null : await tokenSeen(kube, managed, join),
    line: await lineOf(kube, join),
    isWayKnown: await isWayKnown(kube),
    verdict: joinVerdict(name, await joinOf(kube, name, now()), now()),
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

function clusterKey({ spec }: ClusterJoin) {
  return { namespace: null, name: spec.cluster };
}
