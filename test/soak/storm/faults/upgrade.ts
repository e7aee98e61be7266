// A rolling upgrade: every process of ours is stopped as Kubernetes stops it, and started again, one at a
// time, from the files of the next build.
import { addProcesses, awaitReady } from '../../../../deploy/local/supervise/desired.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { away, type Storm } from '../world.ts';

/** A site that is lost is away for minutes. */
const WHILE_LOST = { withinMs: 400_000, everyMs: 250 };

/** Other faults go on meanwhile; a process that is away comes back first. */
export async function upgrade(storm: Storm, build: string): Promise<void> {
  const { layout } = storm.stack;
  for (const name of storm.processes.ours) {
    await eventually(() => Promise.resolve(storm.away.has(name) ? undefined : true), WHILE_LOST);
    const spec = storm.rewired.today(name);
    const next = { ...spec, env: { ...spec.env, STORM_BUILD: build } };
    const restarted = addProcesses(layout, [next]).then(() => awaitReady(layout, [next]));
    away(storm, [name], restarted);
    await restarted;
  }
}
