// The machine of a benchmark: its hardware, its speed just before, and its other load.
import { cpus, loadavg, release, totalmem } from 'node:os';
import { median } from '../../testbed/quantiles.ts';

export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryMiB: number;
  readonly kernel: string;
  readonly node: string;
  /**
   * Milliseconds of a fixed loop on one thread. Shared machines of the same type differ threefold from day to
   * day.
   */
  readonly calibrationMs: number;
  /** Load average of the minute before. */
  readonly loadBefore: number;
}

const ROUNDS = 5;
const STEPS = 50_000_000;

export function describeMachine(): Machine {
  const [cpu] = cpus();
  const [loadBefore = 0] = loadavg();
  return {
    cores: cpus().length,
    cpu: cpu?.model ?? 'unknown',
    memoryMiB: Math.round(totalmem() / 2 ** 20),
    kernel: release(),
    node: process.version,
    calibrationMs: calibrate(),
    loadBefore,
  };
}

function calibrate(): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const begun = performance.now();
    if (scramble(STEPS) === 0) throw new Error('A xorshift generator never returns zero.');
    return performance.now() - begun;
  });
  return median(rounds);
}

/** Marsaglia's xorshift. A compiler cannot omit it, and it uses no memory. */
function scramble(steps: number): number {
  let state = 2_463_534_242;
  for (let step = 0; step < steps; step += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
  }
  return state;
}
