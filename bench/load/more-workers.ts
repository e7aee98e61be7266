// More hub workers than the one that the stack has.
import { join } from 'node:path';
import {
  addProcesses,
  awaitReady,
  desiredProcesses,
  keepOnly,
} from '../../deploy/local/supervise/desired.ts';
import { openPorts, type Ports } from '../../deploy/local/supervise/ports.ts';
import type { ProcessSpec } from '../../deploy/local/supervise/process-spec.ts';
import type { Testbed } from './testbed.ts';

const FIRST = 'hub-worker';

/**
 * Runs so many hub workers, and resolves to their names when all are ready. The end of the benchmark leaves
 * one.
 */
export async function hubWorkers({ stack, afterwards }: Testbed, count: number): Promise<readonly string[]> {
  const { layout } = stack;
  const all = await desiredProcesses(layout);
  const first = all.find(({ name }) => name === FIRST);
  if (first === undefined) throw new Error('The stack has no hub worker. Run "make up" to repair it.');
  const ports = await openPorts(join(layout.state, 'ports.json'));
  const more = await Promise.all(
    Array.from({ length: count - 1 }, (_, index) => another(ports, first, `${FIRST}-${index + 2}`)),
  );
  const others = all.map(({ name }) => name).filter((name) => !name.startsWith(`${FIRST}-`));
  afterwards(() => keepOnly(layout, others));
  await keepOnly(layout, [...others, ...more.map(({ name }) => name)]);
  await addProcesses(layout, more);
  await awaitReady(layout, [first, ...more]);
  return [FIRST, ...more.map(({ name }) => name)];
}

/** The same program with the same settings on ports of its own. */
async function another(ports: Ports, first: ProcessSpec, name: string): Promise<ProcessSpec> {
  const [health, metrics] = [await ports.of(name), await ports.of(`${name}-metrics`)];
  const address = `127.0.0.1:${health}`;
  return {
    ...first,
    name,
    env: { ...first.env, HEALTH_ADDRESS: address, METRICS_ADDRESS: `127.0.0.1:${metrics}` },
    ready: { http: `http://${address}/healthz` },
    ports: [health, metrics],
  };
}
