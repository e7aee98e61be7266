// The hub's objects as they would be if a site were lost or tainted. That OCM would take the site out of a
// Placement's decisions is an estimate by the Placement's tolerations: OCM is not asked. Pure.
import { AVAILABLE, TAINT_UNREACHABLE, type ManagedCluster, type Taint } from '../../../crds/ocm/ocm.ts';
import {
  byPlacement,
  type Placement,
  type PlacementDecision,
  type Toleration,
} from '../../../crds/ocm/placements.ts';
import { listed } from '../../../kube/watch/listed.ts';
import type { ChoiceCaches } from '../caches.ts';

export type Supposition = { readonly is: 'Lost' } | { readonly is: 'Tainted'; readonly taint: Taint };

/** What OCM would probably do to a Placement whose decisions name the site. */
export interface Estimate {
  /** `<namespace>/<name>`. */
  readonly placement: string;
  /** After how many seconds the site is no longer selected; null if it stays selected. */
  readonly afterSeconds: number | null;
  /** It is to select a number of sites, so OCM may select another one in place of this one. */
  readonly selectsAnother: boolean;
}

export interface SupposedWorld {
  readonly caches: ChoiceCaches;
  /** Of all Placements that select the site now. */
  readonly estimates: readonly Estimate[];
}

/** `caches` stay as they are; `now` in milliseconds since the epoch. */
export function supposing(
  caches: ChoiceCaches,
  site: string,
  supposition: Supposition,
  now: number,
): SupposedWorld {
  const taint = taintOf(supposition);
  const selecting = new Set(caches.decisions.list().filter(namesSite(site)).flatMap(byPlacement));
  const keyOf = ({ metadata }: Placement): string => `${metadata.namespace ?? ''}/${metadata.name}`;
  const estimates = caches.placements
    .list()
    .filter((placement) => selecting.has(keyOf(placement)))
    .map((placement) => ({
      placement: keyOf(placement),
      afterSeconds: selectedFor(placement, taint),
      selectsAnother: placement.spec?.numberOfClusters !== undefined,
    }));
  const left = new Set(
    estimates.filter(({ afterSeconds }) => afterSeconds !== null).map(({ placement }) => placement),
  );
  return {
    estimates,
    caches: {
      ...caches,
      clusters: listed(
        caches.clusters
          .list()
          .map((one) => (one.metadata.name === site ? changed(one, { supposition, taint, now }) : one)),
      ),
      placements: listed(
        caches.placements.list().map((one) => (left.has(keyOf(one)) ? withOneLess(one) : one)),
      ),
      decisions: listed(
        caches.decisions
          .list()
          .map((one) => (byPlacement(one).some((key) => left.has(key)) ? without(one, site) : one)),
        { placement: byPlacement },
      ),
    },
  };
}

function taintOf(supposition: Supposition): Taint {
  return supposition.is === 'Tainted' ? supposition.taint : { key: TAINT_UNREACHABLE, effect: 'NoSelect' };
}

function namesSite(site: string): (page: PlacementDecision) => boolean {
  return ({ status }) => (status?.decisions ?? []).some(({ clusterName }) => clusterName === site);
}

/**
 * As OCM's scheduler does (ocm v1.2.1, pkg/placement/plugins/tainttoleration): a site that is
 * selected stays so under PreferNoSelect and NoSelectIfNew, and under NoSelect as long as a toleration lasts.
 */
function selectedFor({ spec }: Placement, taint: Taint): number | null {
  if (taint.effect !== 'NoSelect') return null;
  const seconds = (spec?.tolerations ?? [])
    .filter((toleration) => tolerates(toleration, taint))
    .map(({ tolerationSeconds }) => tolerationSeconds ?? Infinity);
  const longest = Math.max(0, ...seconds);
  return longest === Infinity ? null : longest;
}

function tolerates(
  { key = '', operator = 'Equal', value = '', effect = '' }: Toleration,
  taint: Taint,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  const isKey = key === '' || key === taint.key;
  return isKey && (operator === 'Exists' || value === (taint.value ?? ''));
}

function changed(
  cluster: ManagedCluster,
  { supposition, taint, now }: { supposition: Supposition; taint: Taint; now: number },
): ManagedCluster {
  const { spec, status } = cluster;
  const others = (spec?.taints ?? []).filter(
    ({ key, effect }) => key !== taint.key || effect !== taint.effect,
  );
  const timeAdded = new Date(now).toISOString();
  const tainted = { ...cluster, spec: { ...spec, taints: [...others, { ...taint, timeAdded }] } };
  if (supposition.is === 'Tainted') return tainted;
  const conditions = (status?.conditions ?? []).map((condition) =>
    condition.type === AVAILABLE
      ? { ...condition, status: 'Unknown' as const, lastTransitionTime: timeAdded }
      : condition,
  );
  return { ...tainted, status: { ...status, conditions } };
}

function withOneLess(placement: Placement): Placement {
  const { numberOfSelectedClusters } = placement.status ?? {};
  if (numberOfSelectedClusters === undefined) return placement;
  const status = { ...placement.status, numberOfSelectedClusters: Math.max(0, numberOfSelectedClusters - 1) };
  return { ...placement, status };
}

function without(page: PlacementDecision, site: string): PlacementDecision {
  const decisions = (page.status?.decisions ?? []).filter(({ clusterName }) => clusterName !== site);
  return { ...page, status: { ...page.status, decisions } };
}
