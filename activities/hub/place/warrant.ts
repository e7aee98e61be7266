// What allows a Capp to be on a cluster, by what Kubernetes says: never by what a workflow's state says,
// which somebody else may have written. From the live Capp, and from caches.
import type { Capp } from '../../../crds/capp/capp.ts';
import { parseMoveRequest } from '../../../crds/capp/requests.ts';
import type { RcsConfig } from '../../../crds/hub/rcs-config.ts';
import { pinningOf } from '../../../crds/ocm/pinning.ts';
import { FORCE, HAS_PLACEMENT, MIGRATE } from '../../../crds/labels.ts';
import { lackOf } from '../../../workflows/placement/fit.ts';
import type { HubCaches } from '../caches.ts';
import { decidedBy } from '../rollout/decision.ts';
import { caughtUp } from './caught-up.ts';
import { factsOf } from './cluster-facts.ts';
import type { ChooseOptions } from './ground.ts';

export type Warrant =
  /**
   * The status says that it is there, or comes or leaves there. Only the hub writes it, and only by these
   * rules.
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
  { caches, hubUid, config: key }: WarrantOptions,
  capp: Capp,
  cluster: string,
  hasWork = false,
): Warrant | null {
  if (sitesIn(capp).includes(cluster)) return 'Status';
  if (hasWork && capp.metadata.annotations?.[HAS_PLACEMENT] === cluster) return 'Noted';
  const found = caches.clusters.get({ namespace: null, name: cluster });
  if (found === undefined) return null;
  const config = caches.configs.get(key)?.spec;
  const mayPin = pinningOf(caches, config)(found.metadata.labels);
  const facts = factsOf(found, { hubUid, mayPin, draining: false });
  if (facts.isHub || lackOf(capp.spec.requires, facts) !== null) return null;
  if (mayPin && placementsFor(capp, config).length === 0 && capp.spec.site === cluster) return 'Named';
  if (mayPin && isAskedFor(capp, cluster)) return 'Asked';
  return placementsDecidedFor({ caches, config: key }, capp, cluster).length > 0 ? 'Decided' : null;
}

/** Those that count for the Capp: none if `spec.site` names something else. */
function placementsFor({ spec: { site = '' } }: Capp, config: RcsConfig['spec'] | undefined): PlacementKey[] {
  const { placements = [], placementsNamespace = '' } = config ?? {};
  const names = placements.filter((name) => site === '' || name === site);
  return names.map((name) => ({ namespace: placementsNamespace, name }));
}

/** Placements that count for the Capp and, by the cache, have decided for the cluster. */
export function placementsDecidedFor(
  { caches, config: key }: Pick<WarrantOptions, 'caches' | 'config'>,
  capp: Capp,
  cluster: string,
): PlacementKey[] {
  return placementsFor(capp, caches.configs.get(key)?.spec).filter(({ namespace, name }) =>
    decidedBy(caches, `${namespace}/${name}`).clusters.includes(cluster),
  );
}

/**
 * The same. Null only by caches that are at least as new as the rings ask: throws what `behind` gives while
 * they are not, so that another try asks again. Whether a decision still stands, `isWarranted` reads live.
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
  if (first !== null) return first;
  if (!(await caughtUp(options.caches, minimumVersions))) throw behind();
  return warrantFor(options, capp, cluster, hasWork);
}

/** Where the status says that a copy is, comes or leaves. */
export function sitesIn({ status }: Capp): readonly string[] {
  const { migration, applicationLinks, sites = [] } = status ?? {};
  const named = [migration?.serving, applicationLinks?.site, ...sites.map(({ clusterName }) => clusterName)];
  return named.flatMap((site) => (site === undefined || site === '' ? [] : [site]));
}

/**
 * The API server has authorised whoever wrote the annotation, and it may linger while its move is under way.
 */
export function isAskedFor({ metadata: { annotations = {} } }: Capp, cluster: string): boolean {
  return [FORCE, MIGRATE].some((name) => parseMoveRequest(annotations[name])?.to === cluster);
}
