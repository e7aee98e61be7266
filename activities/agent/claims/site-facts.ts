// Reads what an agent claims of its site.
import { CAPP_CONFIG, CAPP_CONFIG_KEYS } from '../../../crds/capp-config.ts';
import { AUTOSCALE_DEFAULTS, DNS_CONFIG } from '../../../crds/former-config.ts';
import {
  CLUSTER_ROLE,
  CLUSTER_ROLE_BINDING,
  CONFIG_MAP,
  CUSTOM_RESOURCE_DEFINITION,
  STORAGE_CLASS,
  type ConfigMap,
  type Node,
  type RoleBinding,
} from '../../../crds/kubernetes/core.ts';
import type { Kube } from '../../../kube/client.ts';
import { isForbidden } from '../../../kube/failure.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import { AGENT_TIMES } from '../times.ts';
import type { Configured, ClaimedFacts } from './claims.ts';

export type FactServer = Pick<Kube, 'get' | 'getMetadata' | 'list'>;

/** What the agent knows without asking. */
export interface OwnFacts {
  /** Undefined until they have been listed. */
  readonly nodes: () => readonly Node[] | undefined;
  /** The version of our site operator, or null where another one runs the Capps. */
  readonly siteOperator: string | null;
  /** The hub's id; empty where it has none. */
  readonly hub?: string;
  /** The name of the executor of Capps that the hub's add-on brings; null if it brings none. */
  readonly cappsExecutor: string | null;
}

const LIMIT = { deadlineMs: AGENT_TIMES.read.ms } as const;

/** Throws ApiError while the site's API server does not answer. What it forbids is unknown. */
export async function readFacts(
  kube: FactServer,
  { nodes, siteOperator, cappsExecutor: name }: OwnFacts,
): Promise<ClaimedFacts> {
  const [config, older, knative, storageClasses, cappsExecutor] = await Promise.all([
    configOf(kube),
    unlessForbidden(olderConfigOf(kube)),
    unlessForbidden(knativeVersion(kube)),
    unlessForbidden(namesOf(kube)),
    name === null ? null : unlessForbidden(executorCalled(kube, name)),
  ]);
  return { config, older, nodes: nodes(), knative, siteOperator, cappsExecutor, storageClasses };
}

/** The first that there is counts, as for the site operator. */
async function configOf(kube: FactServer): Promise<Configured | null> {
  for (const key of CAPP_CONFIG_KEYS) {
    const found = await kube.get<Configured>(CAPP_CONFIG, key, LIMIT);
    if (found !== null) return found;
  }
  return null;
}

async function olderConfigOf(kube: FactServer): Promise<ConfigMap[]> {
  const keys = [AUTOSCALE_DEFAULTS, DNS_CONFIG];
  const found = await Promise.all(keys.map((key) => kube.get<ConfigMap>(CONFIG_MAP, key, LIMIT)));
  return found.filter((one) => one !== null);
}

/** Knative puts its version on everything that it installs. */
async function knativeVersion(kube: FactServer): Promise<string | null> {
  const key = { namespace: null, name: 'services.serving.knative.dev' };
  const found = await kube.getMetadata(CUSTOM_RESOURCE_DEFINITION, key, LIMIT);
  const { labels = {} } = found?.metadata ?? {};
  const version = labels['app.kubernetes.io/version'] ?? labels['serving.knative.dev/release'] ?? '';
  return version === '' ? null : version.replace(/^v(?=\d)/, '');
}

/**
 * `namespace/name`; null unless its ClusterRole is there, and a ClusterRoleBinding that gives it to the
 * account.
 */
async function executorCalled(kube: FactServer, name: string): Promise<string | null> {
  const key = { namespace: null, name };
  const [role, binding] = await Promise.all([
    kube.getMetadata(CLUSTER_ROLE, key, LIMIT),
    kube.get<RoleBinding & KubeObject>(CLUSTER_ROLE_BINDING, key, LIMIT),
  ]);
  if (role === null || binding?.roleRef.kind !== CLUSTER_ROLE.kind || binding.roleRef.name !== name)
    return null;
  const account = binding.subjects?.find((one) => one.kind === 'ServiceAccount' && one.name === name);
  return account?.namespace === undefined ? null : `${account.namespace}/${name}`;
}

async function namesOf(kube: FactServer): Promise<string[]> {
  const { items } = await kube.list<KubeObject>(STORAGE_CLASS, LIMIT);
  return items.map(({ metadata }) => metadata.name);
}

async function unlessForbidden<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}
