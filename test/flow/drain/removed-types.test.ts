// What is left of drains that were ordered through Temporal: a command of an old page fails at once, with the
// line that creates the Drain, and orders that run when the hub is upgraded end and write nothing.
import { WorkflowFailedError } from '@temporalio/client';
import { Worker, bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { keepDrains } from '../../../bridge/sites/drains.ts';
import { toolPath } from '../../../deploy/local/programs/tools.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { HUB_QUEUE, turnsWorkflowId } from '../../../workflows/names.ts';
import { aResident } from '../../support/builders/drain/drains.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';
import { drainBundle, openDrainTestbed, type DrainTestbed } from '../../support/testbeds/drain/drain.ts';
import { drainObjects, type DrainObjects } from '../../support/testbeds/drain/drain-objects.ts';

quietLogs();

const PATIENCE_MS = 300_000;
const NAMESPACE = 'orders';
const ADDRESS = process.env['FLOW_TEMPORAL_ADDRESS'] ?? '';
const MAKES_A_DRAIN =
  /echo '(\{"apiVersion":"rcs\.dana\.io\/v1alpha1","kind":"Drain",[^']*\})' \| kubectl create -f -/;

let workflowBundle: { readonly code: string };
let objects: DrainObjects;
let testbed: DrainTestbed;

beforeAll(async () => {
  workflowBundle = await drainBundle();
}, 300_000);

async function open(): Promise<void> {
  objects = drainObjects();
  testbed = await openDrainTestbed({
    address: ADDRESS,
    namespace: NAMESPACE,
    workflowBundle,
    objects: objects.activities,
  });
}

afterEach(() => testbed.close());

/** As a person types it; gives what it says, and whether it succeeds. */
async function types(command: string): Promise<{ readonly isDone: boolean; readonly said: string }> {
  const binary = process.env['TEMPORAL_BIN'] ?? toolPath('temporal');
  const env = {
    ...process.env,
    PATH: `${dirname(binary)}:${process.env['PATH']}`,
    TEMPORAL_ADDRESS: ADDRESS,
    TEMPORAL_NAMESPACE: NAMESPACE,
  };
  return promisify(execFile)('sh', ['-c', command], { env }).then(
    ({ stdout, stderr }) => ({ isDone: true, said: stdout + stderr }),
    ({ stdout = '', stderr = '' }: { stdout?: string; stderr?: string }) => ({
      isDone: false,
      said: stdout + stderr,
    }),
  );
}

describe('a command of an earlier page', () => {
  beforeEach(open);

  test.each<[string, string, object]>([
    [
      'that ordered a drain',
      `temporal workflow execute --type drain -w drain/site-1 --task-queue hub --priority-key 1 --input '{"cluster":"site-1"}'`,
      {},
    ],
    [
      'that ordered a drain, before there were priorities',
      `temporal workflow start --type drain -w drain/site-2 --task-queue hub --input '{"cluster":"site-2"}' && temporal workflow result -w drain/site-2`,
      {},
    ],
    [
      'that ordered a drain with lanes',
      `temporal workflow execute --type drain -w drain/site-3 --task-queue hub --input '{"cluster":"site-3","width":5}'`,
      {},
    ],
    [
      'that asked for a plan',
      `temporal workflow execute --type plan -w plan/site-1/today --task-queue hub --input '{"cluster":"site-1"}'`,
      { dryRun: true },
    ],
  ])(
    'fails at once with the line that creates the Drain: one %s',
    async (_what, command, spec) => {
      const { isDone, said } = await types(command);
      expect(isDone).toBe(false);
      const [, json = ''] = MAKES_A_DRAIN.exec(said.replaceAll(String.raw`\"`, '"')) ?? [];
      expect(JSON.parse(json)).toMatchObject({
        kind: 'Drain',
        metadata: { name: /site-\d/.exec(command)?.[0] },
        spec,
      });
      expect(testbed.heard).toEqual([]);
    },
    PATIENCE_MS,
  );

  test(
    'that told the order something finds no workflow, and one that told the drain to empty its site is not heard',
    async () => {
      expect(await types('temporal workflow signal -w drain/site-4 --name pause')).toMatchObject({
        isDone: false,
      });
      testbed.residents = [aResident('hand-00')];
      await testbed.settle('hand', ['hand-00', 'hand-01']);
      testbed.takes(null);
      await testbed.requestTurn('hand', 'hand-01');
      await eventually(() => (testbed.underWay().length === 1 ? true : undefined));
      await types(`temporal workflow signal -w turns/hand --name evacuate --input '{}'`);
      await testbed.until('hand', ({ unreadable }) => unreadable === 1);
      expect(await testbed.view('hand')).toMatchObject({ everything: false });
      expect(testbed.heard.filter(({ what }) => what === 'leave')).toEqual([]);
    },
    PATIENCE_MS,
  );
});

/** The hub worker of an earlier version, with an order and a plan that wait. */
async function earlierVersion(site: string): Promise<void> {
  const temporal = await TestWorkflowEnvironment.createFromExistingServer({
    address: ADDRESS,
    namespace: NAMESPACE,
  });
  const { client } = temporal;
  const workflowsPath = fileURLToPath(
    new URL('../../support/testbeds/drain/earlier-order.ts', import.meta.url),
  );
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: NAMESPACE,
    taskQueue: HUB_QUEUE,
    workflowBundle: await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') }),
    activities: { readDrain: async () => ({ drain: null }) },
  });
  const running = worker.run();
  for (const [type, workflowId] of [
    ['drain', `drain/${site}`],
    ['plan', `plan/${site}/today`],
  ] as const) {
    await client.workflow.start(type, { workflowId, taskQueue: HUB_QUEUE, args: [{ cluster: site }] });
    await eventually(async () => {
      const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
      return events?.some(({ timerStartedEventAttributes: timer }) => timer) === true ? true : undefined;
    });
  }
  worker.shutdown();
  await running;
  await temporal.teardown();
}

test(
  'orders and plans that run when the hub is upgraded fail and do nothing, and the Drain is carried out by the drain',
  async () => {
    await earlierVersion('upgraded');
    await open();
    const capps = ['upgraded-00', 'upgraded-01', 'upgraded-02'];
    testbed.residents = capps.map((name) => aResident(name));
    await testbed.settle('upgraded', capps);
    testbed.takes(0);
    objects.create('upgraded', { width: 1 });
    const bridge = keepDrains(testbed.client, objects.watched, () => undefined);
    await bridge.compare();
    for (const id of ['drain/upgraded', 'plan/upgraded/today']) {
      const handle = testbed.client.workflow.getHandle(id);
      await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
      const { events } = await handle.fetchHistory();
      const calls = events?.filter(({ activityTaskScheduledEventAttributes: call }) => call) ?? [];
      expect(calls).toHaveLength(1);
    }
    await eventually(() => (objects.statusOf('upgraded').phase === 'Done' ? true : undefined));
    await bridge.stop();
    expect(objects.statusOf('upgraded')).toMatchObject({ moved: 3, stayed: 0 });
    expect(testbed.heard.map(({ name }) => name).toSorted()).toEqual(capps);
    expect((await testbed.client.workflow.getHandle(turnsWorkflowId('upgraded')).describe()).type).toBe(
      'turns',
    );
  },
  PATIENCE_MS,
);
