// A site is emptied by a Drain object, through the bridge and a real Temporal: begun, paused, widened,
// planned, taken back, and found again after Temporal has lost its data.
import { keepDrainOrders, type DrainOrders } from '../../../bridge/sites/drains.ts';
import { isSettledDrain } from '../../../crds/drain/status.ts';
import { drainWorkflowId, HUB_QUEUE, DRAIN_WORKFLOW } from '../../../workflows/names.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aResident } from '../../support/builders/drain/drains.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';
import { openDrainTestbed, drainBundle, type DrainTestbed } from '../../support/testbeds/drain/drain.ts';
import { drainObjects, type DrainObjects } from '../../support/testbeds/drain/drain-objects.ts';

quietLogs();

const PATIENCE_MS = 300_000;
let workflowBundle: { readonly code: string };
let objects: DrainObjects;
let temporal: DrainTestbed;
let bridge: DrainOrders;
const errors: unknown[] = [];

beforeAll(async () => {
  workflowBundle = await drainBundle();
}, 300_000);

async function open(namespace: 'drain-objects' | 'drain-objects-again'): Promise<DrainTestbed> {
  const address = process.env['FLOW_TEMPORAL_ADDRESS'] ?? '';
  return openDrainTestbed({ address, namespace, workflowBundle, objects: objects.activities });
}

const bridgeTo = ({ client }: DrainTestbed): DrainOrders =>
  keepDrainOrders(client, objects.watched, (_cluster, error) => void errors.push(error));

beforeEach(async () => {
  objects = drainObjects();
  temporal = await open('drain-objects');
  bridge = bridgeTo(temporal);
});

afterEach(async () => {
  await bridge.stop();
  await temporal.close();
  expect(errors).toEqual([]);
});

