// Writes what is about to be removed to the status before it is: a turn that ends in the middle, or a hub
// worker that dies, takes nothing out of the count of the last ten minutes.
import { isDeepStrictEqual } from 'node:util';
import type { RolloutFields } from '../../../../crds/rollout/status.ts';
import { applyStatus } from '../../../../kube/apply-status.ts';
import type { Kube } from '../../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import { rememberedIn } from '../memory.ts';
import type { ReleasedCopies } from './removals.ts';
import type { HeardRequests } from '../requests.ts';
import { allAsked } from '../telling/said.ts';

export interface Counting extends HeardRequests {
  readonly released: Pick<ReleasedCopies, 'clusters'>;
  readonly fieldManager: string;
}

export interface Noted<T> {
  /** As it was written. */
  readonly object: T;
  /** Requests that the status does not name yet. */
  readonly asked: HeardRequests['asked'];
}

/**
 * Writes nothing when nothing is removed, or when it needs no count. A repeat finds the count in the status
 * (`memoryOf`). Throws ApiError, and a Conflict if the object has changed since it was read: another try may
 * be removing the same.
 */
export async function noteRemovals<T extends KubeObject & { readonly status?: RolloutFields }>(
  kube: Pick<Kube, 'apply'>,
  resource: Resource,
  object: T,
  { released, memory, asked, fieldManager }: Counting,
): Promise<Noted<T>> {
  const before = object.status ?? {};
  const remembered = rememberedIn(memory);
  if (released.clusters.length === 0 || isDeepStrictEqual(before.removal, remembered.removal))
    return { object, asked };
  return note(kube, resource, object, { memory, asked, fieldManager });
}

/** Adds what is remembered, and what people have asked, to the status as it was read. */
export async function note<T extends KubeObject & { readonly status?: RolloutFields }>(
  kube: Pick<Kube, 'apply'>,
  resource: Resource,
  object: T,
  { memory, asked, fieldManager }: HeardRequests & Pick<Counting, 'fieldManager'>,
): Promise<Noted<T>> {
  const before = object.status ?? {};
  const all = allAsked(before, asked);
  const status = { ...before, ...rememberedIn(memory), ...(all.length === 0 ? {} : { asked: all }) };
  const written = await applyStatus<T>(kube, resource, object, { status, fieldManager, asRead: true });
  return { object: written ?? object, asked: [] };
}
