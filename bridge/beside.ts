// What a ring says of kinds that stand beside a Capp: how new the hub worker's caches of them must be.
import type { Capp } from '../crds/capp.ts';
import { ROLE_BINDING, SERVICE_ACCOUNT } from '../crds/core.ts';
import { pullSecretsOf } from '../crds/pull-secrets.ts';
import { newest, type Ring } from '../workflows/ring.ts';
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
