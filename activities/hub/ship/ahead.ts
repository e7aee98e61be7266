// Reads what a Capp refers to while the Capp itself is read. It is used only if the Capp is as the cache had
// it: so each object was read after the Capp was written, as if one had been read after the other.
import { isDeepStrictEqual } from 'node:util';
import type { Capp } from '../../../crds/capp/capp.ts';
import {
  countOf,
  MOST_REFERENCES,
  references,
  serviceAccountOf,
  type References,
} from '../../../crds/capp/references.ts';
import { isPaused } from '../../../crds/capp/requests.ts';
import { pullSecretsOf } from '../../../crds/kubernetes/neighbours.ts';
import type { Kube } from '../../../kube/client.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';
import { readDependencies, type Dependencies } from './dependencies.ts';
import type { Sources } from './neighbours.ts';

export interface Ahead {
  /** The version of the Capp that referred to it. */
  readonly resourceVersion: string | undefined;
  readonly references: References;
  /** Whoever does not use it need not wait for it, nor for its failure. */
  readonly reading: Promise<Dependencies>;
}

/** Null if the cache does not know the Capp, or knows nothing that it would refer to and be shipped with. */
export function readAhead(
  {
    kube,
    caches,
  }: { readonly kube: Kube; readonly caches: Pick<Sources['caches'], 'capps' | 'serviceAccounts'> },
  ref: CappRef,
): Ahead | null {
  const capp = caches.capps.get(ref);
  if (capp?.metadata.uid !== ref.uid || capp.metadata.deletionTimestamp !== undefined || isPaused(capp))
    return null;
  const known = referencesOf(capp, caches.serviceAccounts);
  if (known === null || countOf(known) === 0 || countOf(known) > MOST_REFERENCES) return null;
  const reading = readDependencies(kube, ref.namespace, known);
  reading.catch(() => undefined);
  return { resourceVersion: capp.metadata.resourceVersion, references: known, reading };
}

/** What was read ahead, for a Capp as it was just read; null if that was something else. */
export function readWhile(
  ahead: Ahead | null,
  { metadata }: Capp,
  { configMaps, secrets }: References,
): Promise<Dependencies> | null {
  if (ahead === null || ahead.resourceVersion !== metadata.resourceVersion) return null;
  return isDeepStrictEqual(ahead.references, { configMaps, secrets }) ? ahead.reading : null;
}

/**
 * By the spec as it was written: in another form than the canonical one it may name less, and then counts as
 * other.
 */
function referencesOf(capp: Capp, accounts: Sources['caches']['serviceAccounts']): References | null {
  try {
    const name = serviceAccountOf(capp);
    const account = accounts.get({ namespace: capp.metadata.namespace ?? '', name }) ?? null;
    return references(capp, pullSecretsOf(account));
  } catch {
    return null;
  }
}
