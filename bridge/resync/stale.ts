// Tells whether a Capp changed unobserved while the bridge was not watching, for its start and its resync.
import type { Capp } from '../../crds/capp/capp.ts';
import { dependenciesDigest, type Dependency, isLabelledFor } from '../../crds/ocm/work-identity.ts';
import { DEPENDENCIES } from '../../crds/labels.ts';
import { logReaders, pullSecretsOf } from '../../crds/kubernetes/neighbours.ts';
import type { Reference } from '../../crds/capp/references.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { isPauseUnseen, isReady, siteOf } from '../changes/causes.ts';
import { accountFor, referencesOf } from '../changes/needs.ts';
import { worksOfCapp } from './own-works.ts';
import type { Watched } from '../changes/watched.ts';

/**
 * A Capp that is being deleted, or has an edit, a pause or a resumption that was not observed; or one whose
 * status is Ready although its work is missing, on another cluster, outdated, or without our label.
 */
export function isStale(watched: Watched, capp: Capp): boolean {
  if (capp.metadata.deletionTimestamp !== undefined) return true;
  if (capp.status?.observedGeneration !== capp.metadata.generation) return true;
  if (isPauseUnseen(capp)) return true;
  if (!isReady(capp)) return false;
  const [work, ...others] = worksOfCapp(watched, capp);
  if (work === undefined || others.length > 0 || work.metadata.namespace !== siteOf(capp)) return true;
  return (
    !isLabelledFor(work, capp.metadata) ||
    work.metadata.annotations?.[DEPENDENCIES] !== digestOf(watched, capp)
  );
}

/** The value of annotation `DEPENDENCIES` on a work that is up to date. */
function digestOf(watched: Watched, capp: Capp): string {
  const { namespace = '' } = capp.metadata;
  const { configMaps, secrets } = referencesOf(capp, pullSecretsOf(accountFor(watched, capp)));
  const found = (
    kind: Dependency['kind'],
    objects: Pick<Watched['secrets'], 'get'>,
    names: readonly Reference[],
  ): Dependency[] =>
    names
      .map(({ name }) => objects.get({ namespace, name }))
      .filter((object): object is KubeObject => object !== undefined)
      .map(({ metadata }) => ({ kind, metadata }));
  const versions = [
    ...found('ConfigMap', watched.configMaps, configMaps),
    ...found('Secret', watched.secrets, secrets),
  ];
  return dependenciesDigest(versions, logReaders(watched.roleBindings.by('logReaders', namespace)));
}
