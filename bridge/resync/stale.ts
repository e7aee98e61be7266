// Tells whether a Capp changed unobserved while the bridge was not watching, for its start and its resync.
import type { Capp } from '../../crds/capp/capp.ts';
import { asksForSealing } from '../../crds/hub/rcs-config.ts';
import { dependenciesDigest, type Dependency, isLabelledFor } from '../../crds/ocm/work-identity.ts';
import { DEPENDENCIES } from '../../crds/labels.ts';
import { logReaders, pullSecretsOf } from '../../crds/kubernetes/neighbours.ts';
import type { Reference } from '../../crds/capp/references.ts';
import { keyIdOf, siteKeyOf } from '../../crds/sealing/site-key.ts';
import type { KubeObject } from '../../kube/resource.ts';
import { isPauseUnseen, isReady, siteOf } from '../changes/causes.ts';
import { accountFor, referencesOf } from '../changes/needs.ts';
import { worksOfCapp } from './own-works.ts';
import type { BridgeWatched } from '../changes/watched.ts';

/**
 * A Capp that is being deleted, or has an edit, a pause or a resumption that was not observed; or one whose
 * status is Ready although its work is missing, on another cluster, outdated, or without our label.
 */
export function isStale(watched: BridgeWatched, capp: Capp): boolean {
  if (capp.metadata.deletionTimestamp !== undefined) return true;
  if (capp.status?.observedGeneration !== capp.metadata.generation) return true;
  if (isPauseUnseen(capp)) return true;
  if (!isReady(capp)) return false;
  const [work, ...others] = worksOfCapp(watched, capp);
  if (work === undefined || others.length > 0 || work.metadata.namespace !== siteOf(capp)) return true;
  const digest = work.metadata.annotations?.[DEPENDENCIES] ?? '';
  return !isLabelledFor(work, capp.metadata) || !digestsOf(watched, capp).includes(digest);
}

/**
 * The values that annotation `DEPENDENCIES` may have on a work that is up to date. Without an RCSConfig it
 * stays in the form that it has.
 */
function digestsOf(watched: BridgeWatched, capp: Capp): string[] {
  const { namespace = '' } = capp.metadata;
  const { configMaps, secrets } = referencesOf(capp, pullSecretsOf(accountFor(watched, capp)));
  const found = (
    kind: Dependency['kind'],
    objects: Pick<BridgeWatched['secrets'], 'get'>,
    names: readonly Reference[],
  ): Dependency[] =>
    names
      .map(({ name }) => objects.get({ namespace, name }))
      .filter((object): object is KubeObject => object !== undefined)
      .map(({ metadata }) => ({ kind, metadata }));
  const sealable = found('Secret', watched.secrets, secrets);
  const versions = [...found('ConfigMap', watched.configMaps, configMaps), ...sealable];
  const readers = logReaders(watched.roleBindings.by('logReaders', namespace));
  const forms = sealable.length === 0 ? [null] : formsOf(watched, capp);
  return forms.map((form) => dependenciesDigest(versions, readers, form));
}

/** The id of the key to which its Secrets are to be sealed; null: they go as they are. */
function formsOf({ configs, clusters }: BridgeWatched, capp: Capp): (string | null)[] {
  const key = siteKeyOf(clusters.get({ namespace: null, name: siteOf(capp) ?? '' }));
  // No work has it: the Capp is to say that its site claims no key.
  const sealed = key === null ? 'none' : keyIdOf(key);
  const all = configs.list();
  if (all.length === 0) return [null, sealed];
  return [all.some(asksForSealing) ? sealed : null];
}
