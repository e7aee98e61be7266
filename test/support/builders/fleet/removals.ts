// Copies that are to leave their sites, for tests of the guard against mass removal.
import { release, type LeavingCopies } from '../../../../activities/hub/rollout/removing/removals.ts';
import { HUB_TIMES } from '../../../../activities/hub/times.ts';
import type { RemovalMemory } from '../../../../workflows/stages/memory.ts';
import { NO_REMOVAL } from './rollouts.ts';

const HELD_MS = HUB_TIMES.setHeld.ms;

export const MINUTE = 60_000;
/** The beginning of a minute. */
export const NOW = Date.parse('2026-03-01T12:00:00Z');
export const clusters = (count: number, first = 0): string[] =>
  Array.from({ length: count }, (_, index) => `c-${String(first + index).padStart(3, '0')}`);
export const leaving = (
  going: number,
  staying: number,
  plain: Partial<LeavingCopies> = {},
): LeavingCopies => ({
  clusters: clusters(going),
  ready: clusters(going),
  staying,
  stayingReady: staying,
  number: null,
  placement: null,
  selected: staying,
  isNamed: false,
  patienceMs: 900_000,
  ...plain,
});

/** The same sites have been leaving for long enough. */
export function held(given: LeavingCopies, removal: RemovalMemory = NO_REMOVAL, most = 100, now = NOW) {
  const first = release(given, { leaving: null, removal }, most, now - HELD_MS);
  return release(given, first, most, now);
}

/** What is remembered when nothing leaves. */
export function quiet(given: Partial<LeavingCopies>, removal: RemovalMemory = NO_REMOVAL): RemovalMemory {
  return release(leaving(0, 10, given), { leaving: null, removal }, 100, NOW).removal;
}
