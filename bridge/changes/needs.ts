// Names what a Capp refers to. The bridge indexes Capps by these names.
import type { Capp } from '../../crds/capp/capp.ts';
import type { ServiceAccount } from '../../crds/kubernetes/core.ts';
import { normalise } from '../../crds/capp/normalise.ts';
import {
  readUnparsed,
  references,
  serviceAccountOf,
  type Reference,
  type References,
} from '../../crds/capp/references.ts';
import type { Cache } from '../../kube/watch/cache.ts';

const NOTHING: References = { configMaps: [], secrets: [] };

/** A spec that cannot be read refers to nothing. */
export function referencesOf(capp: Capp, accountPullSecrets: readonly string[] = []): References {
  return readUnparsed(() => references(normalise(capp).capp, accountPullSecrets), NOTHING);
}

/** "namespace/name" of each, as in all indexes here. */
export function secretsOf(capp: Capp): string[] {
  return keysOf(capp, referencesOf(capp).secrets);
}

export function configMapsOf(capp: Capp): string[] {
  return keysOf(capp, referencesOf(capp).configMaps);
}

export function accountOf(capp: Capp): string[] {
  return readUnparsed(() => [`${capp.metadata.namespace ?? ''}/${serviceAccountOf(capp)}`], []);
}

/** The ServiceAccount that the Capp's pods use on the hub, if it exists. */
export function accountFor(
  { serviceAccounts }: { serviceAccounts: Pick<Cache<ServiceAccount>, 'get'> },
  capp: Capp,
): ServiceAccount | undefined {
  const { namespace = '' } = capp.metadata;
  return readUnparsed(() => serviceAccounts.get({ namespace, name: serviceAccountOf(capp) }), undefined);
}

function keysOf({ metadata: { namespace = '' } }: Capp, names: readonly Reference[]): string[] {
  return names.map(({ name }) => `${namespace}/${name}`);
}
