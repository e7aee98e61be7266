// Writes what is about to be removed to the status before it is: a turn that ends in the middle, or a hub
// worker that dies, takes nothing out of the count of the last ten minutes.
import { isDeepStrictEqual } from 'node:util';
import type { RolloutFields } from '../../../../crds/rollout/status.ts';
import { applyStatus } from '../../../../kube/apply-status.ts';
import type { Kube } from '../../../../kube/client.ts';
import { ApiError } from '../../../../kube/failure.ts';
import { keyOf, pathOf, type KubeObject, type Resource } from '../../../../kube/resource.ts';
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
 * be removing the same, or a person has paused it or selected the sites again.
 */
export async function noteRemovals<T extends KubeObject & { readonly status?: RolloutFields }>(
  kube: Pick<Kube, 'apply' | 'getMetadata'>,
  resource: Resource,
  object: T,
  { released, memory, asked, fieldManager }: Counting,
): Promise<Noted<T>> {
  const before = object.status ?? {};
  const remembered = rememberedIn(memory);
  if (released.clusters.length === 0) return { object, asked };
  if (isDeepStrictEqual(before.removal, remembered.removal)) {
    await confirmAsRead(kube, resource, object);
    return { object, asked };
  }
  return note(kube, resource, object, { memory, asked, fieldManager });
}

/** Throws ApiError: a Conflict if the object has changed since it was read, as a write of its status does. */
async function confirmAsRead(
  kube: Pick<Kube, 'getMetadata'>,
  resource: Resource,
  object: KubeObject,
): Promise<void> {
  const key = keyOf(object);
  const live = await kube.getMetadata(resource, key);
  if (live?.metadata.resourceVersion === object.metadata.resourceVersion) return;
  throw new ApiError({ method: 'GET', path: pathOf(resource, key), code: 409, reason: 'Conflict' });
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
