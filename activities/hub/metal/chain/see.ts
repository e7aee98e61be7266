// What the hub says of a site and of its hosts, read live, in facts.
import { DRAIN, type Drain } from '../../../../crds/drain/drain.ts';
import { isSettledDrain } from '../../../../crds/drain/status.ts';
import { boundOf, tokenKey } from '../../../../crds/join/bootstrap-token.ts';
import { SECRET } from '../../../../crds/kubernetes/core.ts';
import { JOIN_TOKEN, JOINED_BY, TOKEN_ENDS_AT } from '../../../../crds/join/labels.ts';
import {
  ABANDON_HOSTS,
  ALLOW_WIPE,
  JOINS_BY,
  PROVISIONED_FOR,
  SITE_CAME,
  SITE_OF,
} from '../../../../crds/metal/labels.ts';
import { isAvailable, isAway, ownerOf, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import type { SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import { USUAL_DEADLINE, type SipSite } from '../../../../crds/metal/site.ts';
import { hasJoined, MANAGED_CLUSTER, MANIFEST_WORK, type ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import { isWorkName, ownerByAnnotations } from '../../../../crds/ocm/work-identity.ts';
import type { Kube } from '../../../../kube/client.ts';
import { keyText, keyTextOf, type KubeObject } from '../../../../kube/resource.ts';
import { joinVerdict } from '../../../../workflows/join/verdict.ts';
import type { ChainHost, ChainSight, SeenDrain, SeenSite } from '../../../../workflows/metal/chain/sight.ts';
import { fewAtOnce } from '../../drain/few-at-once.ts';
import { joinOf } from '../../join/look.ts';
import { failingBy } from '../failing.ts';
import { consumerOf } from '../reservation.ts';
import { hubsOf } from './site-hubs.ts';
import { labelsOf } from './site-labels.ts';
import { userDataKey } from './user-data.ts';

/** Reads of Secrets at once. */
const AT_ONCE = 8;

export interface Chain {
  readonly cluster: SipCluster;
  readonly site: SipSite;
  /** All hosts that are reserved for it. */
  readonly own: readonly BareMetalHost[];
  readonly isComplete: boolean;
  /** Namespaces whose SIPClusters may have sites, and beside whose hosts user data may be written. */
  readonly provisions: ReadonlySet<string>;
  /** The hub's id; empty where it has none. */
  readonly hub: string;
  readonly now: number;
}

/** Null: the SIPCluster asks for no site. */
export function chainOf(
  cluster: SipCluster,
  own: readonly BareMetalHost[],
  isComplete: boolean,
  { provisions, hub, now }: Pick<Chain, 'provisions' | 'hub' | 'now'>,
): Chain | null {
  const { site } = cluster.spec;
  return site === undefined ? null : { cluster, site, own, isComplete, provisions, hub, now };
}

/** What was read, for writes that rest on it. */
export interface ChainGround {
  readonly sight: ChainSight;
  readonly managed: ManagedCluster | null;
  readonly drain: Drain | null;
  /** Metadata, by the key of the host. */
  readonly userData: ReadonlyMap<string, KubeObject>;
}

/**
 * The ManagedCluster is read first: what is read of it later is at least as new. Who joins is read only where
 * the hub worker may provision: elsewhere it has no right to it. Throws ApiError.
 */
export async function seeChain(
  kube: Kube,
  chain: Chain,
  { isLeaving, seesCapps }: { readonly isLeaving: boolean; readonly seesCapps: boolean },
): Promise<ChainGround> {
  const { cluster, site, own, isComplete, provisions, now } = chain;
  const { namespace = '', uid = '' } = cluster.metadata;
  const mayProvision = provisions.has(namespace);
  const seesJoin = mayProvision && !isLeaving;
  const managed = await kube.get<ManagedCluster>(MANAGED_CLUSTER, { namespace: null, name: site.name });
  const drain = isLeaving ? await kube.get<Drain>(DRAIN, { namespace: null, name: site.name }) : null;
  const join = seesJoin ? joinVerdict(site.name, await joinOf(kube, site.name, now), now) : null;
  const writable = own.filter(({ metadata }) => provisions.has(metadata.namespace ?? ''));
  const userData = await userDataOf(kube, writable, uid);
  const failing = failingBy(cluster, now);
  const sight: ChainSight = {
    ...saidBy(cluster),
    ...siteOf(managed, chain),
    ...hubsOf(managed, chain),
    site: site.name,
    sip: { namespace, name: cluster.metadata.name },
    mayProvision,
    join,
    token: seesJoin ? await tokenOf(kube, managed) : null,
    drain: drain === null ? null : drainSeen(drain, uid),
    isDrainRefused: site.onDelete === 'Refuse',
    capps: seesCapps ? await cappsOn(kube, site.name) : [],
    hosts: own
      .map((host) => hostSeen(host, chain, { userData, failing }))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    roles: Object.keys(site.userData),
    isComplete,
    deadlineMs: (site.deadlineSeconds ?? USUAL_DEADLINE) * 1_000,
  };
  return { sight, managed, drain, userData };
}

function saidBy({
  metadata: { annotations = {} },
  status,
}: SipCluster): Pick<ChainSight, 'allowed' | 'abandoned' | 'since' | 'wasJoined'> {
  const said = (type: string) => status?.conditions?.find((one) => one.type === type);
  const provisioned = said('Provisioned');
  return {
    allowed: wordsIn(annotations[ALLOW_WIPE]),
    abandoned: wordsIn(annotations[ABANDON_HOSTS]),
    since: provisioned?.status === 'False' ? Date.parse(provisioned.lastTransitionTime) : null,
    wasJoined: said('Joined')?.status === 'True',
  };
}

function siteOf(
  managed: ManagedCluster | null,
  chain: Chain,
): Pick<ChainSight, 'cluster' | 'hasCome' | 'isNoted'> {
  const { annotations = {}, uid = '' } = chain.cluster.metadata;
  const isNoted = annotations[SITE_CAME] === uid;
  if (managed === null) return { cluster: null, hasCome: isNoted, isNoted };
  const cluster = siteSeen(managed, chain);
  return { cluster, hasCome: isNoted || (cluster.isOurs && cluster.hasCome), isNoted };
}

/** Each once, however often it is written: an annotation holds tens of thousands of them. */
export function wordsIn(text = ''): ReadonlySet<string> {
  const words = text.split(',').map((word) => word.trim());
  return new Set(words.filter((word) => word !== ''));
}

function siteSeen(managed: ManagedCluster, { cluster, site }: Chain): SeenSite {
  const { metadata, spec } = managed;
  const isAccepted = spec?.hubAcceptsClient === true;
  const isJoined = hasJoined(managed);
  return {
    isOurs: metadata.annotations?.[SITE_OF] === cluster.metadata.uid,
    isLeaving: metadata.deletionTimestamp !== undefined,
    isAccepted,
    hasJoined: isJoined,
    hasCome: isAccepted || isJoined || metadata.annotations?.[JOINED_BY] !== undefined,
    hasLabels: labelsOf(site, managed) === null,
  };
}

async function tokenOf(kube: Kube, managed: ManagedCluster | null): Promise<ChainSight['token']> {
  const { [JOIN_TOKEN]: id = '', [TOKEN_ENDS_AT]: ends = '' } = managed?.metadata.annotations ?? {};
  const endsAt = Date.parse(ends);
  if (!/^[a-z0-9]{6}$/.test(id) || Number.isNaN(endsAt)) return null;
  const secret = await kube.getMetadata(SECRET, tokenKey(id));
  const isThere = secret !== null && boundOf(secret)?.uid === managed?.metadata.uid;
  return { id, endsAt, isThere };
}

function drainSeen(drain: Drain, uid: string): SeenDrain {
  const { waiting = 0, underWay = 0, stayed = 0 } = drain.status ?? {};
  return {
    isOurs: drain.metadata.annotations?.[PROVISIONED_FOR] === uid,
    isDryRun: drain.spec.dryRun,
    isPaused: drain.spec.paused,
    isComplete: isSettledDrain(drain) && drain.metadata.deletionTimestamp === undefined,
    says: `${waiting} wait, ${underWay} under way, ${stayed} stay`,
  };
}

/** By the names of works, which a site cannot change. */
async function cappsOn(kube: Kube, site: string): Promise<readonly string[]> {
  const { items } = await kube.list(MANIFEST_WORK, { namespace: site, metadataOnly: true });
  return items
    .filter(({ metadata }) => isWorkName(metadata.name))
    .map((work) => {
      const owner = ownerByAnnotations(work);
      return owner === null ? work.metadata.name : keyText(owner);
    });
}

async function userDataOf(
  kube: Kube,
  own: readonly BareMetalHost[],
  uid: string,
): Promise<ReadonlyMap<string, KubeObject>> {
  const turnstile = fewAtOnce(AT_ONCE);
  const found = await Promise.all(
    own.map(async (host) => {
      const secret = await turnstile(() => kube.getMetadata(SECRET, userDataKey(host)));
      const isOurs = secret?.metadata.annotations?.[PROVISIONED_FOR] === uid;
      return secret === null || !isOurs ? [] : [[keyTextOf(host), secret] as const];
    }),
  );
  return new Map(found.flat());
}

function hostSeen(
  host: BareMetalHost,
  { cluster, provisions }: Chain,
  seen: Pick<ChainGround, 'userData'> & { readonly failing: ReturnType<typeof failingBy> },
): ChainHost {
  const userData = seen.userData.get(keyTextOf(host)) ?? null;
  const { metadata, status = {} } = host;
  const { uid = '' } = cluster.metadata;
  const { annotations = {}, namespace = '' } = metadata;
  return {
    key: keyTextOf(host),
    role: ownerOf(host)?.role ?? '',
    state: status.provisioning?.state ?? '',
    isAvailable: isAvailable(host),
    image: imageOf(host, cluster),
    isMarked: annotations[PROVISIONED_FOR] === uid,
    joinsBy: annotations[JOINS_BY] ?? null,
    userData: userData === null ? null : { joinsBy: userData.metadata.annotations?.[JOINS_BY] ?? null },
    error: seen.failing(host)?.says ?? null,
    isAway: isAway(host),
    isLeaving: metadata.deletionTimestamp !== undefined,
    mayWrite: provisions.has(namespace),
  };
}

function imageOf(host: BareMetalHost, { metadata: of }: SipCluster): ChainHost['image'] {
  const ref = { namespace: of.namespace ?? '', name: of.name };
  if (consumerOf(host, ref) === 'another') return 'foreign';
  if ((host.spec?.image?.url ?? '') === '') return 'none';
  return host.metadata.annotations?.[PROVISIONED_FOR] === of.uid ? 'ours' : 'foreign';
}
