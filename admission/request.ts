// One admission request, as rules see it.
import { isDeepStrictEqual } from 'node:util';
import { at, textAt } from './fields.ts';

export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** Empty for what is cluster-scoped. */
  readonly namespace: string;
  /** Empty when the API server still has to generate one. */
  readonly name: string;
  readonly username: string;
  /** Null for a DELETE. Before validation it may be of any shape. */
  readonly object: unknown;
  /** Null for a CREATE. */
  readonly oldObject: unknown;
  /** Nothing will be stored. */
  readonly dryRun: boolean;
}

/** The object is being deleted: nothing may block the removal of its finalizers. */
export function isTerminating({ object, oldObject }: AdmissionRequest): boolean {
  return textAt(object ?? oldObject, 'metadata', 'deletionTimestamp') !== '';
}

/** Whether a field changes; on a CREATE, whether it is set. */
export function hasChanged(
  { object, oldObject }: AdmissionRequest,
  ...path: readonly (string | number)[]
): boolean {
  return !isDeepStrictEqual(at(object, ...path), at(oldObject, ...path));
}

/** The request comes from Cappstan itself: `system:serviceaccount:<namespace>:<account>`. */
export function isControlPlane({ username }: AdmissionRequest, namespace: string): boolean {
  const [system, kind, where, account, ...more] = username.split(':');
  return (
    system === 'system' &&
    kind === 'serviceaccount' &&
    where === namespace &&
    Boolean(account) &&
    more.length === 0
  );
}
