// What a ring says of kinds that stand beside a Capp: how new the hub worker's caches of them must be.
import type { Capp } from '../crds/capp.ts';
import { ROLE_BINDING, SERVICE_ACCOUNT } from '../crds/core.ts';
import { pullSecretsOf } from '../crds/pull-secrets.ts';
import { MANAGED_CLUSTER } from '../crds/ocm.ts';
import { newest, type Ring } from '../workflows/ring.ts';
import { siteOf } from './causes.ts';
import { accountFor } from './needs.ts';
import type { Watched } from './watched.ts';

/** As new as ours, where there is something to know. What we have not seen yet rings when we do. */
export function marksBeside(watched: Watched, capp: Capp): Ring['marks'] {
  const bindings = watched.roleBindings.by('logReaders', capp.metadata.namespace ?? '');
  const account = accountFor(watched, capp);
  const accounts = pullSecretsOf(account).length === 0 ? [] : [account];
  const marks = [
    ...bindings.map((binding) => ({ [ROLE_BINDING.kind]: binding.metadata.resourceVersion ?? '' })),
    ...accounts.map((one) => ({ [SERVICE_ACCOUNT.kind]: one?.metadata.resourceVersion ?? '' })),
  ];
  return marks.reduce<Ring['marks']>((newer, mark) => newest(newer, mark), {});
}

/** A decision leaves a cluster for what has become of it, which is another kind: a look that sees only the one finds no reason to leave. */
export function marksOfSite({ clusters }: Pick<Watched, 'clusters'>, capp: Capp): Ring['marks'] {
  const site = siteOf(capp);
  const version = site === null ? undefined : clusters.get({ namespace: null, name: site })?.metadata.resourceVersion;
  return version === undefined ? {} : { [MANAGED_CLUSTER.kind]: version };
}
