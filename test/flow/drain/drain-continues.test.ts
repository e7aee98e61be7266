// A drain on a server that calls a history long after 60 events: lanes, order and counts go on from run to
// run, and nobody is forgotten.
import { HUB_QUEUE, TURNS_WORKFLOW, turnsWorkflowId } from '../../../workflows/names.ts';
import { openDrainTestbed, drainBundle, type DrainTestbed } from '../../support/testbeds/drain/drain.ts';
import { record } from '../../support/flow/flow.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';
import { startTemporal, type TemporalForTests } from '../../support/flow/temporal.ts';

quietLogs();

let server: TemporalForTests;
let drainTestbed: DrainTestbed;

beforeAll(async () => {
  server = await startTemporal({ dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '60' } });
  drainTestbed = await openDrainTestbed({
    address: server.address,
    namespace: 'default',
    workflowBundle: await drainBundle(),
  });
}, 300_000);

afterAll(async () => {
  await drainTestbed.close();
  await server.stop();
});

test('turn requests, permits and arrivals pass through any number of runs', async () => {
  const { client } = drainTestbed;
  const names = Array.from({ length: 60 }, (_, index) => `app-${String(index).padStart(2, '0')}`);
  const workflowId = turnsWorkflowId('site-1');
  const args = [{ cluster: 'site-1', width: 5 }];
  const first = await client.workflow.start(TURNS_WORKFLOW, { workflowId, taskQueue: HUB_QUEUE, args });
  await drainTestbed.settle('site-1', names);
  drainTestbed.takes(20);
  await Promise.all(names.map((name) => drainTestbed.requestTurn('site-1', name)));
  const { stayed, waiting, lanes } = await drainTestbed.until('site-1', ({ moved }) => moved === 60, 120_000);
  expect({ stayed, waiting, lanes }).toMatchObject({ stayed: {}, waiting: 0, lanes: { width: 5 } });
  expect(drainTestbed.most()).toBeLessThanOrEqual(5);
  expect(
    drainTestbed.heard
      .filter(({ what }) => what === 'Go')
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(names);
  const { runId } = await client.workflow.getHandle(workflowId).describe();
  expect(runId).not.toBe(first.firstExecutionRunId);
  await record(
    'a-long-drain',
    await client.workflow.getHandle(workflowId, first.firstExecutionRunId).fetchHistory(),
  );
}, 300_000);
