// Computes the minimum resource versions that a ring asks of the hub worker's caches.
import type { Capp } from '../../crds/capp/capp.ts';
import { ROLE_BINDING, SERVICE_ACCOUNT } from '../../crds/kubernetes/core.ts';
import { pullSecretsOf } from '../../crds/kubernetes/neighbours.ts';
import { MANAGED_CLUSTER, PLACEMENT, PLACEMENT_DECISION, PLACEMENT_LABEL } from '../../crds/ocm/ocm.ts';
import { newest, type Ring } from '../../workflows/types/ring.ts';
import { siteOf } from './causes.ts';
import { placementsOf } from '../resync/misplaced.ts';
import { accountFor } from './needs.ts';
import type { Watched } from './watched.ts';

/** As new as ours, where there is something to know. What we have not seen yet rings when we do. */
export function versionsBeside(watched: Watched, capp: Capp): Ring['minimumVersions'] {
  const bindings = watched.roleBindings.by('logReaders', capp.metadata.namespace ?? '');
  const account = accountFor(watched, capp);
  const accounts = pullSecretsOf(account).length === 0 ? [] : [account];
  const versions = [
    ...bindings.map((binding) => ({ [ROLE_BINDING.kind]: binding.metadata.resourceVersion ?? '' })),
    ...accounts.map((one) => ({ [SERVICE_ACCOUNT.kind]: one?.metadata.resourceVersion ?? '' })),
  ];
  return versions.reduce<Ring['minimumVersions']>((newer, mark) => newest(newer, mark), {});
}

/**
 * Where a Capp should be follows from several kinds: its site's cluster, its placements and what they have
 * decided. A look that sees one change and not what came with it finds no reason to leave, and nobody rings
 * for that again. A Capp that has no site yet may go to any cluster, and what became of one before there was
 * the Capp has rung for nobody.
 */
export function versionsOfPlacing(
  watched: Pick<Watched, 'clusters' | 'configs' | 'decisions' | 'placements'>,
  capp: Capp,
): Ring['minimumVersions'] {
  const names = placementsOf(watched, capp);
  const site = siteOf(capp);
  const clusters =
    site === null ? watched.clusters.list() : [watched.clusters.get({ namespace: null, name: site })];
  const placements = watched.placements.list().filter(({ metadata }) => names.includes(metadata.name));
  const decisions = watched.decisions
    .list()
    .filter(({ metadata }) => names.includes(metadata.labels?.[PLACEMENT_LABEL] ?? ''));
  const versions = [
    ...clusters.flatMap((cluster) =>
      cluster === undefined ? [] : [{ [MANAGED_CLUSTER.kind]: cluster.metadata.resourceVersion ?? '' }],
    ),
    ...placements.map(({ metadata }) => ({ [PLACEMENT.kind]: metadata.resourceVersion ?? '' })),
    ...decisions.map(({ metadata }) => ({ [PLACEMENT_DECISION.kind]: metadata.resourceVersion ?? '' })),
  ];
  return versions.reduce<Ring['minimumVersions']>((newer, mark) => newest(newer, mark), {});
}
