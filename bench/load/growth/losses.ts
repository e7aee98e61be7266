// What a fleet survives: all agents fall silent for a while, and Temporal loses its data.
import { rm } from 'node:fs/promises';
import { MANIFEST_WORK } from '../../../crds/ocm/ocm.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { SimulatedAgents } from './agents.ts';
import type { Load } from './load.ts';
import { during, type Storm } from './storms.ts';

/**
 * Until every Capp says that its agent is silent, and until every Capp is Ready again after they are back.
 */
export async function silence(load: Load, agents: SimulatedAgents): Promise<{ silent: Storm; back: Storm }> {
  const names = load.population.names();
  await agents.silence();
  // The bridge notices minutes later.
  await eventually(() => load.population.ready() < names.length || undefined, NOTICED);
  const silent = await during(load, 'silent', {
    concerned: names.length,
    strike: () => load.population.noneReady(names),
  });
  const back = await during(load, 'back', {
    concerned: names.length,
    strike: async () => {
      agents.hear();
      // The newcomers of the silence are Ready, too, now.
      await load.population.allReady(load.population.names());
    },
  });
  return { silent, back };
}

export interface FleetLoss {
  /** From the kill until every Capp has a workflow again that says Ready. */
  readonly seconds: number;
  readonly capps: number;
  /** Works that were written, created or deleted meanwhile. */
  readonly worksChanged: number;
}

const NOTICED = { withinMs: 900_000, everyMs: 1_000 };
const REBUILT = { withinMs: 1_800_000, everyMs: 1_000 };

/** Kills Temporal's dev server and removes its database. */
export async function temporalLost({ testbed, population }: Load): Promise<FleetLoss> {
  const { stack, namespace } = testbed;
  const capps = population.names().length;
  const before = await worksOf(testbed);
  const database = stack.layout.dataOf('temporal.db');
  for (const file of ['', '-wal', '-shm']) await rm(`${database}${file}`, { force: true });
  const begun = performance.now();
  await stack.kill('temporal');
  const query = `WorkflowId STARTS_WITH "capp/${namespace}/" AND ExecutionStatus = "Running" AND CappPhase = "Ready"`;
  await eventually(async () => {
    const { count } = await stack.temporal.workflow.count(query);
    if (count === capps) return true;
    throw new Error(`${count} of ${capps} Capps have a workflow again that says Ready.`);
  }, REBUILT);
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  const after = await worksOf(testbed);
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key) !== after.get(key),
  );
  return { seconds, capps, worksChanged: changed.length };
}

/** Key → the version of the spec and of the metadata. */
async function worksOf({ hub, namespace }: Load['testbed']): Promise<Map<string, string>> {
  const { items } = await hub.list(MANIFEST_WORK);
  return new Map(
    items
      .filter(({ metadata }) => metadata.name.includes(`-${namespace}-`))
      .map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.resourceVersion ?? '']),
  );
}
