// Builds the placement inputs from the caches: placements and their decisions, clusters, loads, and the
// Capp's works.
import type { Capp } from '../../../crds/capp/capp.ts';
import {
  LOCAL_CLUSTER,
  TAINT_UNAVAILABLE,
  TAINT_UNREACHABLE,
  type ManagedCluster,
} from '../../../crds/ocm/ocm.ts';
import { pinnable } from '../../../crds/ocm/pinning.ts';
import type { RcsConfig } from '../../../crds/rcs-config.ts';
import { isAmbiguous, workName } from '../../../crds/ocm/work-identity.ts';
import type { KubeObject } from '../../../kube/resource.ts';
import type { Ground } from '../../../workflows/drain/decide/plan.ts';
import type { ClusterFacts, PlacementInputs, PlacementFacts } from '../../../workflows/placement/inputs.ts';
import { decidedFor, poolOf } from '../../../workflows/placement/select.ts';
import type { Ask } from '../../../workflows/ports.ts';
import { standingDrain, type HubCaches } from '../caches.ts';
import { namedWorks, recordedSite } from '../claim.ts';
import { mustNotRunTwice } from './move-rules.ts';
import type { Pending } from './pending.ts';
import { isReachable } from '../retire/reach.ts';
import { scoresOf } from './scores.ts';

export interface ChooseOptions {
  readonly caches: HubCaches;
  /** uid of the hub's own kube-system Namespace: a managed cluster that claims it is the hub. */
  readonly hubUid: string;
  /** The key of the RCSConfig. */
  readonly config: { readonly namespace: string; readonly name: string };
}

/** The claim by which OCM's agents tell a cluster's identity: the uid of its kube-system Namespace. */
const ID_CLAIM = 'id.k8s.io';

export interface Subject {
  /** From the caches. */
  readonly key: string;
  readonly capp: Capp;
  readonly works: readonly KubeObject[];
  /** Works that may be another Capp's as well. Only a Capp that must not run twice looks at them. */
  readonly doubtful: readonly KubeObject[];
  readonly ask: Ask;
}

export function placementInputs(
  options: ChooseOptions,
  waiting: Pending,
  { key, capp, works: cached, doubtful, ask }: Subject,
): PlacementInputs {
  const ground = groundFor(options, waiting);
  const site = capp.spec.site ?? '';
  const works = withLive(worksOf(cached), ask.works);
  const inputs: PlacementInputs = {
    ...ground,
    site,
    scores: scoresFor(options.caches, ground, site),
    load: withoutOwn(ground.load, cached, waiting.placeOf(key)),
    works,
    ...(doubtful.length === 0 ? {} : { doubtful: doubtful.map(({ metadata }) => metadata.namespace ?? '') }),
    present: ask.present,
    avoid: ask.avoid,
  };
  return inputs.present === null
    ? { ...inputs, present: remembered(inputs, capp, { cached, doubtful, live: ask.works }) }
    : inputs;
}

/** The part that is the same for every Capp. */
export function groundFor({ caches, hubUid, config: key }: ChooseOptions, waiting: Pending): Ground {
  const config: RcsConfig | undefined = caches.configs.get(key);
  const placements = config?.spec.placements ?? null;
  const placementsNamespace = config?.spec.placementsNamespace ?? '';
  const mayPin = pinningOf(caches, config);
  const facts = (cluster: ManagedCluster): ClusterFacts =>
    factsOf(cluster, {
      hubUid,
      mayPin: mayPin(cluster.metadata.labels),
      draining: standingDrain(caches, cluster.metadata.name) !== undefined,
    });
  const clusters = Object.fromEntries(
    caches.clusters.list().map((cluster) => [cluster.metadata.name, facts(cluster)]),
  );
  return {
    config: key,
    placements,
    placementsNamespace,
    byPlacement: Object.fromEntries(
      (placements ?? []).map((name) => [name, placementFacts(caches, placementsNamespace, name)]),
    ),
    clusters,
    load: Object.fromEntries(Object.keys(clusters).map((name) => [name, loadOf(caches, waiting, name)])),
  };
}

function pinningOf(caches: HubCaches, config: RcsConfig | undefined): ReturnType<typeof pinnable> {
  const { placements = [], placementsNamespace: namespace = '' } = config?.spec ?? {};
  return pinnable({
    config: config?.spec ?? null,
    placements: placements.flatMap((name) => caches.placements.get({ namespace, name }) ?? []),
    bindings: caches.setBindings.list().filter(({ metadata }) => metadata.namespace === namespace),
    sets: caches.clusterSets.list(),
  });
}

/** Scores by the placements that count for a `spec.site`. */
export function scoresFor(
  caches: HubCaches,
  { placements, placementsNamespace }: Ground,
  site: string,
): PlacementInputs['scores'] {
  return scoresOf(
    caches,
    placementsNamespace,
    placements?.includes(site) === true ? [site] : (placements ?? []),
  );
}

/**
 * Clusters with works of the Capp, and whether they are being deleted: of two works on a cluster, whether
 * both are.
 */
