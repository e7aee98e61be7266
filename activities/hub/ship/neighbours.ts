// Finds what a Capp needs from its namespace beside its spec: pull secrets of its ServiceAccount, and who may
// read logs.
import type { Capp } from '../../../crds/capp/capp.ts';
import {
  NAMESPACE,
  ROLE_BINDING,
  SERVICE_ACCOUNT,
  type RoleBinding,
  type ServiceAccount,
  type Subject,
} from '../../../crds/kubernetes/core.ts';
import type { PointOptions } from '../dns/point.ts';
import { logReaders, pullSecretsOf, podSecurityOf } from '../../../crds/kubernetes/neighbours.ts';
import { serviceAccountOf } from '../../../crds/capp/references.ts';
import type { RcsConfig } from '../../../crds/hub/rcs-config.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { HubCaches } from '../caches.ts';
import type { Sender } from './render/manifests.ts';

/** Kind → minimum resource version. */
export type MinimumVersions = Readonly<Record<string, string>>;

export interface Sealing {
  /** The RCSConfig as it is now; undefined if there is none. */
  readonly config: () => RcsConfig | undefined;
  /** Where the hub's own key is. */
  readonly namespace: string;
}

export interface Sources {
  readonly kube: Kube;
  readonly caches: Pick<
    HubCaches,
    'capps' | 'works' | 'clusters' | 'serviceAccounts' | 'roleBindings' | 'namespaces'
  >;
  /** Namespaces in which no Capp may run, besides the built-in ones. */
  readonly reserved?: readonly string[];
  /** The name of this hub on sites. */
  readonly sender?: Sender;
  /** Absent: Secrets go as they are. */
  readonly sealing?: Sealing;
  /** Absent: no DNS records are kept. */
  readonly records?: Pick<PointOptions, 'caches' | 'config'>;
  /** How many CappRevisions a Capp keeps; 10 if not given. */
  readonly revisionsKept?: () => number;
}

export interface Neighbours {
  readonly pullSecrets: readonly string[];
  readonly logReaders: readonly Subject[];
  /** Pod security labels of the namespace. */
  readonly podSecurity: Readonly<Record<string, string>>;
}

/** From caches; live where a cache is older than the rings ask. Throws ApiError. */
export async function neighboursOf(
  sources: Sources,
  capp: Capp,
  minimumVersions: MinimumVersions,
): Promise<Neighbours> {
  const namespace = capp.metadata.namespace ?? '';
  const [account, bindings, space] = await Promise.all([
    accountAt(sources, { namespace, name: serviceAccountOf(capp) }, minimumVersions),
    bindingsIn(sources, namespace, minimumVersions),
    namespaceOf(sources, namespace),
  ]);
  return {
    pullSecrets: pullSecretsOf(account),
    logReaders: logReaders(bindings),
    podSecurity: space === null ? {} : podSecurityOf(space.metadata),
  };
}

async function accountAt(
  { kube, caches }: Sources,
  key: { namespace: string; name: string },
  minimumVersions: MinimumVersions,
) {
  const version = minimumVersions[SERVICE_ACCOUNT.kind];
  const isFresh = version === undefined || caches.serviceAccounts.caughtUpWith(version);
  return isFresh ? (caches.serviceAccounts.get(key) ?? null) : kube.get<ServiceAccount>(SERVICE_ACCOUNT, key);
}

/**
 * A namespace that was created a moment ago is read live, because a site's Namespace gets its labels once.
 */
async function namespaceOf({ kube, caches }: Sources, name: string): Promise<KubeObject | null> {
  const key = { namespace: null, name };
  return caches.namespaces.get(key) ?? (await kube.getMetadata(NAMESPACE, key));
}

async function bindingsIn(
  { kube, caches }: Sources,
  namespace: string,
  minimumVersions: MinimumVersions,
): Promise<readonly RoleBinding[]> {
  const version = minimumVersions[ROLE_BINDING.kind];
  const isFresh = version === undefined || caches.roleBindings.caughtUpWith(version);
  if (isFresh) return caches.roleBindings.by('logReaders', namespace);
  return (await kube.list<RoleBinding>(ROLE_BINDING, { namespace })).items;
}
