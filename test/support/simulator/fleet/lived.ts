// What a life of a fleet is told in: an object with its copies, of whichever kind, as the API server has
// them and not as the hub worker believes.
import type { RolloutFields } from '../../../../crds/rollout/status.ts';
import type { Strategy } from '../../../../crds/rollout/stages.ts';
import type { KubeObject, Resource } from '../../../../kube/resource.ts';
import type { FleetKind } from '../../../../workflows/fleet/port.ts';
import type { Stored } from '../api/objects.ts';
import { NAMESPACE } from '../world/names.ts';
import type { World } from '../world/world.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface FleetSpec {
  readonly placement?: string;
  readonly sites?: { readonly clusters?: readonly string[] };
  readonly strategy: Strategy;
  readonly paused: boolean;
  /** Of sets alone. */
  readonly whenUnselected?: 'Keep' | 'Remove';
  /** Of Bundles alone. */
  readonly onRemoval?: 'Delete' | 'Orphan';
}

export type Fleet = KubeObject & {
  readonly spec: FleetSpec;
  readonly status?: RolloutFields & {
    readonly revision?: string;
    readonly sites?: number;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason: string;
      readonly message: string;
      readonly lastTransitionTime?: string;
    }[];
  };
};

export interface Copy {
  readonly site: string;
  /** With which it was last written, and when; null if it does not say. */
  readonly written: { readonly revision: string; readonly at: number } | null;
  /** About its present generation, and not while it is being deleted. */
  readonly isReady: boolean;
  /** Its site says that waiting does not help. */
  readonly isFailed: boolean;
  /** It is there, and runs no app. */
  readonly isDisabled: boolean;
  readonly isGoing: boolean;
  readonly object: Stored;
}

/** What differs between the kinds. */
export interface Lived {
  readonly kind: FleetKind;
  readonly resource: Resource;
  readonly copies: Resource;
  /** Throws when the kind's schema does not take it. */
  parse(spec: Fields): FleetSpec;
  /** The part of the spec that makes revision `n`. */
  content(n: number, isBroken: boolean): Fields;
  /** A copy of this object; null if the object is another's. */
  copyOf(object: Stored, of: Fleet): Copy | null;
  /** Whether its site has what the copy says. */
  isBrought(world: World, copy: Copy): boolean;
  /** Somebody lays hands on a copy. */
  spoil(world: World, copy: Copy, what: 'edit' | 'unmark'): void;
  /** Nobody's hands are to be seen any more. */
  mend(world: World): void;
}

export const KEY = { namespace: NAMESPACE, name: 'many' } as const;

export function readFleet(world: World, { resource }: Lived): Fleet | null {
  return world.server.read(resource, KEY) as Fleet | null;
}

/** Stored objects never change, and each rule asks for the copies again and again. */
const known = new WeakMap<Stored, { readonly of: string; readonly copy: Copy | null }>();

/** What an object is to this fleet; null if it is another's. */
export function copyIn(lived: Lived, object: Stored, fleet: Fleet): Copy | null {
  const of = `${lived.kind} ${fleet.metadata.uid ?? ''}`;
  const before = known.get(object);
  if (before?.of === of) return before.copy;
  const copy = lived.copyOf(object, fleet);
  known.set(object, { of, copy });
  return copy;
}

/** It is Ready, and runs the app. */
export function isRunning({ isReady, isDisabled }: Copy): boolean {
  return isReady && !isDisabled;
}

/** Of the object that is there now. */
export function copiesOf(world: World, lived: Lived): Copy[] {
  const fleet = readFleet(world, lived);
  if (fleet === null) return [];
  const copies: Copy[] = [];
  for (const object of world.server.all(lived.copies)) {
    const copy = copyIn(lived, object, fleet);
    if (copy !== null) copies.push(copy);
  }
  return copies;
}
