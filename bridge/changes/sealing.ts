// Rings the Capps whose Secrets are to go in another form: the RCSConfig says otherwise of sealing, or their
// site claims another key.
import type { Capp } from '../../crds/capp/capp.ts';
import type { HubReason } from '../../crds/capp/conditions.ts';
import { asksForSealing, RCS_CONFIG } from '../../crds/hub/rcs-config.ts';
import { MANAGED_CLUSTER } from '../../crds/ocm/ocm.ts';
import { sealingClaimOf } from '../../crds/sealing/site-key.ts';
import { keyTextOf, type KubeObject } from '../../kube/resource.ts';
import { worksOfCapp } from '../resync/own-works.ts';
import { siteOf } from './causes.ts';
import type { CauseCaller } from './caller.ts';
import type { BridgeWatched } from './watched.ts';

/** A Capp without Secrets is compared, and nothing is written. */
export function listenToSealing(watched: BridgeWatched, call: CauseCaller): (() => void)[] {
  const { capps, configs, clusters } = watched;
  const ring = (object: KubeObject, kind: string, isConcerned: (capp: Capp) => boolean): void => {
    for (const capp of capps.list())
      if ((siteOf(capp) !== null && isConcerned(capp)) || isRefused(capp))
        call(keyTextOf(capp), 'dependency', object, kind);
  };
  return [
    configs.subscribe(({ type, object, previous, initial }) => {
      const before = type === 'Modified' && asksForSealing(previous);
      // Without an RCSConfig everything stays as it is.
      if (!initial && type !== 'Deleted' && before !== asksForSealing(object))
        ring(object, RCS_CONFIG.kind, () => true);
    }),
    clusters.subscribe(({ type, object, previous, initial }) => {
      if (initial || type !== 'Modified' || sealingClaimOf(previous) === sealingClaimOf(object)) return;
      const { name } = object.metadata;
      const isThere = (capp: Capp): boolean =>
        siteOf(capp) === name ||
        worksOfCapp(watched, capp).some(({ metadata }) => metadata.namespace === name);
      if (configs.list().some(asksForSealing)) ring(object, MANAGED_CLUSTER.kind, isThere);
    }),
  ];
}

/** Nothing of it was sent, for want of a key. It may not be on any site yet. */
function isRefused({ status }: Capp): boolean {
  const reason: HubReason = 'NoSealingKey';
  return status?.conditions?.some((one) => one.reason === reason) === true;
}
