// The workflows of one seed of the simulator, by workflow task.
import type { Batch } from '../simulator/engine/batch.ts';
import { FAULTS } from '../simulator/world/faults.ts';
import type { End } from '../simulator/engine/exchange.ts';
import type { Run } from '../simulator/engine/run.ts';
import { simulate } from '../simulator/simulate.ts';

export interface SimulatedRun extends Pick<Run, 'id' | 'type' | 'start'> {
  /** What the engine did in each, without tasks that a worker has lost. */
  readonly tasks: readonly (readonly Batch[])[];
  readonly end: End | null;
}

/** Every run of every workflow in the order in which they began. Throws an Error if a rule was broken. */
export async function simulatedRuns(seed: number): Promise<readonly SimulatedRun[]> {
  const runs = new Map<Run, { tasks: (readonly Batch[])[]; end: End | null }>();
  const { breach } = await simulate(seed, null, FAULTS, {
    counted: (run, turn, end) => {
      const known = runs.get(run) ?? { tasks: [], end: null };
      known.tasks.push(turn);
      known.end = end;
      runs.set(run, known);
    },
  });
  if (breach !== null) throw new Error(`seed ${seed}: ${breach}`);
  return [...runs].map(([{ id, type, start }, { tasks, end }]) => ({ id, type, start, tasks, end }));
}
