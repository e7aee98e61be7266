// What allows a Capp to be on a cluster, by what Kubernetes says: never by what a workflow's state says,
// which somebody else may have written. From the live Capp, and from caches.
import type { Capp } from '../../../crds/capp/capp.ts';
import type { RcsConfig } from '../../../crds/hub/rcs-config.ts';
import { pinningOf } from '../../../crds/ocm/pinning.ts';
import { HAS_PLACEMENT } from '../../../crds/labels.ts';
import { placementsFor } from '../../../workflows/placement/decided.ts';
import { lackOf } from '../../../workflows/placement/fit.ts';
import type { HubCaches } from '../caches.ts';
import { decidedBy } from '../rollout/decision.ts';
import { caughtUp } from './caught-up.ts';
import { factsOf } from './cluster-facts.ts';
import type { ChooseOptions } from './ground.ts';
import { handledIn, requestIn } from './requests.ts';

export type Warrant =
  /**
   * The status says that users are sent there; or that it comes or leaves there, and a work is there. Only
   * the hub writes it, and only by these rules.
   */
  | 'Status'
  /**
   * The hub has noted the site on the Capp, and a work is there. A status may be lost with a restored backup.
   */
  | 'Noted'
  /** `spec.site` names the cluster, and the RCSConfig allows that. */
  | 'Named'
  /** A request by annotation names it, and the RCSConfig allows that. */
  | 'Asked'
  /** A Placement of the Capp has decided for it. */
  | 'Decided';

interface PlacementKey {
  readonly namespace: string;
  readonly name: string;
}

export interface WarrantOptions extends Omit<ChooseOptions, 'caches'> {
  readonly caches: Pick<
    HubCaches,
    'capps' | 'configs' | 'placements' | 'decisions' | 'clusters' | 'setBindings' | 'clusterSets'
  >;
}

/**
 * Takes the Capp as it was just read. `hasWork`: a work of this Capp's exact name was read there. Null:
 * nothing allows it.
 */
export function warrantFor(
  options: WarrantOptions,
  capp: Capp,
  cluster: string,
  hasWork = false,
): Warrant | null {
  return warrantOf(capp, cluster, hasWork) ?? warrantBy(options, capp, cluster);
}

/** By the Capp itself. */
function warrantOf(capp: Capp, cluster: string, hasWork: boolean): Warrant | null {
  if (servesIn(capp).includes(cluster) || (hasWork && sitesIn(capp).includes(cluster))) return 'Status';
  return hasWork && capp.metadata.annotations?.[HAS_PLACEMENT] === cluster ? 'Noted' : null;
}

/** By the caches. */
function warrantBy(
  { caches, hubUid, config: key }: WarrantOptions,
  capp: Capp,
  cluster: string,
): Warrant | null {
  const found = caches.clusters.get({ namespace: null, name: cluster });
  if (found === undefined) return null;
  const config = caches.configs.get(key)?.spec;
  const mayPin = pinningOf(caches, config)(found.metadata.labels);
  const facts = factsOf(found, { hubUid, mayPin, draining: false });
  if (facts.isHub || lackOf(capp.spec.requires, facts) !== null) return null;
  if (mayPin && keysFor(capp, config).length === 0 && capp.spec.site === cluster) return 'Named';
  if (mayPin && isAskedFor(capp, cluster)) return 'Asked';
  return placementsDecidedFor({ caches, config: key }, capp, cluster).length > 0 ? 'Decided' : null;
}

/** Those that count for the Capp. */
function keysFor({ spec: { site = '' } }: Capp, config: RcsConfig['spec'] | undefined): PlacementKey[] {
  const { placements = [], placementsNamespace = '' } = config ?? {};
  return placementsFor({ placements, site }).map((name) => ({ namespace: placementsNamespace, name }));
}

/** Placements that count for the Capp and, by the cache, have decided for the cluster. */
export function placementsDecidedFor(
  { caches, config: key }: Pick<WarrantOptions, 'caches' | 'config'>,
  capp: Capp,
  cluster: string,
): PlacementKey[] {
  return keysFor(capp, caches.configs.get(key)?.spec).filter(({ namespace, name }) =>
    decidedBy(caches, `${namespace}/${name}`).clusters.includes(cluster),
  );
}

/**
 * `warrantFor`, as soon as the caches are at least as new as the rings ask: what rests on caches, a refusal
 * too, rests on those. The Capp itself was read live, so no cache of Capps is waited for. Throws what
 * `behind` gives while they are not, so that another try asks again. Whether a decision still stands,
 * `isWarranted` reads live.
 */
export async function warrantInTime(
  options: WarrantOptions,
  {
    capp,
    cluster,
    hasWork = false,
  }: { readonly capp: Capp; readonly cluster: string; readonly hasWork?: boolean },
  minimumVersions: Readonly<Record<string, string>>,
  behind: () => Error,
): Promise<Warrant | null> {
  const first = warrantFor(options, capp, cluster, hasWork);
  if (isOnCapp(first)) return first;
  const { configs, placements, decisions, clusters, setBindings, clusterSets } = options.caches;
  const grounds = { configs, placements, decisions, clusters, setBindings, clusterSets };
  if (!(await caughtUp(grounds, minimumVersions))) throw behind();
  return warrantFor(options, capp, cluster, hasWork);
}

/** The Capp itself and its work say so, whatever else the caches have. */
export function isOnCapp(warrant: Warrant | null): boolean {
  return warrant === 'Status' || warrant === 'Noted';
}

/** Where the status says that a copy is, comes or leaves. */
export function sitesIn(capp: Capp): readonly string[] {
  const passing = (capp.status?.sites ?? []).filter(isPassing).map(({ clusterName }) => clusterName);
  return [...servesIn(capp), ...passing];
}

/** Where it says that users are sent. */
function servesIn({ status }: Capp): readonly string[] {
  const { migration, applicationLinks, sites = [] } = status ?? {};
  const here = sites.filter((site) => !isPassing(site)).map(({ clusterName }) => clusterName);
  const named = [migration?.serving, applicationLinks?.site, ...here];
  return named.flatMap((site) => (site === undefined || site === '' ? [] : [site]));
}

function isPassing({ role }: NonNullable<NonNullable<Capp['status']>['sites']>[number]): boolean {
  return role === 'Coming' || role === 'Leaving';
}

/** The status says that a move there is under way. */
export function isComing({ status }: Capp, cluster: string): boolean {
  return (status?.sites ?? []).some((site) => site.clusterName === cluster && site.role === 'Coming');
}

/**
 * The API server has authorised whoever wrote the annotation. It may linger: once it is answered, it asks for
 * nothing but the move that is under way.
 */
export function isAskedFor(capp: Capp, cluster: string): boolean {
  const handled = handledIn(capp);
  return (['force', 'migrate'] as const).some((source) => {
    const request = requestIn(capp, source);
    const isNew = request?.id !== handled[source];
    return request?.to === cluster && (isNew || isComing(capp, cluster));
  });
}
