// Rings the Capps that a change of decisions, placements, configuration or clusters may concern: those
// without a site, those whose site it touches, and those that wait to go.
import { isDeepStrictEqual } from 'node:util';
import type { Capp } from '../../crds/capp/capp.ts';
import { DRAIN, isDraining } from '../../crds/drain/drain.ts';
import {
  clustersOn,
  PLACEMENT_LABEL,
  type Placement,
  type PlacementDecision,
} from '../../crds/ocm/placements.ts';
import type { RcsConfig } from '../../crds/hub/rcs-config.ts';
import { keyTextOf, type KubeObject } from '../../kube/resource.ts';
import { changedFacts, homeOf, isNewsOfCluster, isOnlyTaint, isUnsettled, siteOf } from './causes.ts';
import type { CauseCaller } from './caller.ts';
import {
  isConfigured,
  isDecidedFor,
  isListed,
  isMisplaced,
  isUnfit,
  placementsOf,
} from '../resync/misplaced.ts';
import { worksOfCapp } from '../resync/own-works.ts';
import type { SiteOpenings } from './openings.ts';
import type { BridgeWatched } from './watched.ts';

type Concern = (capp: Capp) => boolean;
type Tell = (isConcerned: Concern, object: KubeObject, kind?: string) => void;

export function listenToPlacing(
  watched: BridgeWatched,
  call: CauseCaller,
  openings: SiteOpenings,
): (() => void)[] {
  const tell: Tell = (isConcerned, object, kind) => {
    for (const capp of watched.capps.list()) {
      if (isConcerned(capp)) call(keyTextOf(capp), 'decision', object, kind);
    }
  };
  return [
    listenToDecisions(watched, tell),
    listenToPlacements(watched, tell),
    listenToConfigs(watched, tell),
    listenToClusters(watched, tell),
    listenToFacts(watched, call),
    listenToDrains(watched, tell),
    listenToOpened(watched, tell, openings),
  ];
}

/** It has no site, or one that it may have to leave. Its status may be older than the change. */
function waits(watched: BridgeWatched, capp: Capp): boolean {
  return siteOf(capp) === null || isMisplaced(watched, capp);
}

function listenToDecisions(watched: BridgeWatched, tell: Tell): () => void {
  return watched.decisions.subscribe(({ type, object, previous, initial }) => {
    if (initial) return;
    const was = clustersOn(type === 'Added' || previous === null ? [] : [previous]);
    const is = clustersOn(type === 'Deleted' ? [] : [object]);
    const before = type === 'Deleted' ? clustersOn([object]) : was;
    // A Capp may just have been reviewed without the added site, before its status says so.
    const changed = new Set(before).symmetricDifference(new Set(is));
    const concerns = (capp: Capp): boolean => waits(watched, capp) || changed.has(siteOf(capp) ?? '');
    if (!isConfigured(watched, object.metadata.namespace)) return;
    tell(
      (capp) => placementsOf(watched, capp).includes(placementOf(object)) && concerns(capp),
      object,
      'PlacementDecision',
    );
  });
}

function listenToPlacements(watched: BridgeWatched, tell: Tell): () => void {
  const count = (placement: Placement | null): number => placement?.status?.numberOfSelectedClusters ?? 0;
  return watched.placements.subscribe(({ type, object, previous, initial }) => {
    if (initial || type === 'Deleted' || !isListed(watched, object)) return;
    if (type === 'Added') tell((capp) => waits(watched, capp), object, 'Placement');
    // A decision of several pages is complete when its Placement says so. A Capp that was reviewed with an
    // incomplete one may not say so in its status yet.
    else if (count(previous) !== count(object))
      tell((capp) => isUnsettled(capp) || waits(watched, capp), object, 'Placement');
  });
}

function listenToConfigs(watched: BridgeWatched, tell: Tell): () => void {
  return watched.configs.subscribe(({ type, object, previous, initial }) => {
    const isElsewhere = type !== 'Modified' || !isDeepStrictEqual(placesIn(previous), placesIn(object));
    if (!initial && isElsewhere) tell((capp) => waits(watched, capp), object, 'RCSConfig');
  });
}

/** The fields of an RCSConfig that determine where Capps may go. */
function placesIn({ spec: { placements, placementsNamespace, pinning } }: RcsConfig): unknown {
  return [placements, placementsNamespace, pinning];
}

function listenToClusters(watched: BridgeWatched, tell: Tell): () => void {
  return watched.clusters.subscribe(({ type, object, previous, initial }) => {
    if (initial) return;
    if (type !== 'Deleted' && !isNewsOfCluster(type === 'Added' ? null : previous, object)) return;
    const { name } = object.metadata;
    const isTaint = type === 'Modified' && isOnlyTaint(previous, object);
    const concerns = (capp: Capp): boolean => {
      const isThere = siteOf(capp) === name || hasWorkOn(watched, capp, name);
      const isGoing = isThere && capp.metadata.deletionTimestamp !== undefined;
      const isWaiting = homeOf(capp) !== null || !isDecidedFor(watched, capp) || isUnfit(watched, capp);
      return (isThere && !isTaint) || isGoing || isWaiting;
    };
    tell(concerns, object, 'ManagedCluster');
  });
}

/**
 * A changed label or claim rings those that ask for it and are there, or wait for a site that fits. Found by
 * index: most changes of a cluster are heartbeats.
 */
function listenToFacts(watched: BridgeWatched, call: CauseCaller): () => void {
  return watched.clusters.subscribe(({ type, object, previous, initial }) => {
    if (initial || type !== 'Modified') return;
    const { name } = object.metadata;
    const asking = changedFacts(previous, object).flatMap((fact) => watched.capps.by('requires', fact));
    const concerned = asking.filter(
      (capp) =>
        siteOf(capp) === name || waits(watched, capp) || isUnsettled(capp) || hasWorkOn(watched, capp, name),
    );
    for (const key of new Set(concerned.map(keyTextOf))) call(key, 'decision', object, 'ManagedCluster');
  });
}

/** A pin does not move what runs, so that only those are concerned that wait to go to the named site. */
function listenToOpened(watched: BridgeWatched, tell: Tell, openings: SiteOpenings): () => void {
  return openings.subscribe((clusters, object, kind) =>
    tell((capp) => clusters.has(capp.spec.site ?? '') && waits(watched, capp), object, kind),
  );
}

/** A site that is open again is one more for those that wait for a site, or for another. */
function listenToDrains(watched: BridgeWatched, tell: Tell): () => void {
  return watched.drains.subscribe(({ type, object, previous, initial }) => {
    if (initial || type === 'Added') return;
    // The last that is known of a deleted Drain may be that it is being deleted.
    if (isDraining(previous) && (type === 'Deleted' || !isDraining(object)))
      tell((capp) => waits(watched, capp) || isUnsettled(capp), object, DRAIN.kind);
  });
}

/** It serves there, moves there, or waits for the cluster to clean up. */
function hasWorkOn(watched: BridgeWatched, capp: Capp, cluster: string): boolean {
  return worksOfCapp(watched, capp).some((work) => work.metadata.namespace === cluster);
}

function placementOf(decision: PlacementDecision): string {
  return decision.metadata.labels?.[PLACEMENT_LABEL] ?? '';
}