const names = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(2, '0')}`);

async function settle(site: string, count: number): Promise<string[]> {
  const capps = names(count, site);
  temporal.residents = capps.map((name) => aResident(name));
  await temporal.settle(site, capps);
  temporal.takes(null);
  return capps;
}

const underWay = (count: number) =>
  eventually(() => (temporal.underWay().length === count ? true : undefined));
const phase = (site: string, wanted: string) =>
  eventually(() => {
    if (objects.statusOf(site).phase === wanted) return true;
    throw new Error(`the status is ${JSON.stringify(objects.statusOf(site))}`);
  });
const isRunning = async (site: string): Promise<boolean> =>
  temporal.client.workflow
    .getHandle(drainWorkflowId(site))
    .describe()
    .then(
      ({ status }) => status.name === 'RUNNING',
      () => false,
    );

test(
  'a Drain that is created empties its site, and its status says how far it is until none is left',
  async () => {
    await settle('emptied', 6);
    objects.create('emptied', { width: 4 });
    await underWay(4);
    await eventually(() => {
      expect(objects.statusOf('emptied')).toMatchObject({
        phase: 'Draining',
        observedGeneration: 1,
        underWay: 4,
        waiting: 2,
        moved: 0,
      });
      return true;
    });
    temporal.takes(0);
    temporal.arrive();
    await phase('emptied', 'Done');
    expect(objects.statusOf('emptied')).toMatchObject({ moved: 6, waiting: 0, underWay: 0, stayed: 0 });
    expect(objects.events).toEqual(['DrainStarted', 'SiteEmpty']);
    await eventually(async () => ((await isRunning('emptied')) ? undefined : true));
    const gaps = objects.writes.slice(1).map((at, index) => at - (objects.writes[index] ?? 0));
    expect(gaps.filter((gap) => gap < 2_000)).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'a Drain that is created paused lets nobody go, and goes on when it says so, in lanes that it may widen',
  async () => {
    await settle('paused', 5);
    objects.create('paused', { paused: true, width: 1, perTarget: 1 });
    await phase('paused', 'Paused');
    await temporal.until('paused', ({ phase: said, everything }) => said === 'Paused' && everything);
    expect(temporal.underWay()).toEqual([]);
    objects.edit('paused', { paused: false });
    await underWay(1);
    await phase('paused', 'Draining');
    objects.edit('paused', { width: 3, perTarget: 3 });
    await underWay(3);
    objects.edit('paused', { paused: true });
    await temporal.until('paused', ({ phase: said }) => said === 'Paused');
    temporal.arrive();
    await temporal.until('paused', ({ moved }) => moved === 3);
    expect(temporal.underWay()).toEqual([]);
    expect(temporal.most()).toBe(3);
    objects.remove('paused');
    await eventually(async () => ((await isRunning('paused')) ? undefined : true));
  },
  PATIENCE_MS,
);

test(
  'a Drain that is deleted stops: who is under way arrives, all others stay where they are',
  async () => {
    await settle('deleted', 5);
    objects.create('deleted', { width: 2 });
    await underWay(2);
    objects.remove('deleted');
    await eventually(async () => ((await isRunning('deleted')) ? undefined : true));
    temporal.arrive();
    expect(temporal.heard.filter(({ what }) => what === 'leave')).toHaveLength(2);
    expect(temporal.residents).toHaveLength(3);
  },
  PATIENCE_MS,
);

test(
  'a dry run moves nobody and says what would stay; without it the same Drain empties the site',
  async () => {
    await settle('planned', 2);
    objects.create('planned', { dryRun: true });
    await phase('planned', 'Planned');
    await eventually(async () => ((await isRunning('planned')) ? undefined : true));
    expect(temporal.heard).toEqual([]);
    await bridge.compare();
    expect(await isRunning('planned')).toBe(false);
    temporal.takes(0);
    objects.edit('planned', { dryRun: false });
    await phase('planned', 'Done');
    expect(objects.statusOf('planned')).toMatchObject({ moved: 2, observedGeneration: 2 });
  },
  PATIENCE_MS,
);

test(
  'after Temporal has lost its data a Drain under way goes on, and one that is done is not begun again',
  async () => {
    objects.create('over');
    await phase('over', 'Done');
    await settle('lost', 4);
    objects.create('lost', { width: 2 });
    await underWay(2);
    temporal.arrive();
    await eventually(() => ((objects.statusOf('lost').moved ?? 0) >= 2 ? true : undefined));
    const left = temporal.residents;
    await bridge.stop();
    await temporal.close();
    temporal = await open('drain-objects-again');
    temporal.residents = left;
    await temporal.settle(
      'lost',
      left.map(({ name }) => name),
    );
    temporal.takes(0);
    bridge = bridgeTo(temporal);
    await bridge.compare();
    await phase('lost', 'Done');
    expect(objects.statusOf('lost').stayed).toBe(0);
    expect(await isRunning('over')).toBe(false);
    await expect(temporal.client.workflow.getHandle(drainWorkflowId('over')).describe()).rejects.toThrow();
  },
  PATIENCE_MS,
);

test(
  'an order that a person gave to Temporal is taken over by a Drain, and goes on when no Drain is there',
  async () => {
    await settle('by-hand', 3);
    await temporal.client.workflow.start(DRAIN_WORKFLOW, {
      workflowId: drainWorkflowId('by-hand'),
      taskQueue: HUB_QUEUE,
      args: [{ cluster: 'by-hand', width: 1 }],
    });
    await underWay(1);
    await bridge.compare();
    await temporal.until('by-hand', ({ phase: said }) => said === 'Draining');
    objects.create('by-hand', { width: 3 });
    await underWay(3);
    temporal.takes(0);
    temporal.arrive();
    await phase('by-hand', 'Done');
    expect(objects.statusOf('by-hand').moved).toBe(3);
    expect(
      isSettledDrain(objects.watched.drains.get({ namespace: null, name: 'by-hand' }) ?? { metadata: {} }),
    ).toBe(true);
  },
  PATIENCE_MS,
);
