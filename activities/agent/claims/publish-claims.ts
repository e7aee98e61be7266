// The agent's loop that publishes claims of its site, beside its activities: facts, and not its health, so
// they stay when it stops.
import {
  AGENT_CLAIMS,
  CAPPS_EXECUTOR_CLAIM,
  CLUSTER_CLAIM,
  type AgentClaim,
  type ClusterClaim,
} from '../../../crds/ocm/cluster-claim.ts';
import { cappsExecutor, cappsExecutorClaim } from '../../../crds/ocm/executors.ts';
import { HUB, MANAGED_BY, MANAGED_BY_AGENT } from '../../../crds/labels.ts';
import type { Kube } from '../../../kube/client.ts';
import { isAlreadyExists, isNotFound } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { AGENT_TIMES } from '../times.ts';
import { claimsOf } from './claims.ts';
import { readFacts, type FactServer, type OwnFacts } from './site-facts.ts';

type SiteServer = FactServer & Pick<Kube, 'create' | 'patch' | 'remove'>;

/**
 * Makes the claims what the site is, and returns those that it has written or removed: none when nothing has
 * changed. A claim that somebody else has made stays as it is, and so does one of another hub's agent: of
 * what several hubs claim alike, the first keeps the claim. A repeat finds what it wrote, and so does a
 * second agent. What an earlier version claimed for the same hub by a name without the hub is removed once
 * the claim with it stands. Throws ApiError.
 */
export async function publishClaims(kube: SiteServer, own: OwnFacts): Promise<string[]> {
  const claims = claimsOf(await readFacts(kube, own));
  const written: string[] = [];
  for (const name of AGENT_CLAIMS) {
    const value = claims[name];
    const claim = { hub: own.hub ?? '', name: nameOf(name, own.hub ?? '') };
    if (value !== undefined && (await isWritten(kube, claim, value))) written.push(claim.name);
  }
  const isKnown = claims[CAPPS_EXECUTOR_CLAIM] !== undefined;
  if (isKnown && (await isFormerRemoved(kube, own.hub ?? ''))) written.push(CAPPS_EXECUTOR_CLAIM);
  return written;
}

async function isFormerRemoved(kube: SiteServer, hub: string): Promise<boolean> {
  const key = { namespace: null, name: CAPPS_EXECUTOR_CLAIM };
  const live = hub === '' ? null : await kube.get<ClusterClaim & KubeObject>(CLUSTER_CLAIM, key, LIMIT);
  const { metadata, spec } = live ?? {};
  const isOurs =
    metadata?.labels?.[MANAGED_BY] === MANAGED_BY_AGENT &&
    spec?.value?.endsWith(`/${cappsExecutor(hub)}`) === true;
  if (!isOurs) return false;
  const { uid = '', resourceVersion = '' } = metadata;
  return kube.remove(CLUSTER_CLAIM, key, { uid, resourceVersion, ...LIMIT });
}

const LIMIT = { deadlineMs: AGENT_TIMES.read.ms } as const;

function nameOf(claim: AgentClaim, hub: string): string {
  return claim === CAPPS_EXECUTOR_CLAIM && hub !== '' ? cappsExecutorClaim(hub) : claim;
}

interface Named {
  readonly name: string;
  readonly hub: string;
}

async function isWritten(kube: SiteServer, { name, hub }: Named, value: string | null): Promise<boolean> {
  const key = { namespace: null, name };
  const live = await kube.get<ClusterClaim & { metadata: { name: string } }>(CLUSTER_CLAIM, key, LIMIT);
  if (live === null) return value !== null && isCreated(kube, { name, hub }, value);
  const owner = live.metadata.labels?.[HUB] ?? hub;
  if (owner !== hub) return false;
  if (live.metadata.labels?.[MANAGED_BY] !== MANAGED_BY_AGENT || live.spec?.value === value) return false;
  const { uid = '', resourceVersion = '' } = live.metadata;
  if (value === null) return kube.remove(CLUSTER_CLAIM, key, { uid, resourceVersion, ...LIMIT });
  await kube.patch(
    CLUSTER_CLAIM,
    key,
    { metadata: { uid, resourceVersion, labels: ofHub(hub) }, spec: { value } },
    LIMIT,
  );
  return true;
}

/**
 * False where the site has no such kind, since no klusterlet runs there, and where another agent was first.
 */
async function isCreated(kube: SiteServer, { name, hub }: Named, value: string): Promise<boolean> {
  const { apiVersion, kind } = CLUSTER_CLAIM;
  const metadata = { name, labels: { [MANAGED_BY]: MANAGED_BY_AGENT, ...ofHub(hub) } };
  try {
    await kube.create(CLUSTER_CLAIM, { apiVersion, kind, metadata, spec: { value } }, LIMIT);
    return true;
  } catch (error) {
    if (isNotFound(error) || isAlreadyExists(error)) return false;
    throw error;
  }
}

function ofHub(hub: string): Readonly<Record<string, string>> {
  return hub === '' ? {} : { [HUB]: hub };
}

export interface ClaimsLoop {
  stop(): Promise<void>;
}

export interface ClaimsOptions {
  readonly onWritten: (claims: readonly string[]) => void;
  /** Told when a look fails, and not again while the next ones fail as well. */
  readonly onProblem: (error: unknown) => void;
  readonly everyMs?: number;
}

/** Looks at once, and then once a minute, which is how often a claim is written at most. */
export function publishClaimsForever(
  kube: SiteServer,
  own: OwnFacts,
  { onWritten, onProblem, everyMs = AGENT_TIMES.claims.ms }: ClaimsOptions,
): ClaimsLoop {
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const look = async (): Promise<void> => {
    try {
      const written = await publishClaims(kube, own);
      isFailing = false;
      if (written.length > 0) onWritten(written);
    } catch (error) {
      if (!isFailing) onProblem(error);
      isFailing = true;
    }
    if (!isStopped) timer = setTimeout(again, everyMs);
  };
  let looking = look();
  function again(): void {
    looking = look();
  }
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
