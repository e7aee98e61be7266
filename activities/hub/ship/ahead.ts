// Reads what a Capp refers to while the Capp itself is read. It is used only if the Capp is as the cache had
// it: so each object was read after the Capp was written, as if one had been read after the other.
import { isDeepStrictEqual } from 'node:util';
import type { Capp } from '../../../crds/capp/capp.ts';
import {
  countOf,
  MOST_REFERENCES,
  readUnparsed,
  references,
  serviceAccountOf,
  type References,
} from '../../../crds/capp/references.ts';
import { isPaused } from '../../../crds/capp/requests.ts';
import { pullSecretsOf } from '../../../crds/kubernetes/neighbours.ts';
import { isReservedNamespace } from '../../../crds/reserved-namespaces.ts';
import type { CappRef } from '../../../workflows/capp/state.ts';
import { readDependencies, type Dependencies } from './dependencies.ts';
import type { Sources } from './neighbours.ts';

export interface Ahead {
  /** The version of the Capp that referred to it. */
  readonly resourceVersion: string | undefined;
  readonly references: References;
  /** Whoever does not use it need not wait for it, nor for its failure. Rejects once it was stopped. */
  readonly read: () => Promise<Dependencies>;
  /** What is under way ends, nothing more is read, and what was read is let go. */
  readonly stop: () => void;
}

/**
 * Null in a namespace where no Capp may run, if the cache does not know the Capp, or knows nothing that it
 * would refer to and be shipped with.
 */
export function readAhead(
  {
    kube,
    caches,
    reserved,
  }: Pick<Sources, 'kube' | 'reserved'> & {
    readonly caches: Pick<Sources['caches'], 'capps' | 'serviceAccounts'>;
  },
  ref: CappRef,
): Ahead | null {
  if (isReservedNamespace(ref.namespace, reserved)) return null;
  const capp = caches.capps.get(ref);
  if (capp?.metadata.uid !== ref.uid || capp.metadata.deletionTimestamp !== undefined || isPaused(capp))
    return null;
  const known = referencesOf(capp, caches.serviceAccounts);
  if (known === null || countOf(known) === 0 || countOf(known) > MOST_REFERENCES) return null;
  const ended = new AbortController();
  const stoppable = kube.within({ until: Infinity, signal: ended.signal });
  let reading = readDependencies(stoppable, ref.namespace, known);
  reading.catch(() => undefined);
  const stop = (): void => {
    ended.abort(UNUSED);
    reading = Promise.reject(UNUSED);
    reading.catch(() => undefined);
  };
  const { resourceVersion } = capp.metadata;
  return { resourceVersion, references: known, read: () => reading, stop };
}

/** The reason with which reads are aborted that nobody uses. */
const UNUSED = new Error('Nobody uses what was read ahead');

/** Returns `ahead` if it was read for this version of the Capp; otherwise stops it and returns null. */
export function readFor(ahead: Ahead | null, { metadata }: Pick<Capp, 'metadata'>): Ahead | null {
  if (ahead?.resourceVersion === metadata.resourceVersion) return ahead;
  ahead?.stop();
  return null;
}

/** What was read ahead for `capp`; stops it and returns null if the Capp refers to something else by now. */
export function readWhile(
  ahead: Ahead | null,
  capp: Capp,
  { configMaps, secrets }: References,
): Promise<Dependencies> | null {
  const known = readFor(ahead, capp);
  if (known === null || isDeepStrictEqual(known.references, { configMaps, secrets }))
    return known?.read() ?? null;
  known.stop();
  return null;
}

/**
 * By the spec as it was written: in another form than the canonical one it may name less, and then counts as
 * other.
 */
function referencesOf(capp: Capp, accounts: Sources['caches']['serviceAccounts']): References | null {
  const { namespace = '' } = capp.metadata;
  return readUnparsed(() => {
    const account = accounts.get({ namespace, name: serviceAccountOf(capp) }) ?? null;
    return references(capp, pullSecretsOf(account));
  }, null);
}
