// Which sites an object with many sites names: those in its spec, or all decisions of its Placement. From
// caches.
import type { ManagedCluster } from '../../../crds/ocm/ocm.ts';
import { clustersOn, PLACEMENT_LABEL } from '../../../crds/ocm/placements.ts';
import type { ObjectMeta } from '../../../kube/resource.ts';
import type { HubCaches } from '../caches.ts';

export interface Decision {
  /** Names of managed clusters, each once. */
  readonly clusters: readonly string[];
  /** Why nothing is known of the sites, so that none is added or left; null if it is known. */
  readonly undecided: {
    readonly reason: 'NoPlacement' | 'NoDecision' | 'DecisionIncomplete';
    readonly message: string;
  } | null;
  /** `numberOfClusters` of the Placement; null if it has none, or for named sites. */
  readonly number: number | null;
  /** uid of the Placement; null if there is none, or for named sites. */
  readonly placement: string | null;
  /** People named the sites one by one. */
  readonly isNamed: boolean;
}

export interface DecisionOptions {
  readonly caches: Pick<HubCaches, 'configs' | 'placements' | 'decisions'>;
  /** The key of the RCSConfig. */
  readonly config: { readonly namespace: string; readonly name: string };
}

/** What has a Placement or names its sites. */
export interface Spread {
  readonly metadata: Pick<ObjectMeta, 'namespace'>;
  readonly spec: {
    readonly placement?: string;
    readonly sites?: { readonly clusters?: readonly string[] };
  };
}

/**
 * The clusters that the object names or its Placement has decided; `undecided` says why there are none yet.
 * Reads caches only.
 */
export function decisionFor(options: DecisionOptions, object: Spread): Decision {
  const named = object.spec.sites?.clusters;
  if (named !== undefined)
    return { clusters: [...new Set(named)], undecided: null, number: null, placement: null, isNamed: true };
  const { caches } = options;
  const key = placementKey(options, object);
  const placement = caches.placements.get(key);
  const none = {
    clusters: [],
    isNamed: false,
    number: placement?.spec?.numberOfClusters ?? null,
    placement: placement?.metadata.uid ?? null,
  };
  const name = `${key.namespace}/${key.name}`;
  if (placement === undefined) return { ...none, undecided: noPlacement(name) };
  const { clusters, pages } = decidedBy(caches, name);
  if (clusters.length === 0) return { ...none, undecided: noDecision(name) };
  const told = placement.status?.numberOfSelectedClusters;
  if (told !== clusters.length) return { ...none, undecided: incomplete(name, { told, pages }) };
  return { ...none, clusters, undecided: null };
}

/** Why nothing may be sent to a cluster, whatever it is selected by; null if it is a member of the hub. */
export function notJoined(name: string, cluster: ManagedCluster | undefined): string | null {
  if (cluster === undefined)
    return `There is no ManagedCluster ${name}. Take it out of spec.sites.clusters, or let it join the hub.`;
  if (cluster.metadata.deletionTimestamp !== undefined)
    return `${name} is being removed from the hub. Take it out of spec.sites.clusters.`;
  if (cluster.spec?.hubAcceptsClient !== true)
    return `The hub has not accepted ${name}. Accept it, or take it out of spec.sites.clusters.`;
  return null;
}

/** What the operator of the hub lists goes before what a namespace calls the same. */
export function placementKey({ caches, config }: DecisionOptions, { metadata, spec }: Spread) {
  const { placements = [], placementsNamespace = '' } = caches.configs.get(config)?.spec ?? {};
  const { placement: name = '' } = spec;
  return { namespace: placements.includes(name) ? placementsNamespace : (metadata.namespace ?? ''), name };
}

/** All decisions of a Placement, `<namespace>/<name>`, on all pages. */
export function decidedBy({ decisions }: Pick<DecisionOptions['caches'], 'decisions'>, placement: string) {
  const pages = decisions.by('placement', placement);
  return { clusters: clustersOn(pages), pages: pages.length };
}

type Undecided = NonNullable<Decision['undecided']>;

function noPlacement(name: string): Undecided {
  const message = `There is no Placement ${name}, so no site is added, changed or left. Create it, or name another in spec.placement.`;
  return { reason: 'NoPlacement', message };
}

function noDecision(name: string): Undecided {
  const message = `Placement ${name} selects no site. That is no reason to leave the sites that were selected before, and none is changed meanwhile. Look at its status and at the labels of the ManagedClusters.`;
  return { reason: 'NoDecision', message };
}

function incomplete(name: string, { told, pages }: { told: number | undefined; pages: number }): Undecided {
  const message = `Placement ${name} says that it selects ${told ?? 'an unknown number of'} sites, and its ${pages} PlacementDecisions (label ${PLACEMENT_LABEL}) do not add up to that yet. If this lasts, see whether OCM's placement controller runs.`;
  return { reason: 'DecisionIncomplete', message };
}
