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
  return !isSame(at(object, ...path), at(oldObject, ...path));
}

/**
 * The last comparison of each object, by that object: every rule compares the same two specs, which may be
 * large.
 */
const compared = new WeakMap<object, { readonly other: object; readonly isSame: boolean }>();

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other;
  const known = compared.get(one);
  if (known?.other === other) return known.isSame;
  const found = isDeepStrictEqual(one, other);
  compared.set(one, { other, isSame: found });
  return found;
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
