// Writes to the status what a turn is about to do, before it does it, so that a turn that ends in the middle,
// or a hub worker that dies, loses nothing: what is removed counts, and what failed goes back.
import { isDeepStrictEqual } from 'node:util';
import type { RolloutFields } from '../../../crds/rollout/status.ts';
import { applyStatus } from '../../../kube/apply-status.ts';
import type { Kube } from '../../../kube/client.ts';
import { ApiError } from '../../../kube/failure.ts';
import { keyOf, pathOf, type KubeObject, type Resource } from '../../../kube/resource.ts';
import type { StagePlan } from '../../../workflows/stages/types.ts';
import { rememberedIn } from './memory.ts';
import type { ReleasedCopies } from './removing/removals.ts';
import type { HeardRequests } from './requests.ts';
import { allAsked } from './telling/said.ts';

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
  const remembered = rememberedIn(memory, before);
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

export interface Turning extends HeardRequests {
  readonly plan: Pick<StagePlan, 'advance' | 'rollout'>;
  readonly fieldManager: string;
}

/**
 * That a rollout goes back, before any copy does: the way back rests on copies that failed, and the first of
 * them that is written does not say so any more. Writes nothing but in the turn in which the rollout turns
 * round and copies are written. A repeat finds the direction in the status. Throws ApiError, and a Conflict
 * if the object has changed since it was read.
 */
export async function noteWayBack<T extends KubeObject & { readonly status?: RolloutFields }>(
  kube: Pick<Kube, 'apply'>,
  resource: Resource,
  object: T,
  { plan: { advance, rollout }, memory, asked, fieldManager }: Turning,
): Promise<Noted<T>> {
  const isTurning = rollout.direction === 'Back' && memory.rollout.direction !== 'Back';
  if (!isTurning || advance.length === 0) return { object, asked };
  return note(kube, resource, object, { memory: { ...memory, rollout }, asked, fieldManager });
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
  const status = { ...before, ...rememberedIn(memory, before), ...(all.length === 0 ? {} : { asked: all }) };
  const written = await applyStatus<T>(kube, resource, object, { status, fieldManager, asRead: true });
  return { object: written ?? object, asked: [] };
}
