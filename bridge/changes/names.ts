// Rings the Capps whose DNS record may have to lead elsewhere: the RCSConfig says otherwise, or their site
// claims another ingress name. And those that may have their hostname now, or may not any more.
import { isDeepStrictEqual } from 'node:util';
import type { Capp } from '../../crds/capp/capp.ts';
import { hostnameOf } from '../../crds/capp/hostname.ts';
import { ingressNameOf } from '../../crds/ocm/cluster-claim.ts';
import { comparedName } from '../../crds/capp/route-name.ts';
import { closedDomain } from '../../crds/hub/domains.ts';
import { RCS_CONFIG, type RcsConfig, type RcsConfigSpec } from '../../crds/hub/rcs-config.ts';
import { keyTextOf, type KubeObject } from '../../kube/resource.ts';
import type { Change } from '../../kube/watch/store.ts';
import { siteOf } from './causes.ts';
import type { CauseCaller } from './caller.ts';
import type { BridgeWatched } from './watched.ts';

/** What is shipped depends on neither, so each Capp is compared, and nothing is written that is right. */
export function listenToNames(
  { capps, configs, clusters }: BridgeWatched,
  call: CauseCaller,
): (() => void)[] {
  const ring = (object: KubeObject, kind: string, isConcerned: (capp: Capp) => boolean): void => {
    for (const capp of capps.list())
      if (siteOf(capp) !== null && hostnameOf(capp) !== null && isConcerned(capp))
        call(keyTextOf(capp), 'dependency', object, kind);
  };
  return [
    configs.subscribe(({ type, object, previous, initial }) => {
      const before = type === 'Modified' ? previous?.spec.dns : undefined;
      const after = type === 'Deleted' ? undefined : object.spec.dns;
      if (!initial && !isDeepStrictEqual(before, after)) ring(object, RCS_CONFIG.kind, () => true);
    }),
    configs.subscribe((change) => {
      const { object, initial } = change;
      const [before, after] = specsOf(change);
      if (initial || isDeepStrictEqual(before?.domains, after?.domains)) return;
      for (const capp of capps.list())
        if (isClosed(capp, before) !== isClosed(capp, after))
          call(keyTextOf(capp), 'dependency', object, RCS_CONFIG.kind);
    }),
    clusters.subscribe(({ type, object, previous, initial }) => {
      if (initial || type !== 'Modified' || previous === null) return;
      if (ingressNameOf(previous) !== ingressNameOf(object))
        ring(object, 'ManagedCluster', (capp) => siteOf(capp) === object.metadata.name);
    }),
  ];
}

/** Before and after the change. */
function specsOf({ type, object, previous }: Change<RcsConfig>): (RcsConfigSpec | undefined)[] {
  if (type === 'Deleted') return [object.spec, undefined];
  return [type === 'Modified' ? previous?.spec : undefined, object.spec];
}

/** It may not have its hostname. */
function isClosed(capp: Capp, { domains, dns }: Partial<RcsConfigSpec> = {}): boolean {
  const hostname = hostnameOf(capp);
  if (hostname === null || domains === undefined) return false;
  return (
    closedDomain(capp.metadata.namespace ?? '', comparedName(hostname, dns?.zone), domains) !== undefined
  );
}
