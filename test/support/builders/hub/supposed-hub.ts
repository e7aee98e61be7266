// A hub of which a test supposes something: three sites that take Capps, and what its caches show of Capps
// and Placements.
import type { ChoiceCaches } from '../../../../activities/hub/caches.ts';
import type { Capp } from '../../../../crds/capp/capp.ts';
import { RCS_CONFIG_KEY } from '../../../../crds/hub/rcs-config.ts';
import { byPlacement, PLACEMENT_LABEL } from '../../../../crds/ocm/placements.ts';
import { byCluster, byName, byWorkName, workName } from '../../../../crds/ocm/work-identity.ts';
import { listed } from '../../../../kube/watch/listed.ts';

const SITES = ['site-1', 'site-2', 'site-3'];

/** A Capp in `apps`, by its spec: its work is on `site`, or nowhere if it still waits for one. */
export interface SupposedCapp {
  readonly spec: object;
  readonly site?: string;
}

/** A Placement in `places`, by its spec, and the sites that it has decided for. */
export interface SupposedPlacement {
  readonly spec?: object;
  readonly sites: readonly string[];
}

export const inPlaces = (name: string) => ({ namespace: 'places', name });

/** The RCSConfig with these Placements. */
export const configWith = (...placements: readonly string[]) =>
  ({ metadata: RCS_CONFIG_KEY, spec: { placements, placementsNamespace: 'places' } }) as never;

const cluster = (name: string) => ({
  metadata: { name },
  spec: { hubAcceptsClient: true },
  status: { conditions: [{ type: 'ManagedClusterConditionAvailable', status: 'True' }] },
});
const page = (placement: string, sites: readonly string[]) => ({
  metadata: { ...inPlaces(`${placement}-1`), labels: { [PLACEMENT_LABEL]: placement } },
  status: { decisions: sites.map((clusterName) => ({ clusterName })) },
});

/** Both by their names; the RCSConfig has all the Placements. */
export function supposedHub(
  capps: Readonly<Record<string, SupposedCapp>>,
  placements: Readonly<Record<string, SupposedPlacement>>,
): ChoiceCaches {
  const apps = Object.entries(capps);
  const places = Object.entries(placements);
  return {
    capps: listed<Capp>(
      apps.map(([name, { spec, site }]) => ({
        metadata: { namespace: 'apps', name, uid: name },
        spec,
        ...(site === undefined ? {} : { status: { applicationLinks: { site } } }),
      })) as never[],
      { work: byWorkName },
    ),
    configs: listed([configWith(...Object.keys(placements))]),
    placements: listed(
      places.map(([name, { spec = {}, sites }]) => ({
        metadata: inPlaces(name),
        spec,
        status: { numberOfSelectedClusters: sites.length },
      })),
    ),
    decisions: listed(
      places.map(([name, { sites }]) => page(name, sites)),
      { placement: byPlacement },
    ),
    clusters: listed(SITES.map(cluster) as never[]),
    works: listed(
      apps.flatMap(([name, { site }]) =>
        site === undefined ? [] : [{ metadata: { namespace: site, name: workName('apps', name) } }],
      ),
      { name: byName, cluster: byCluster },
    ),
    clusterSets: listed<never>([]),
    setBindings: listed<never>([]),
    scores: listed<never>([]),
    drains: listed<never>([]),
  };
}
