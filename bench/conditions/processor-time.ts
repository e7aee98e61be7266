// CPU time of the stack's processes during a benchmark, and CPU time that the machine's host gave to others
// (steal).
import { readFileSync } from 'node:fs';
import { observedProcesses } from '../../deploy/local/supervise/desired.ts';
import type { Layout } from '../../deploy/local/layout.ts';
import { tenth } from '../../testbed/quantiles.ts';

/** CPU time in milliseconds; of the stack's processes since they started. */
export interface ProcessorTime {
  readonly ofProcesses: ReadonlyMap<string, { readonly pid: number; readonly ms: number }>;
  readonly ofThis: number;
  /** All processors together: total, idle, and steal time. */
  readonly machine: { readonly all: number; readonly idle: number; readonly stolen: number };
}

export interface Spent {
  /**
   * Milliseconds per Capp, the largest first, without those under 0.1; `measure` is the benchmark's own
   * process.
   */
  readonly msEach: Readonly<Record<string, number>>;
  readonly idlePercent: number;
  readonly stolenPercent: number;
}

/** USER_HZ, which is 100 a second on every architecture that Node runs on: proc(5). */
const TICK_MS = 10;

export async function processorTime(layout: Layout): Promise<ProcessorTime> {
  const ofProcesses = new Map<string, { pid: number; ms: number }>();
  for (const { name, pid } of await observedProcesses(layout))
    if (pid !== null) ofProcesses.set(name, { pid, ms: ticksOf(pid) * TICK_MS });
  const { user, system } = process.cpuUsage();
  const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/).map(Number);
  const [, , , idle = 0, waiting = 0, , , stolen = 0] = ticks;
  // Without guest time, which `user` includes.
  const all = ticks.slice(0, 8).reduce((sum, part) => sum + part, 0);
  return {
    ofProcesses,
    ofThis: (user + system) / 1_000,
    machine: { all: all * TICK_MS, idle: (idle + waiting) * TICK_MS, stolen: stolen * TICK_MS },
  };
}

export function spentEach(before: ProcessorTime, after: ProcessorTime, count: number): Spent {
  const spent = [...after.ofProcesses].map(([name, { pid, ms }]) => {
    const earlier = before.ofProcesses.get(name);
    return [name, earlier?.pid === pid ? ms - earlier.ms : ms] as const;
  });
  const each = [...spent, ['measure', after.ofThis - before.ofThis] as const].map(
    ([name, ms]) => [name, tenth(ms / count)] as const,
  );
  const shown = each.filter(([, ms]) => ms >= 0.1).toSorted(([, a], [, b]) => b - a);
  const all = after.machine.all - before.machine.all;
  const percent = (part: 'idle' | 'stolen'): number =>
    tenth((100 * (after.machine[part] - before.machine[part])) / all);
  return {
    msEach: Object.fromEntries(shown),
    idlePercent: percent('idle'),
    stolenPercent: percent('stolen'),
  };
}

/** User and system time are the 14th and 15th field. The second, a name in brackets, may contain blanks. */
function ticksOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, , , , , , , , , , , user = 0, system = 0] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return user + system;
}
