// The faults of StrykerJS that survive, and why each may.
import type { KnownSurvivor } from './judge.ts';

export const SURVIVORS: readonly KnownSurvivor[] = [];
