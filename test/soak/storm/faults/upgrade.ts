// A rolling upgrade: every process of ours is stopped as Kubernetes stops it, and started again, one at a
// time.
import { addProcesses, awaitReady, desiredProcesses } from '../../../../deploy/local/supervise/desired.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { away, WHILE_AWAY, type Storm } from '../world.ts';

/** Other faults go on meanwhile; a process that is away comes back first. */
export async function upgrade(storm: Storm, build: string): Promise<void> {
  const { layout } = storm.stack;
  for (const name of storm.processes.ours) {
    await eventually(() => Promise.resolve(storm.away.has(name) ? undefined : true), WHILE_AWAY);
    const spec = (await desiredProcesses(layout)).find((one) => one.name === name);
    if (spec === undefined) throw new Error(`The stack has no process ${name}.`);
    const next = { ...spec, env: { ...spec.env, STORM_BUILD: build } };
    const restarted = addProcesses(layout, [next]).then(() => awaitReady(layout, [next]));
    away(storm, [name], restarted);
    await restarted;
  }
}
