// What a site holds of a Capp, and the status that it reports for it.
import type { Capp } from '../../../../crds/capp/capp.ts';
import type { Pod } from '../../../../crds/kubernetes/core.ts';
import type { KnativeRevision, KnativeService, NfsPvc } from '../../../../crds/kubernetes/knative.ts';
import type { IngressClass } from '../../../../site/route/unrouted.ts';
import type { CappFault } from '../../../../site/objects/fault.ts';
import { siteStatus } from '../../../../site/status/status.ts';
import { aCapp } from '../capps.ts';
import { SEEN_NOTHING } from './site.ts';
import { aRevision, aService, is } from './knative.ts';

export const NOW = '2026-11-21T08:00:00Z';
export const BEFORE = '2026-11-21T07:00:00Z';

export interface World {
  readonly capp?: Capp;
  readonly service?: KnativeService | null;
  readonly revisions?: readonly KnativeRevision[];
  readonly pods?: readonly Pod[];
  readonly fault?: CappFault | null;
  readonly lacking?: string | null;
  readonly ingress?: IngressClass | null;
  readonly isUndeployed?: boolean;
  readonly isUnmade?: boolean;
  readonly unstarted?: string | null;
  readonly nfsPvcs?: readonly NfsPvc[];
  readonly volumesFault?: CappFault | null;
}

export function statusOf(world: World) {
  const {
    capp = aCapp(),
    service = null,
    revisions = [],
    pods = [],
    fault = null,
    lacking = null,
    ingress = null,
    isUndeployed = false,
    isUnmade = false,
    unstarted = null,
    nfsPvcs = [],
    volumesFault = null,
  } = world;
  const volumes = { nfsPvcs, fault: volumesFault };
  const workload = { service, revisions, pods, fault, lacking, ingress, isUndeployed, isUnmade, unstarted };
  return siteStatus(capp, { ...SEEN_NOTHING, ...workload, volumes }, NOW);
}

export const conditionOf = (world: World, type: string) =>
  statusOf(world).conditions?.find((one) => one.type === type);
export const serves = [is('ConfigurationsReady', 'True'), is('RoutesReady', 'True'), is('Ready', 'True')];
export const deploying = [
  is('ConfigurationsReady', 'Unknown'),
  is('RoutesReady', 'Unknown'),
  is('Ready', 'Unknown'),
];
export const failed = [
  is('ConfigurationsReady', 'False', 'RevisionFailed'),
  is('RoutesReady', 'True'),
  is('Ready', 'False'),
];
export const running = aService({ created: 'r1', ready: 'r1', conditions: serves });
export const starting = aService({ created: 'r1', conditions: deploying });
export const unsure = aRevision('r1', is('Ready', 'Unknown'));
