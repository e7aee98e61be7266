// Converts the free capacity of a site to OCM's scores: integers from -100 (none left) to 100. Pure.
import { CPU_AVAILABLE, MEMORY_AVAILABLE } from '../../../crds/ocm/add-on.ts';
import type { Figure } from '../../../workflows/score/measured.ts';
import type { FreeCapacity } from './room.ts';

/** At or below `min` a figure is -100, at or above `max` it is 100. */
export interface FigureBounds {
  readonly min: number;
  /** Null: the capacity of all nodes, so that the figure shows which share of the site is free. */
  readonly max: number | null;
}

/** Cores and bytes. */
export interface ScoreBounds {
  readonly cpu: FigureBounds;
  readonly memory: FigureBounds;
}

export const LOWEST = -100;
export const HIGHEST = 100;

export function figuresOf({ allocatable, available }: FreeCapacity, bounds: ScoreBounds): Figure[] {
  return [
    { name: CPU_AVAILABLE, value: valueOf(available.cpu, bounds.cpu, allocatable.cpu) },
    { name: MEMORY_AVAILABLE, value: valueOf(available.memory, bounds.memory, allocatable.memory) },
  ];
}

function valueOf(available: number, { min, max }: FigureBounds, all: number): number {
  if (available <= min) return LOWEST;
  return bounded(LOWEST + ((HIGHEST - LOWEST) * (available - min)) / ((max ?? all) - min));
}

/** The nearest integer within OCM's range, towards zero. */
export function bounded(value: number): number {
  return Math.min(HIGHEST, Math.max(LOWEST, Math.trunc(value))) + 0;
}
