// Who calls: the hub's API server reviews the token, and the cluster must be one that the hub has accepted.
import { createHash } from 'node:crypto';
import { clusterOfAgent, GATEWAY_AUDIENCE } from '../crds/hub/agent-identity.ts';
import { isMember, type ManagedCluster } from '../crds/ocm/ocm.ts';
import type { Cache } from '../kube/watch/cache.ts';
import type { Kube } from '../kube/client.ts';
import type { KubeObject, Resource } from '../kube/resource.ts';
import { GatewayRefusal, hubAway, tooMuch, unknownCaller } from './refusal.ts';
import type { CallingSite } from './site.ts';
import { GATEWAY_TIMES } from './times.ts';

export const TOKEN_REVIEW: Resource = {
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  namespaced: false,
};

interface TokenReview extends KubeObject {
  readonly spec: { readonly token: string; readonly audiences: readonly string[] };
  readonly status?: {
    readonly authenticated?: boolean;
    readonly audiences?: readonly string[];
    readonly user?: { readonly username?: string; readonly uid?: string };
  };
}

export interface IdentifyOptions {
  readonly kube: Pick<Kube, 'create'>;
  readonly clusters: Pick<Cache<ManagedCluster & KubeObject>, 'get'>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Longer than any token of an API server. */
const LONGEST_TOKEN = 8_192;
const MOST_KEPT = 20_000;
/** Of tokens that were not found good before: who sends many of them keeps no agent out that has been in. */
const STRANGERS_AT_ONCE = 32;
/**
 * Of tokens that say they are of a site whose agent has been in: its token was renewed. Anybody may say that,
 * so it is no more than this of one site, and of all. Who sends many that name a site keeps its next token
 * out for as long.
 */
const RENEWED_AT_ONCE = { site: 2, all: 64 } as const;

/**
 * Takes the value of the header `authorization`. Throws a GatewayRefusal: UNAUTHENTICATED for who is no
 * agent, or whose cluster is not accepted; RESOURCE_EXHAUSTED while too many unknown tokens are under review.
 * A review counts for a minute: a deleted ServiceAccount is refused after that. Whether the cluster is
 * accepted is looked up for each call.
 */
export function identify({ kube, clusters, now = Date.now }: IdentifyOptions) {
  const reviews = new Map<string, Reviewed>();
  const been = new Set<string>();
  const renewals = atOnce(RENEWED_AT_ONCE);
  let strangers = 0;
  const review = async (token: string): Promise<CallingSite | null> =>
    siteOf(await kube.create<TokenReview>(TOKEN_REVIEW, requestOf(token)));
  const reviewNew = async (token: string): Promise<CallingSite | null> => {
    const cluster = clusterOfAgent(claimsOf(token)?.sub ?? '');
    const done = cluster !== null && been.has(cluster) ? renewals(cluster) : null;
    if (done !== null) return review(token).finally(done);
    if (strangers >= STRANGERS_AT_ONCE) throw tooMuch('Too many tokens are under review. Try again.');
    strangers += 1;
    return review(token).finally(() => (strangers -= 1));
  };
  const present = (cluster: string) => clusters.get({ namespace: null, name: cluster });
  const reviewed = (token: string): Reviewed => {
    const key = createHash('sha256').update(token).digest('base64');
    const kept = reviews.get(key);
    if (kept !== undefined && kept.until > now()) return kept;
    if (!isForGateway(token)) throw notForGateway();
    if (reviews.size >= MOST_KEPT) forgetStrangers(reviews);
    const wasGood = kept?.wasGood === true;
    const site = wasGood ? review(token) : reviewNew(token);
    const until = now() + GATEWAY_TIMES.review.ms;
    const next: Reviewed = { until, site, wasGood, of: kept?.of ?? null };
    reviews.set(key, next);
    site.then(
      (found) => {
        next.wasGood = found !== null;
        if (found === null) return;
        next.of ??= present(found.cluster)?.metadata.uid ?? null;
        if (been.size < MOST_KEPT) been.add(found.cluster);
      },
      // What could not be asked is asked again.
      () => (next.until = 0),
    );
    return next;
  };
  return async (authorization: string): Promise<CallingSite> => {
    const token = /^Bearer (\S+)$/.exec(authorization)?.[1];
    if (token === undefined || token.length > LONGEST_TOKEN) throw notForGateway();
    const review = reviewed(token);
    const site = await review.site.catch((error: unknown) => {
      throw error instanceof GatewayRefusal ? error : hubAway();
    });
    if (site === null) throw unknownCaller('The hub does not know this token, or it has expired.');
    const cluster = present(site.cluster);
    if (!isMember(cluster))
      throw unknownCaller(
        `The hub has not accepted the managed cluster ${site.cluster}, or it is being deleted.`,
      );
    if (review.of !== null && review.of !== cluster?.metadata.uid && !isMadeAfter(token, cluster))
      throw unknownCaller(`This token is of a former managed cluster ${site.cluster}.`);
    return site;
  };
}

interface Reviewed {
  until: number;
  readonly site: Promise<CallingSite | null>;
  /** The last answer to this token was a site. */
  wasGood: boolean;
  /**
   * The uid of the ManagedCluster for which it was good first, if that was known. It is good for no later one
   * of the name, whose account the API server may know no better for a while. One that was made after the
   * later cluster is that one's: then the watch was behind.
   */
  of: string | null;
}

function forgetStrangers(reviews: Map<string, Reviewed>): void {
  for (const [key, { wasGood }] of reviews) if (!wasGood) reviews.delete(key);
  if (reviews.size >= MOST_KEPT) reviews.clear();
}

const notForGateway = (): GatewayRefusal =>
  unknownCaller(`Send a token of the site's agent, made for the audience ${GATEWAY_AUDIENCE}.`);

function requestOf(token: string): TokenReview {
  const { apiVersion, kind } = TOKEN_REVIEW;
  const spec = { token, audiences: [GATEWAY_AUDIENCE] };
  return { apiVersion, kind, metadata: { name: '' }, spec };
}

function siteOf({ status }: TokenReview): CallingSite | null {
  const cluster = clusterOfAgent(status?.user?.username ?? '');
  const account = status?.user?.uid ?? '';
  const isMeant = status?.authenticated === true && status.audiences?.includes(GATEWAY_AUDIENCE) === true;
  return isMeant && cluster !== null && account !== '' ? { cluster, account } : null;
}

/** Without a review: spares the API server what cannot be a token for the gateway. The review decides. */
function isForGateway(token: string): boolean {
  const aud = claimsOf(token)?.aud;
  return Array.isArray(aud) ? aud.includes(GATEWAY_AUDIENCE) : aud === GATEWAY_AUDIENCE;
}

/**
 * Of a token that was found good, so that what it says is signed. Both moments are of whole seconds, and of
 * the hub's API servers: of the same second it is not known which was first.
 */
function isMadeAfter(token: string, cluster: ManagedCluster | undefined): boolean {
  const issued = claimsOf(token)?.iat;
  const created = Date.parse(cluster?.metadata.creationTimestamp ?? '');
  return issued !== undefined && issued * 1000 > created;
}

/** What the token says of itself, which nobody has checked; null if that cannot be read. */
function claimsOf(
  token: string,
): { readonly aud?: unknown; readonly sub?: string; readonly iat?: number } | null {
  try {
    const [, claims = ''] = token.split('.');
    const read = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Record<string, unknown>;
    const { aud, sub, iat } = read;
    return {
      aud,
      ...(typeof sub === 'string' ? { sub } : {}),
      ...(typeof iat === 'number' ? { iat } : {}),
    };
  } catch {
    return null;
  }
}

/** Gives who may begin the function by which it ends; null for who has to wait. */
function atOnce({ site, all }: { readonly site: number; readonly all: number }) {
  const open = new Map<string, number>();
  let sum = 0;
  return (cluster: string): (() => void) | null => {
    const own = open.get(cluster) ?? 0;
    if (own >= site || sum >= all) return null;
    sum += 1;
    open.set(cluster, own + 1);
    return () => {
      sum -= 1;
      const left = (open.get(cluster) ?? 1) - 1;
      if (left === 0) open.delete(cluster);
      else open.set(cluster, left);
    };
  };
}
