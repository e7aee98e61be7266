// One ConfigMap by its name, as it changes. A site that has none, or does not let us read it, is as good as
// another.
import { CONFIG_MAP, type ConfigMap } from '../crds/kubernetes/core.ts';
import type { Kube } from '../kube/client.ts';
import { deferred } from '../kube/deferred.ts';
import { isForbidden } from '../kube/failure.ts';
import { cache, withoutManagedFields } from '../kube/watch/cache.ts';
import type { WatchedConfigMap } from './config/live.ts';

export interface NamedConfigMap extends WatchedConfigMap {
  stop(): Promise<void>;
}

export function namedConfigMap(
  kube: Kube,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  onProblem: (error: unknown) => void,
): NamedConfigMap {
  const { promise: known, resolve } = deferred<void>();
  const found = cache<ConfigMap>(kube, {
    resource: CONFIG_MAP,
    namespace,
    fieldSelector: `metadata.name=${name}`,
    transform: (object) => withoutManagedFields(object),
    onProblem: (error) => {
      if (isForbidden(error)) resolve();
      onProblem(error);
    },
  });
  found.synced.then(resolve, () => undefined);
  return {
    known,
    current: () => found.get({ namespace, name }) ?? null,
    onChange: (listener) => void found.subscribe(listener),
    stop: () => found.stop(),
  };
}
