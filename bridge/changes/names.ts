// Rings the Capps whose DNS record may have to lead elsewhere: the RCSConfig says otherwise, or their site claims
// another ingress name.
import { isDeepStrictEqual } from 'node:util';
import type { Capp } from '../../crds/capp/capp.ts';
import { hostnameOf } from '../../crds/capp/hostname.ts';
import { ingressNameOf } from '../../crds/ocm/cluster-claim.ts';
import { RCS_CONFIG } from '../../crds/hub/rcs-config.ts';
import { keyTextOf, type KubeObject } from '../../kube/resource.ts';
import { siteOf } from './causes.ts';
import type { Caller } from './caller.ts';
import type { Watched } from './watched.ts';

/** What is shipped depends on neither, so each Capp is compared, and nothing is written that is right. */
export function listenToNames({ capps, configs, clusters }: Watched, call: Caller): (() => void)[] {
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
    clusters.subscribe(({ type, object, previous, initial }) => {
      if (initial || type !== 'Modified' || previous === null) return;
      if (ingressNameOf(previous) !== ingressNameOf(object))
        ring(object, 'ManagedCluster', (capp) => siteOf(capp) === object.metadata.name);
    }),
  ];
}