export function worksOf(works: readonly KubeObject[]): PlacementInputs['works'] {
  const byCluster = Map.groupBy(works, ({ metadata }) => metadata.namespace ?? '');
  return Object.fromEntries(
    [...byCluster].map(([cluster, ones]) => [cluster, { leaving: ones.every(isLeaving) }]),
  );
}

function isLeaving({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

/**
 * Live reads count where no cache shows a work yet. A work that is being deleted by either is being deleted.
 */
function withLive(works: PlacementInputs['works'], live: Ask['works']): PlacementInputs['works'] {
  const added = live.map(
    ({ cluster, leaving }) => [cluster, { leaving: leaving || works[cluster]?.leaving === true }] as const,
  );
  return { ...works, ...Object.fromEntries(added) };
}

/**
 * A Capp does not count itself: neither its works nor a recent choice for it add to the load of a cluster.
 */
function withoutOwn(
  load: PlacementInputs['load'],
  works: readonly KubeObject[],
  pending: string | null,
): PlacementInputs['load'] {
  const own = new Set(works.map(({ metadata }) => metadata.namespace ?? ''));
  if (pending !== null) own.add(pending);
  return Object.fromEntries(
    Object.entries(load).map(([cluster, count]) => [
      cluster,
      own.has(cluster) ? Math.max(0, count - 1) : count,
    ]),
  );
}

function factsOf(
  cluster: ManagedCluster,
  { hubUid, mayPin, draining }: { hubUid: string; mayPin: boolean; draining: boolean },
): ClusterFacts {
  const { metadata, spec, status } = cluster;
  const claimsHub =
    status?.clusterClaims?.some(({ name, value }) => name === ID_CLAIM && value === hubUid) === true;
  const { taints = [] } = spec ?? {};
  return {
    isHub: claimsHub || metadata.name === LOCAL_CLUSTER || metadata.labels?.[LOCAL_CLUSTER] === 'true',
    accepted: spec?.hubAcceptsClient === true,
    deleting: metadata.deletionTimestamp !== undefined,
    reachable: isReachable(cluster),
    mayPin,
    draining,
    tainted: taints.some(
      ({ key, effect }) => effect === 'NoSelect' && key !== TAINT_UNAVAILABLE && key !== TAINT_UNREACHABLE,
    ),
  };
}

/** The union of all pages of the Placement's decisions; null if there is no such Placement. */
function placementFacts(caches: HubCaches, namespace: string, name: string): PlacementFacts | null {
  const placement = caches.placements.get({ namespace, name });
  if (placement === undefined) return null;
  const pages = caches.decisions.by('placement', `${namespace}/${name}`);
  const decided = new Set(
    pages.flatMap((page) => page.status?.decisions ?? []).map(({ clusterName }) => clusterName),
  );
  const clusters = [...decided].filter((cluster) => cluster !== '').toSorted();
  return { clusters, complete: placement.status?.numberOfSelectedClusters === clusters.length };
}

function loadOf(caches: HubCaches, waiting: Pending, cluster: string): number {
  const visible = (key: string): boolean => {
    const [namespace = '', name = ''] = key.split('/');
    return namedWorks(caches, { namespace, name }).some(({ metadata }) => metadata.namespace === cluster);
  };
  return caches.works.count('cluster', cluster) + waiting.countOn(cluster, visible);
}

interface Seen {
  readonly cached: readonly KubeObject[];
  readonly doubtful: readonly KubeObject[];
  readonly live: Ask['works'];
}

/**
 * Finds the Capp's site after a rebuild. The first choice is the hub's recorded site, if a work is there: the
 * hub records it before it creates a work. Otherwise any cluster where a work has a name that no other Capp
 * could have and where the Capp may be, so that a new Capp is not sent where somebody left a work to be
 * found. A Capp that must not run twice goes wherever a work may be its own, among the clusters where it may
 * be.
 */
function remembered(inputs: PlacementInputs, capp: Capp, { cached, doubtful, live }: Seen): string | null {
  const isStaying = (cluster: string): boolean => inputs.works[cluster]?.leaving === false;
  const site = recordedSite(capp);
  if (site !== null && isStaying(site)) return site;
  const { namespace = '', name } = capp.metadata;
  const isOnce = mustNotRunTwice(capp);
  const sure = cached
    .filter((work) => isOnce || !isAmbiguous(work.metadata.name))
    .map(({ metadata }) => metadata.namespace ?? '');
  const read = !isOnce && isAmbiguous(workName(namespace, name)) ? [] : live.map(({ cluster }) => cluster);
  const staying = [...sure, ...read].filter(isStaying).toSorted();
  const perhaps = doubtful.filter((work) => !isLeaving(work)).map(({ metadata }) => metadata.namespace ?? '');
  return [...staying, ...perhaps.toSorted()].find((cluster) => mayBeOn(inputs, cluster)) ?? null;
}

/** A placement of the Capp selects it, or the Capp names it and may be pinned to it. */
function mayBeOn(inputs: PlacementInputs, cluster: string): boolean {
  const names = (inputs.placements ?? []).filter((name) => inputs.site === '' || inputs.site === name);
  if (names.some((name) => decidedFor(inputs, name).includes(cluster))) return true;
  const pool = poolOf({ ...inputs, present: null });
  return typeof pool !== 'string' && pool.clusters.includes(cluster);
}
