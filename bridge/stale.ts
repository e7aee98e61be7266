// Whether a Capp was left behind while nobody watched: told from what the bridge may see, for its start and its census.
import type { Capp } from '../crds/capp.ts';
import { dependenciesDigest, type Dependency } from '../crds/capp-key.ts';
import { DEPENDENCIES } from '../crds/labels.ts';
import { normalise } from '../crds/normalise.ts';
import { references } from '../crds/references.ts';
import type { KubeObject } from '../kube/resource.ts';
import type { Watched } from './watched.ts';
import { isReady, siteOf } from './causes.ts';

/** A Capp that is going or has an unseen edit; or one said to be Ready whose work is not where, or not of what, it should be. */
export function isStale(watched: Watched, capp: Capp): boolean {
  if (capp.metadata.deletionTimestamp !== undefined) return true;
  if (capp.status?.observedGeneration !== capp.metadata.generation) return true;
  if (!isReady(capp)) return false;
  const { namespace = '', name } = capp.metadata;
  const [work, ...others] = watched.works.by('capp', `${namespace}/${name}`);
  if (work === undefined || others.length > 0) return true;
  return work.metadata.namespace !== siteOf(capp) || work.metadata.annotations?.[DEPENDENCIES] !== digest(watched, capp);
}

function digest(watched: Watched, capp: Capp): string {
  const wanted = references(normalise(capp).capp);
  const namespace = capp.metadata.namespace ?? null;
  const found = (kind: Dependency['kind'], objects: Pick<Watched['secrets'], 'get'>, names: readonly { name: string }[]): Dependency[] =>
    names
      .map(({ name }) => objects.get({ namespace, name }))
      .filter((object): object is KubeObject => object !== undefined)
      .map(({ metadata }) => ({ kind, metadata }));
  return dependenciesDigest([
    ...found('ConfigMap', watched.configMaps, wanted.configMaps),
    ...found('Secret', watched.secrets, wanted.secrets),
  ]);
}
