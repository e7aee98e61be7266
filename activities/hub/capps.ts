// Reads the hub's Capp live and normalised, and confirms its finalizer before anything exists that the
// finalizer must wait for.
import { parseSpec, CAPP, type Capp } from '../../crds/capp/capp.ts';
import { FINALIZER, HAS_PLACEMENT } from '../../crds/labels.ts';
import { normalise, type Normalised } from '../../crds/capp/normalise.ts';
import type { Kube } from '../../kube/client.ts';
import { isNotFound } from '../../kube/failure.ts';
import { keyOf } from '../../kube/resource.ts';
import type { CappRef } from '../../workflows/capp/state.ts';

export type ReadCapp =
  | { readonly is: 'there'; readonly capp: Capp }
  /** Deleted, or being deleted. */
  | { readonly is: 'deleted'; readonly capp: Capp | null }
  /** Another object has the name. */
  | { readonly is: 'replaced'; readonly uid: string };

/** Reads the object that has the Capp's name now. Throws ApiError. */
export async function readCapp(kube: Kube, ref: CappRef): Promise<ReadCapp> {
  const capp = await kube.get<Capp>(CAPP, ref);
  if (capp === null) return { is: 'deleted', capp: null };
  const { uid = '', deletionTimestamp } = capp.metadata;
  if (uid !== ref.uid) return { is: 'replaced', uid };
  return deletionTimestamp === undefined ? { is: 'there', capp } : { is: 'deleted', capp };
}

/** Canonical field names, with warnings for the others. Throws UnreadableSpec. */
export function canonical(capp: Capp): Normalised {
  return normalise({ ...capp, spec: parseSpec(capp.spec) });
}

/**
 * Adds our finalizer if it is missing, and in the same write the annotation that names the serving site. The
 * resourceVersion in the patch keeps others' finalizers safe: a Conflict is tried again.
 */
export async function confirmFinalizer(kube: Kube, capp: Capp, site: string): Promise<Capp> {
  const { uid, resourceVersion, finalizers = [] } = capp.metadata;
  if (finalizers.includes(FINALIZER)) return capp;
  const annotations = { [HAS_PLACEMENT]: site };
  const metadata = { uid, resourceVersion, finalizers: [...finalizers, FINALIZER], annotations };
  return kube.patch<Capp>(CAPP, keyOf(capp), { metadata });
}

/**
 * Writes the annotation of the serving site that readers of the Go operator know; null removes it. Writes
 * nothing if it is unchanged. Returns the Capp after the write, or null if it is gone. Throws Conflict if the
 * Capp has changed since it was read.
 */
export async function notePlacement(kube: Kube, capp: Capp, site: string | null): Promise<Capp | null> {
  const { uid, resourceVersion, deletionTimestamp, annotations } = capp.metadata;
  if (deletionTimestamp !== undefined || (annotations?.[HAS_PLACEMENT] ?? null) === site) return capp;
  try {
    return await kube.patch<Capp>(CAPP, keyOf(capp), {
      metadata: { uid, resourceVersion, annotations: { [HAS_PLACEMENT]: site } },
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return null;
  }
}
