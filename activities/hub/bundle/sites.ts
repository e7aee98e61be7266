// Which sites a Bundle may use, and who applies it there. From caches alone.
import type { Bundle } from '../../../crds/bundle/bundle.ts';
import { bundleExecutor, hubsOnSite } from '../../../crds/ocm/executors.ts';
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { pinningOf } from '../../../crds/ocm/pinning.ts';
import type { HubCaches } from '../caches.ts';
import { isHubItself } from '../place/cluster-facts.ts';
import { notJoined } from '../rollout/decision.ts';
import { isReachable, lostSince, reachableSince } from '../retire/reach.ts';
import type { Refusal } from './manifests/manifests.ts';
import type { Terms } from './manifests/render.ts';

export interface BundleSiteRules {
  readonly caches: Pick<
    HubCaches,
    'clusters' | 'configs' | 'placements' | 'decisions' | 'setBindings' | 'clusterSets'
  >;
  readonly hubUid: string;
  /** The key of the RCSConfig. */
  readonly config: { readonly namespace: string; readonly name: string };
  /** The namespace of executors on sites. */
  readonly siteNamespace: string;
  /** The hub's id; empty for none. */
  readonly hubId: string;
}

/** What decides where a Bundle may go. */
export type SelectRules = Omit<BundleSiteRules, 'siteNamespace' | 'hubId'>;

export interface BundleSite {
  readonly cluster: string;
  /** The labels of the ManagedCluster. */
  readonly labels: Readonly<Record<string, string>>;
  /** Why nothing may be sent there; null if it may. */
  readonly refusal: Refusal | null;
  readonly isReachable: boolean;
  /** Since when it is not, in milliseconds since the epoch; null if that is not known. */
  readonly lostSince: number | null;
  /** Since when it is, in the same way; absent if it is not, and if that is not known. */
  readonly reachableSince?: number;
}

function isUnrestricted({ caches, config }: SelectRules, namespace: string): boolean {
  return caches.configs.get(config)?.spec.bundles?.unrestricted?.includes(namespace) === true;
}

/** Who applies the Bundle on a site, or a refusal. */
export function executorFor(
  rules: BundleSiteRules,
  { metadata: { namespace = '' }, spec }: Bundle,
): Terms | Refusal {
  const isFree = isUnrestricted(rules, namespace);
  if (spec.executor === 'WorkAgent' && !isFree) return executorRefused(rules, namespace);
  const { siteNamespace, hubId } = rules;
  return {
    executorNamespace: isByAgent(spec, isFree) ? null : siteNamespace,
    ...(areOfHub(rules) ? { executorHub: hubId } : {}),
  };
}

function isByAgent({ executor }: Bundle['spec'], isFree: boolean): boolean {
  return executor === undefined ? isFree : executor === 'WorkAgent';
}

/** Whether the names of executors bear the hub. */
function areOfHub({ caches, config }: SelectRules): boolean {
  return caches.configs.get(config)?.spec.bundles?.executors === 'HubAndNamespace';
}

/**
 * The same site, or the refusal of a Bundle that is not there yet, where its executor is also that of another
 * hub: what it had there it would have by rights that were given to somebody else. Nothing that is there is
 * held (docs/decisions/0108).
 */
export function unlessShared(rules: SelectRules, { metadata, spec }: Bundle, site: BundleSite): BundleSite {
  const { namespace = '' } = metadata;
  const { caches, config } = rules;
  if (site.refusal !== null || areOfHub(rules)) return site;
  if (isByAgent(spec, isUnrestricted(rules, namespace))) return site;
  const cluster = caches.clusters.get({ namespace: null, name: site.cluster });
  if (cluster === undefined || hubsOnSite(cluster).length < 2) return site;
  const message =
    `${site.cluster} has several hubs, and ${bundleExecutor(namespace)}, as which this Bundle would be applied there, is the executor of namespace ${namespace} of each of them. ` +
    `Have the names of executors bear the hub: kubectl patch rcsconfig ${config.name} -n ${config.namespace} --type=merge -p '{"spec":{"bundles":{"executors":"HubAndNamespace"}}}' (docs/bundles.md, "A site with two hubs"). ` +
    `If the other hub has left, delete its claims on ${site.cluster} (docs/hubs.md).`;
  return { ...site, refusal: notAllowed(message) };
}

function executorRefused({ config }: BundleSiteRules, namespace: string): Refusal {
  return {
    reason: 'ExecutorRefused',
    message: `spec.executor WorkAgent is not for namespace ${namespace}: leave the field out, or have ${namespace} listed in spec.bundles.unrestricted of RCSConfig ${config.namespace}/${config.name}.`,
  };
}

/** Sites of a Bundle, in the order of their names. */
export function sitesOf(rules: SelectRules, bundle: Bundle, names: readonly string[]): BundleSite[] {
  const { caches, hubUid, config } = rules;
  const isFree = isUnrestricted(rules, bundle.metadata.namespace ?? '');
  const mayPin = pinningOf(caches, caches.configs.get(config)?.spec);
  const refusalOf = (name: string, cluster: ManagedCluster | undefined): Refusal | null => {
    const message = notJoined(name, cluster);
    if (cluster === undefined || message !== null) return { reason: 'UnknownSite', message: message ?? '' };
    if (isFree) return null;
    if (isHubItself(cluster, hubUid))
      return notAllowed(`${name} is the hub itself. Take it out of spec.sites.clusters.`);
    return mayPin(cluster.metadata.labels)
      ? null
      : notAllowed(
          `${name} is in no clusterset of the RCSConfig's placements. Name another site, or have an operator of the hub set spec.pinning to Any.`,
        );
  };
  return names.toSorted().map((name) => {
    const cluster = caches.clusters.get({ namespace: null, name });
    const since = cluster === undefined ? null : reachableSince(cluster);
    return {
      cluster: name,
      labels: cluster?.metadata.labels ?? {},
      refusal: refusalOf(name, cluster),
      isReachable: cluster !== undefined && isReachable(cluster),
      lostSince: cluster === undefined ? null : lostSince(cluster),
      ...(since === null ? {} : { reachableSince: since }),
    };
  });
}

function notAllowed(message: string): Refusal {
  return { reason: 'SiteNotAllowed', message };
}
