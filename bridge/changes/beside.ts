// Computes the minimum resource versions that a ring asks of the hub worker's caches.
import type { Capp } from '../../crds/capp/capp.ts';
import { DRAIN } from '../../crds/drain/drain.ts';
import { ROLE_BINDING, SERVICE_ACCOUNT } from '../../crds/kubernetes/core.ts';
import { pullSecretsOf } from '../../crds/kubernetes/neighbours.ts';
import { MANAGED_CLUSTER } from '../../crds/ocm/ocm.ts';
import { PLACEMENT, PLACEMENT_DECISION, PLACEMENT_LABEL } from '../../crds/ocm/placements.ts';
import { newest, type Cause, type Ring } from '../../workflows/types/ring.ts';
import { siteOf } from './causes.ts';
import { RCS_CONFIG } from '../../crds/hub/rcs-config.ts';
import { isMisplaced, placementsOf } from '../resync/misplaced.ts';
import { accountFor } from './needs.ts';
import { versionsOfOpenings } from './openings.ts';
import type { BridgeWatched } from './watched.ts';

/**
 * What a ring asks for besides what has changed: caches as new as the bridge's, of kinds that matter. Changes
 * that the bridge has not seen yet ring later.
 */
export function versionsFor(watched: BridgeWatched, capp: Capp, cause: Cause): Ring['minimumVersions'] {
  const isPlacing = cause === 'decision' || siteOf(capp) === null;
  return { ...versionsBeside(watched, capp), ...(isPlacing ? versionsOfPlacing(watched, capp) : {}) };
}

function versionsBeside(watched: BridgeWatched, capp: Capp): Ring['minimumVersions'] {
  const bindings = watched.roleBindings.by('logReaders', capp.metadata.namespace ?? '');
  const account = accountFor(watched, capp);
  const accounts = pullSecretsOf(account).length === 0 ? [] : [account];
  const versions = [
    ...bindings.map((binding) => ({ [ROLE_BINDING.kind]: binding.metadata.resourceVersion ?? '' })),
    ...accounts.map((one) => ({ [SERVICE_ACCOUNT.kind]: one?.metadata.resourceVersion ?? '' })),
  ];
  return versions.reduce<Ring['minimumVersions']>((newer, version) => newest(newer, version), {});
}

/**
 * A Capp's placement depends on several kinds: its site's cluster, the RCSConfig, its placements and their
 * decisions. A review that sees one change without the others finds no reason to leave, and no further ring
 * comes. A Capp without a site, or that may have to leave its own, may go to any cluster, and earlier changes
 * of clusters rang for nothing. Whether `spec.site` may name its cluster, clustersets say.
 */
export function versionsOfPlacing(watched: BridgeWatched, capp: Capp): Ring['minimumVersions'] {
  const names = placementsOf(watched, capp);
  const site = siteOf(capp);
  const clusters =
    site === null || isMisplaced(watched, capp)
      ? watched.clusters.list()
      : [watched.clusters.get({ namespace: null, name: site })];
  const placements = watched.placements.list().filter(({ metadata }) => names.includes(metadata.name));
  const decisions = watched.decisions
    .list()
    .filter(({ metadata }) => names.includes(metadata.labels?.[PLACEMENT_LABEL] ?? ''));
  const versions = [
    ...clusters.flatMap((cluster) =>
      cluster === undefined ? [] : [{ [MANAGED_CLUSTER.kind]: cluster.metadata.resourceVersion ?? '' }],
    ),
    ...versionsOfDrains(watched),
    ...(names.length === 0 && (capp.spec.site ?? '') !== '' ? [versionsOfOpenings(watched)] : []),
    ...watched.configs.list().map(({ metadata }) => ({ [RCS_CONFIG.kind]: metadata.resourceVersion ?? '' })),
    ...placements.map(({ metadata }) => ({ [PLACEMENT.kind]: metadata.resourceVersion ?? '' })),
    ...decisions.map(({ metadata }) => ({ [PLACEMENT_DECISION.kind]: metadata.resourceVersion ?? '' })),
  ];
  return versions.reduce<Ring['minimumVersions']>((newer, version) => newest(newer, version), {});
}

/**
 * The deletion of a Drain counts, too: a Capp that has come since is not rung for it, and would wait for a
 * site that is open again.
 */
function versionsOfDrains({ drains }: Pick<BridgeWatched, 'drains'>): Ring['minimumVersions'][] {
  const changedAt = drains.changedAt();
  return changedAt === '' ? [] : [{ [DRAIN.kind]: changedAt }];
}
