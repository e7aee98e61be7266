// A site that has other hubs beside the one that it leaves: who they are, and what goes with this one alone.
import { ADMISSION_POLICY, ADMISSION_POLICY_BINDING } from '../../../crds/kubernetes/admission.ts';
import {
  CLUSTER_ROLE,
  CLUSTER_ROLE_BINDING,
  CONFIG_MAP,
  DEPLOYMENT,
  ROLE_BINDING,
  SECRET,
  SERVICE_ACCOUNT,
  type ConfigMap,
} from '../../../crds/kubernetes/core.ts';
import { HUB, HUB_PART } from '../../../crds/labels.ts';
import { CLUSTER_CLAIM } from '../../../crds/ocm/cluster-claim.ts';
import { shortIdOf } from '../../../crds/ocm/executors.ts';
import { FIRST_HUB, HUBS_OF_SITE } from '../../../crds/site-hubs.ts';
import { serves } from '../../../kube/discovery.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import { OCM_AGENT_ACCOUNT } from '../../local/ocm/site.ts';
import { removed } from './removed.ts';

/** They go first, since they would refuse what follows when the record of the site's hubs has changed. */
export const POLICIES: readonly Resource[] = [ADMISSION_POLICY_BINDING, ADMISSION_POLICY];

const ROLE = { ...ROLE_BINDING, kind: 'Role', plural: 'roles' } as const;
const NETWORK_POLICY = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  namespaced: true,
} as const;
/** What each hub has of its own. The right that says that its add-on is there goes last. */
const OWN: readonly Resource[] = [
  DEPLOYMENT,
  SECRET,
  SERVICE_ACCOUNT,
  NETWORK_POLICY,
  ROLE_BINDING,
  ROLE,
  CLUSTER_ROLE_BINDING,
  CLUSTER_ROLE,
];

export interface HubsOfSite {
  /**
   * The hub that the site has joined by `cappstan join`. Null if no hub is recorded, or if its agent is of
   * none of those that are.
   */
  readonly own: string | null;
  /** The hub to which objects without a label belong; null if none is recorded. */
  readonly first: string | null;
  /** In the order of their agents' names. */
  readonly others: readonly string[];
}

/**
 * `hubId` is what the site has noted of its hub when it began to leave: by then the record may name that hub
 * no more. Before, the hub is the one that the site's policies take the agent for
 * (`cappstan.hubOfAgent` in deploy/helm/templates/_guard.tpl). Throws ApiError.
 */
export async function hubsOf(site: Kube, hubId: string | null): Promise<HubsOfSite> {
  const { data = {} } = (await site.get<ConfigMap>(CONFIG_MAP, HUBS_OF_SITE)) ?? {};
  const agents = Object.keys(data).filter((key) => key !== FIRST_HUB);
  const first = data[FIRST_HUB] ?? null;
  const isFirstNamed = agents.some((key) => data[key] === first);
  const agent = `${OCM_AGENT_ACCOUNT.namespace}.${OCM_AGENT_ACCOUNT.name}`;
  const own = hubId ?? data[agent] ?? (isFirstNamed ? null : first);
  const named = [...agents.toSorted(), FIRST_HUB].flatMap((key) => data[key] ?? []);
  return { own, first, others: [...new Set(named)].filter((hub) => hub !== own) };
}

/**
 * Takes away what is this hub's alone, and hands what is there once to the first of the others, whose add-on
 * takes it at its next look. Throws ApiError. Safe to repeat.
 */
export async function clearBeside(site: Kube, own: string, others: readonly string[]): Promise<void> {
  await handOver(site, own, others[0] ?? own);
  const isNamed = (name: string): boolean => name.endsWith(`-${shortIdOf(own)}`);
  for (const resource of POLICIES)
    for (const object of (await site.list(resource, { metadataOnly: true })).items)
      if (isNamed(object.metadata.name)) await removed(site, resource, object);
  const claims = (await serves(site, CLUSTER_CLAIM)) ? [CLUSTER_CLAIM] : [];
  for (const resource of [...claims, ...OWN])
    for (const object of await ownOf(site, resource, own)) await removed(site, resource, object);
}

/** Metadata alone: what a Secret says is nobody's business here. */
async function ownOf(site: Kube, resource: Resource, hub: string): Promise<readonly KubeObject[]> {
  const labelSelector = `${HUB}=${hub},!${HUB_PART}`;
  return (await site.list(resource, { labelSelector, metadataOnly: true })).items;
}

async function handOver(site: Kube, own: string, next: string): Promise<void> {
  const { data = {} } = (await site.get<ConfigMap>(CONFIG_MAP, HUBS_OF_SITE)) ?? {};
  const left = Object.entries(data).filter(([key, hub]) => key !== FIRST_HUB && hub === own);
  const first = data[FIRST_HUB] === own ? { [FIRST_HUB]: next } : {};
  const change = { ...Object.fromEntries(left.map(([key]) => [key, null])), ...first };
  if (Object.keys(change).length > 0) await site.patch(CONFIG_MAP, HUBS_OF_SITE, { data: change });
}
