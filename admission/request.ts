// One question of the API server, as our rules see it.
import { isDeepStrictEqual } from 'node:util';
import { at, textAt } from './fields.ts';

export interface Request {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** Empty for what is cluster-scoped. */
  readonly namespace: string;
  /** Empty when the API server is yet to make one up. */
  readonly name: string;
  readonly username: string;
  /** Null for a DELETE. Before validation it may be of any shape. */
  readonly object: unknown;
  /** Null for a CREATE. */
  readonly oldObject: unknown;
  /** Nothing will come of it. */
  readonly dryRun: boolean;
}

/** The object is on its way out: nobody may stand in the way of its finalizers. */
export function isTerminating({ object, oldObject }: Request): boolean {
  return textAt(object ?? oldObject, 'metadata', 'deletionTimestamp') !== '';
}

/** Whether a field is not as it was. On a CREATE it was not there. */
export function hasChanged({ object, oldObject }: Request, ...path: readonly (string | number)[]): boolean {
  return !isDeepStrictEqual(at(object, ...path), at(oldObject, ...path));
}

/** Cappstan itself asks, by its exact name: `system:serviceaccount:<namespace>:<account>`. */
export function isControlPlane({ username }: Request, namespace: string): boolean {
  const [system, kind, where, account, ...more] = username.split(':');
  return system === 'system' && kind === 'serviceaccount' && where === namespace && Boolean(account) && more.length === 0;
}
