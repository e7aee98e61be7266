// As whom OCM's work agents apply what we send: names of ServiceAccounts on a site that nobody creates, to
// which rights are bound (docs/decisions/0058). Names bear the hub's short id, since a site may have two
// hubs.
import { digestOf } from '../digest.ts';
import { CAPPS_EXECUTOR_CLAIM } from './cluster-claim.ts';
import type { ManagedCluster, ManifestWork } from './ocm.ts';

export interface ServiceAccountKey {
  readonly namespace: string;
  readonly name: string;
}

/**
 * The short id of a hub, in the names of what it has on sites: ten hex digits of a hash of its id. The
 * chart makes the same.
 */
export function shortIdOf(hub: string): string {
  return digestOf(hub, 10);
}

/** As whom a hub's works of Capps are applied. The add-on gives the name what Capps consist of. */
export function cappsExecutor(hub: string): string {
  return `cappstan-capps-${shortIdOf(hub)}`;
}

/** By which the hub's agent on a site claims that account. Each hub of a site has its own. */
export function cappsExecutorClaim(hub: string): string {
  return cappsExecutorClaimOf(shortIdOf(hub));
}

function cappsExecutorClaimOf(shortId: string): string {
  return CAPPS_EXECUTOR_CLAIM.replace('.', `-${shortId}.`);
}

const CLAIM_OF_HUB = new RegExp(
  `^${cappsExecutorClaimOf('([0-9a-f]{10})').replaceAll('.', String.raw`\.`)}$`,
);

/**
 * Short ids of the hubs whose agents claim an account on a cluster, each once and in order: more than one
 * where it has several. An agent of an earlier version says its hub in the value of the claim alone.
 */
export function hubsOnSite(cluster: Pick<ManagedCluster, 'status'>): readonly string[] {
  const claims = cluster.status?.clusterClaims ?? [];
  const named = claims.flatMap(({ name }) => CLAIM_OF_HUB.exec(name)?.[1] ?? []);
  return [...new Set([...named, ...hubInPlainClaim(cluster)])].toSorted();
}

function hubInPlainClaim({ status }: Pick<ManagedCluster, 'status'>): readonly string[] {
  const value = status?.clusterClaims?.find(({ name }) => name === CAPPS_EXECUTOR_CLAIM)?.value;
  const [, shortId] = /\/cappstan-capps-([0-9a-f]{10})$/.exec(value ?? '') ?? [];
  return shortId === undefined ? [] : [shortId];
}

/**
 * The executor for works of Capps on a cluster; null if the cluster does not claim just that account, or if
 * the hub has no id. A site may claim anything: it decides whether this name is used, and never which. An
 * agent of an earlier version claims it by a name without the hub.
 */
export function cappsExecutorOn(
  cluster: Pick<ManagedCluster, 'status'> | undefined,
  { hub, namespace }: { readonly hub: string; readonly namespace: string },
): ServiceAccountKey | null {
  if (hub === '') return null;
  const account = { namespace, name: cappsExecutor(hub) };
  const names = new Set<unknown>([cappsExecutorClaim(hub), CAPPS_EXECUTOR_CLAIM]);
  const isClaimed = cluster?.status?.clusterClaims?.some(
    ({ name, value }) => names.has(name) && value === `${namespace}/${account.name}`,
  );
  return isClaimed === true ? account : null;
}

/**
 * As whom a namespace's Bundles are applied: a name to which a site's admins give rights. Without a hub it is
 * the same for all hubs of a site. A namespace has no dot, so no two are the same.
 */
export function bundleExecutor(namespace: string, hub = ''): string {
  const plain = `cappstan-bundles-${namespace}`;
  return hub === '' ? plain : `${plain}.${shortIdOf(hub)}`;
}

type Executor = Required<NonNullable<ManifestWork['spec']>>['executor'];

export function executorAs({ namespace, name }: ServiceAccountKey): Executor {
  return { subject: { type: 'ServiceAccount', serviceAccount: { namespace, name } } };
}
