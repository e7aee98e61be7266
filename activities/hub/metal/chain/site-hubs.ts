// Which other hubs a site has, by its claims and by what is noted of them on the SIPCluster. Pure.
import { SITE_CAME, SITE_HUBS, SITE_OF } from '../../../../crds/metal/labels.ts';
import type { SipCluster } from '../../../../crds/metal/sip-cluster.ts';
import type { ManagedCluster } from '../../../../crds/ocm/ocm.ts';
import { hubsOnSite, shortIdOf } from '../../../../crds/ocm/executors.ts';
import type { ChainSight } from '../../../../workflows/metal/chain/sight.ts';

/**
 * What is noted stands until this site's own agent has claimed something by the ManagedCluster of now: one
 * that is gone, was made again or has not reported yet says nothing of other hubs.
 */
export function hubsOf(
  managed: ManagedCluster | null,
  { cluster: { metadata }, hub }: { readonly cluster: Pick<SipCluster, 'metadata'>; readonly hub: string },
): Pick<ChainSight, 'otherHubs' | 'notedHubs'> {
  const { uid, annotations = {} } = metadata;
  const notedHubs = annotations[SITE_CAME] === uid ? noted(annotations[SITE_HUBS]) : [];
  if (managed === null || managed.metadata.annotations?.[SITE_OF] !== uid)
    return { otherHubs: notedHubs, notedHubs };
  const all = hubsOnSite(managed);
  const own = hub === '' ? null : shortIdOf(hub);
  // Without an id one of several is this hub, and nobody knows which.
  const claimed = own === null && all.length < 2 ? [] : all.filter((one) => one !== own);
  const hasReported = own === null ? all.length > 0 : all.includes(own);
  const otherHubs = hasReported ? claimed : [...new Set([...notedHubs, ...claimed])].toSorted();
  return { otherHubs, notedHubs };
}

/** Nothing but short ids is passed on: whoever writes SIPClusters can write this as well. */
function noted(text = ''): readonly string[] {
  return text.split(',').filter((one) => /^[0-9a-f]{10}$/.test(one));
}
