// Every process of a hub is killed once while people make Capps: none that was taken is lost, and each has
// the workflow that it had.
import { Client, type Connection } from '@temporalio/client';
import { CAPP, type Capp } from '../../../crds/capp/capp.ts';
import { NAMESPACE } from '../../../crds/kubernetes/core.ts';
import { stackProcesses, SUPERVISOR } from '../../../deploy/local/supervise/stack-processes.ts';
import { isAlreadyExists } from '../../../kube/failure.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { cappWorkflowId } from '../../../workflows/names.ts';
import { portOf, temporalOf } from '../../support/servers/hub-command/hub-doors.ts';
import { startHub, type HubStarted } from '../../support/servers/hub-command/started-hub.ts';

const LONG = { withinMs: 120_000, everyMs: 250 };
/** Capps that are made while one process dies. */
const BURST = 8;
const TEAM = 'team';
const SPEC: Capp['spec'] = {
  state: 'enabled',
  scaleMetric: 'concurrency',
  configurationSpec: {
    template: { spec: { containers: [{ name: 'shop', image: 'registry.example/shop:1' }] } },
  },
};

let hub: HubStarted;

beforeAll(async () => {
  hub = await startHub();
  await hub.kube.create(NAMESPACE, { metadata: { name: TEAM } });
}, 600_000);
afterAll(async () => {
  await hub?.kube.close();
  await hub?.remove();
}, 120_000);

const cappsNow = async (): Promise<readonly Capp[]> =>
  (await hub.kube.list<Capp>(CAPP, { namespace: TEAM })).items;

/** As a person does: until it is taken. A try whose answer was lost may have been taken, too. */
async function make(name: string): Promise<string> {
  await eventually(async () => {
    try {
      await hub.kube.create(CAPP, { metadata: { namespace: TEAM, name }, spec: SPEC });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    return true;
  }, LONG);
  return name;
}

/** Those whose workflows have looked at what is there now. */
async function allSeen(): Promise<readonly Capp[]> {
  return eventually(async () => {
    const all = await cappsNow();
    const isSeen = ({ metadata, status }: Capp): boolean =>
      status?.conditions?.some(
        ({ type, observedGeneration }) => type === 'Placed' && observedGeneration === metadata.generation,
      ) === true;
    const late = all.filter((one) => !isSeen(one));
    if (late.length > 0)
      throw new Error(`Not looked at: ${late.map(({ metadata }) => metadata.name).join(', ')}`);
    return all;
  }, LONG);
}

/** The runs of their workflows that are alive, by the name of the Capp. Throws when one has none. */
async function runsOf(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const connection: Connection = await temporalOf(portOf(hub, 'temporal'), hub, hub);
  try {
    const { workflow } = new Client({ connection });
    const runs = await Promise.all(
      names.map(async (name) => {
        const { status, runId } = await workflow.getHandle(cappWorkflowId(TEAM, name)).describe();
        if (status.name !== 'RUNNING') throw new Error(`The workflow of ${name} is ${status.name}.`);
        return [name, runId] as const;
      }),
    );
    return new Map(runs);
  } finally {
    await connection.close();
  }
}

test('whatever is killed while Capps are made, none is lost, and each has its workflow and is looked at again', async () => {
  const before = await Promise.all(Array.from({ length: BURST }, (_, index) => make(`before-${index}`)));
  await allSeen();
  const runs = await runsOf(before);
  const processes = (await stackProcesses(hub.dir)).filter(({ name }) => name !== SUPERVISOR);
  const names = processes.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['etcd', 'hub-api-server', 'temporal']));
  expect(names.length).toBeGreaterThan(10);
  const made = [...before];
  for (const { name, pid } of processes) {
    const burst = Array.from({ length: BURST }, (_, index) => make(`while-${name}-dies-${index}`));
    // Some of them are taken by then, and others are not.
    await Promise.race(burst);
    process.kill(pid, 'SIGKILL');
    made.push(...(await Promise.all(burst)));
    await eventually(async () => {
      const again = (await stackProcesses(hub.dir)).find((one) => one.name === name);
      return again !== undefined && again.pid !== pid ? true : undefined;
    }, LONG);
  }
  const all = (await allSeen()).map(({ metadata }) => metadata.name);
  expect(all.toSorted()).toEqual(made.toSorted());
  // Temporal has come back with what it had: a workflow that was begun again has another run.
  expect(await eventually(() => runsOf(before), LONG)).toEqual(runs);
  expect((await eventually(() => runsOf(made), LONG)).size).toBe(made.length);
  for (const name of made)
    await eventually(
      () => hub.kube.patch<Capp>(CAPP, { namespace: TEAM, name }, { spec: { scaleMetric: 'rps' } }),
      LONG,
    );
  const edited = await allSeen();
  expect(edited.every(({ metadata }) => (metadata.generation ?? 0) > 1)).toBe(true);
}, 400_000);
