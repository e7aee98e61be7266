// A site that has other hubs beside the one that it leaves: who they are, and what goes with this one alone.
import { ADMISSION_POLICY, ADMISSION_POLICY_BINDING } from '../../crds/kubernetes/admission.ts';
import { CONFIG_MAP, type ConfigMap } from '../../crds/kubernetes/core.ts';
import { HUB, HUB_PART } from '../../crds/labels.ts';
import { CLUSTER_CLAIM } from '../../crds/ocm/cluster-claim.ts';
import { shortIdOf } from '../../crds/ocm/executors.ts';
import { FIRST_HUB, HUBS_OF_SITE } from '../../crds/site-hubs.ts';
import { serves } from '../../kube/discovery.ts';
import { isConflict, isNotFound } from '../../kube/failure.ts';
import type { Kube } from '../../kube/client.ts';
import type { KubeObject, Resource } from '../../kube/resource.ts';
import { resourceOf } from '../local/kubernetes/apply.ts';
import { OCM_AGENT_ACCOUNT } from '../local/ocm/site.ts';

const RBAC = 'rbac.authorization.k8s.io/v1';
/** What each hub has of its own. The right that says that its add-on is there goes last. */
const OWN = [
  { apiVersion: 'apps/v1', kind: 'Deployment' },
  { apiVersion: 'v1', kind: 'Secret' },
  { apiVersion: 'v1', kind: 'ServiceAccount' },
  { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' },
  { apiVersion: RBAC, kind: 'RoleBinding' },
  { apiVersion: RBAC, kind: 'Role' },
  { apiVersion: RBAC, kind: 'ClusterRoleBinding' },
  { apiVersion: RBAC, kind: 'ClusterRole' },
] as const;

export interface HubsOfSite {
  /** The hub that the site has joined by `cappstan join`; null if none is recorded. */
  readonly own: string | null;
  /** In the order of their agents' names. */
  readonly others: readonly string[];
}

/** Throws ApiError. */
export async function hubsOf(site: Kube): Promise<HubsOfSite> {
  const { data = {} } = (await site.get<ConfigMap>(CONFIG_MAP, HUBS_OF_SITE)) ?? {};
  const own = data[`${OCM_AGENT_ACCOUNT.namespace}.${OCM_AGENT_ACCOUNT.name}`] ?? data[FIRST_HUB] ?? null;
  const named = Object.keys(data)
    .toSorted()
    .flatMap((key) => data[key] ?? []);
  return { own, others: [...new Set(named)].filter((hub) => hub !== own) };
}

/**
 * Takes away what is this hub's alone, and hands what is there once to the first of the others, whose add-on
 * takes it at its next look. Throws ApiError. Safe to repeat.
 */
export async function clearBeside(site: Kube, own: string, others: readonly string[]): Promise<void> {
  await handOver(site, own, others[0] ?? own);
  for (const resource of [ADMISSION_POLICY_BINDING, ADMISSION_POLICY])
    await removeAll(site, resource, ({ name }) => name.endsWith(`-${shortIdOf(own)}`));
  const isOwn = ({ labels = {} }: KubeObject['metadata']): boolean =>
    labels[HUB] === own && labels[HUB_PART] === undefined;
  if (await serves(site, CLUSTER_CLAIM)) await removeAll(site, CLUSTER_CLAIM, isOwn);
  for (const kind of OWN) await removeAll(site, await resourceOf(site, kind), isOwn);
}

async function handOver(site: Kube, own: string, next: string): Promise<void> {
  const { data = {} } = (await site.get<ConfigMap>(CONFIG_MAP, HUBS_OF_SITE)) ?? {};
  const left = Object.entries(data).filter(([key, hub]) => key !== FIRST_HUB && hub === own);
  const first = data[FIRST_HUB] === own ? { [FIRST_HUB]: next } : {};
  const change = { ...Object.fromEntries(left.map(([key]) => [key, null])), ...first };
  if (Object.keys(change).length > 0) await site.patch(CONFIG_MAP, HUBS_OF_SITE, { data: change });
}

async function removeAll(
  site: Kube,
  resource: Resource,
  isMeant: (metadata: KubeObject['metadata']) => boolean,
): Promise<void> {
  for (const { metadata } of (await site.list(resource)).items) {
    if (!isMeant(metadata)) continue;
    const { name, namespace = null } = metadata;
    await site.remove(resource, { namespace, name }).catch((error: unknown) => {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    });
  }
}
