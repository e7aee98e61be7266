// How large a life of a fleet is, and of which kind.
import type { FleetKind } from '../../../../workflows/fleet/port.ts';
import type { Random } from '../../builders/random.ts';
import { SITES } from '../world/names.ts';

export interface Shape {
  readonly kind: FleetKind;
  /** All sites. With more than three there are no Capps beside the fleet. */
  readonly names: readonly string[];
}

export const NARROW: Shape = { kind: 'CappSet', names: SITES };

/** So many that a tenth of them is more than one. */
const FEWEST_WIDE = 12;
/** Each Capp of a set has a workflow of its own, which costs. */
const MOST_WIDE = { Bundle: 25, CappSet: 20 } as const;

/** Bundles are cheap, and are many more often. */
const WIDE = { Bundle: 0.7, CappSet: 0.15 } as const;

export function shapeOf(dice: Random): Shape {
  const kind = dice.pick(['CappSet', 'Bundle'] as const);
  if (!dice.chance(WIDE[kind])) return { kind, names: SITES };
  const count = FEWEST_WIDE + Math.floor(dice.next() * (MOST_WIDE[kind] - FEWEST_WIDE + 1));
  return { kind, names: Array.from({ length: count }, (_, index) => `site-${index + 1}`) };
}
