// Long lives on a server that calls a history long after 30 events: the state goes on from run to run, and no ring is lost on the way.
import { eventually } from '../support/eventually.ts';
import { record } from '../support/flow.ts';
import { quiet } from '../support/quiet.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { startTemporal, type TemporalForTests } from '../support/temporal.ts';

quiet();

let server: TemporalForTests;
const stages: Stage[] = [];

beforeAll(async () => {
  server = await startTemporal({
    dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '30', 'system.enableActivityEagerExecution': 'false' },
  });
}, 90_000);

afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

afterAll(async () => {
  await server.stop();
});

async function ready(name: string): Promise<Stage> {
  const stage = await openStage({ address: server.address, namespace: 'default', name });
  stages.push(stage);
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.untilReady();
  return stage;
}

test('a life at rest goes on in the next run as it was', async () => {
  const stage = await ready('rest');
  const { runId } = await stage.describe();
  const before = await stage.state();
  let rings = 1;
  await eventually(async () => {
    await stage.ring('spec');
    rings += 1;
    await stage.until(({ seen }) => seen === rings);
    return (await stage.describe()).runId === runId ? undefined : true;
  });
  const after = await stage.state();
  const copies = { 'site-1': { ...before.copies['site-1'], asOf: rings } };
  expect(after).toEqual({ ...before, rung: rings, seen: rings, copies });
  expect(stage.world.works.size).toBe(1);
  await record('a-long-life', await stage.history(runId));
}, 90_000);

test('under fire every edit is shipped, through any number of runs', async () => {
  const stage = await ready('fire');
  const { world } = stage;
  const runs = new Set<string>();
  for (let edit = 2; edit <= 60; edit += 1) {
    world.edit();
    await stage.ring('spec');
    runs.add((await stage.describe()).runId);
  }
  await stage.until(({ copies }) => copies['site-1']?.generation === 60 && copies['site-1'].finding?.verdict === 'Ready', 30_000);
  await eventually(() => world.condition('Ready')?.observedGeneration === 60 || undefined);
  const { seen, rung } = await stage.state();
  expect(seen).toBe(rung);
  expect(runs.size).toBeGreaterThan(1);
  expect(world.works.size).toBe(1);
}, 90_000);
