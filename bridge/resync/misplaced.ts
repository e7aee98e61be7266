// Tells whether a Capp may have to move, or was asked to, while the bridge was not watching.
import type { Capp } from '../../crds/capp/capp.ts';
import { FORCE, MIGRATE } from '../../crds/labels.ts';
import { parseMoveRequest } from '../../crds/capp/requests.ts';
import { AVAILABLE, identityOf } from '../../crds/ocm/ocm.ts';
import { PLACEMENT_LABEL } from '../../crds/ocm/placements.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { placementsFor } from '../../workflows/placement/decided.ts';
import { lackOf } from '../../workflows/placement/fit.ts';
import { homeOf, siteOf } from '../changes/causes.ts';
import type { BridgeWatched } from '../changes/watched.ts';

/** The placements that may decide for a Capp. */
export function placementsOf(
  { configs }: Pick<BridgeWatched, 'configs'>,
  { spec: { site = '' } }: Capp,
): readonly string[] {
  return placementsFor({ placements: configs.list().flatMap((config) => config.spec.placements), site });
}

/**
 * Its site is no longer selected, is no healthy cluster, does not fit `spec.requires`, or is not what
 * `spec.site` names; or the site that it had to leave may be eligible again.
 */
export function isMisplaced(watched: BridgeWatched, capp: Capp): boolean {
  const site = siteOf(capp);
  if (site === null) return false;
  if ((capp.status?.migration?.placedFor ?? capp.spec.site ?? '') !== (capp.spec.site ?? '')) return true;
  const isPlaced = placementsOf(watched, capp).length > 0;
  return (
    homeOf(capp) !== null ||
    !isWell(watched, site) ||
    isUnfit(watched, capp) ||
    (isPlaced && !isDecidedFor(watched, capp))
  );
}

/** Its site lacks what `spec.requires` asks for. */
export function isUnfit({ clusters }: Pick<BridgeWatched, 'clusters'>, capp: Capp): boolean {
  const { requires } = capp.spec;
  const site = siteOf(capp);
  if (requires === undefined || site === null) return false;
  const cluster = clusters.get({ namespace: null, name: site });
  return cluster !== undefined && lackOf(requires, identityOf(cluster)) !== null;
}

/**
 * Some placement of the Capp selects its site, so a taint matters only when that changes. Never for a Capp
 * that `spec.site` pins.
 */
export function isDecidedFor(watched: BridgeWatched, capp: Capp): boolean {
  const placements = placementsOf(watched, capp);
  const site = siteOf(capp);
  return watched.decisions
    .list()
    .some(
      ({ metadata, status }) =>
        isConfigured(watched, metadata.namespace) &&
        placements.includes(metadata.labels?.[PLACEMENT_LABEL] ?? '') &&
        status?.decisions?.some(({ clusterName }) => clusterName === site) === true,
    );
}

/** The RCSConfig's placements are in this namespace. */
export function isConfigured(
  { configs }: Pick<BridgeWatched, 'configs'>,
  namespace: string | undefined,
): boolean {
  return configs.list().some(({ spec }) => spec.placementsNamespace === namespace);
}

/** The RCSConfig lists it. Any other Placement beside those decides for no Capp. */
export function isListed(
  { configs }: Pick<BridgeWatched, 'configs'>,
  { metadata: { namespace, name } }: Pick<KubeObject, 'metadata'>,
): boolean {
  return configs
    .list()
    .some(({ spec }) => spec.placementsNamespace === namespace && spec.placements.includes(name));
}

function isWell({ clusters }: BridgeWatched, name: string): boolean {
  const cluster = clusters.get({ namespace: null, name });
  if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) return false;
  const isAvailable = cluster.status?.conditions?.find(({ type }) => type === AVAILABLE)?.status === 'True';
  return isAvailable && !(cluster.spec?.taints ?? []).some(({ effect }) => effect === 'NoSelect');
}

/** A request by annotation whose id is not the one answered last. */
export function isAsked({ metadata, status }: Capp): boolean {
  const { handledRequest, handledForce } = status?.migration ?? {};
  const idOf = (name: string): string | undefined => parseMoveRequest(metadata.annotations?.[name])?.id;
  const isNew = (id: string | undefined, handled: string | undefined): boolean =>
    id !== undefined && id !== handled;
  return isNew(idOf(MIGRATE), handledRequest) || isNew(idOf(FORCE), handledForce);
}
