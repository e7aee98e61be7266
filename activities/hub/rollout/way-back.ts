// Writes to the status that a rollout goes back before any copy does. What the way back rests on is that
// copies failed, and the first of them that is written does not say so any more.
import type { RolloutFields } from '../../../crds/rollout/status.ts';
import type { Kube } from '../../../kube/client.ts';
import type { KubeObject, Resource } from '../../../kube/resource.ts';
import type { StagePlan } from '../../../workflows/stages/types.ts';
import { note, type Noted } from './removing/noted.ts';
import type { HeardRequests } from './requests.ts';

export interface Turning extends HeardRequests {
  readonly plan: Pick<StagePlan, 'advance' | 'rollout'>;
  readonly fieldManager: string;
}

/**
 * Writes nothing but in the turn in which the rollout turns round and copies are written. A repeat finds the
 * direction in the status. Throws ApiError, and a Conflict if the object has changed since it was read.
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
