// A site is emptied by a Drain object, through the bridge and a real Temporal: begun, paused, widened,
// planned, taken back, and found again after Temporal has lost its data.
import type { Keeper } from '../../../bridge/kept/keep.ts';
import { keepDrains } from '../../../bridge/sites/drains.ts';
import { turnsWorkflowId } from '../../../workflows/names.ts';
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
let bridge: Keeper;
const errors: unknown[] = [];

beforeAll(async () => {
  workflowBundle = await drainBundle();
}, 300_000);

async function open(namespace: 'drain-objects' | 'drain-objects-again'): Promise<DrainTestbed> {
  const address = process.env['FLOW_TEMPORAL_ADDRESS'] ?? '';
  return openDrainTestbed({ address, namespace, workflowBundle, objects: objects.activities });
}

const bridgeTo = ({ client }: DrainTestbed): Keeper =>
  keepDrains(client, objects.watched, (_cluster, error) => void errors.push(error));

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
    .getHandle(turnsWorkflowId(site))
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
    // Nobody waits any more, so it may have ended already.
    await temporal.until('paused', ({ everything, phase: said }) => !everything && said !== 'Paused');
  },
  PATIENCE_MS,
);

const left = (): number => temporal.heard.filter(({ what }) => what === 'leave').length;

test(
  'a Drain that is deleted stops: who is under way arrives, all others stay where they are',
  async () => {
    await settle('deleted', 5);
    objects.create('deleted', { width: 2 });
    await underWay(2);
    objects.remove('deleted');
    await temporal.until('deleted', ({ everything }) => !everything);
    temporal.arrive();
    await temporal.until('deleted', ({ going, moved }) => moved === 2 && Object.keys(going).length === 0);
    expect(left()).toBe(2);
    expect(temporal.residents).toHaveLength(3);
    expect(await temporal.view('deleted')).toMatchObject({ everything: false, waiting: 0 });
  },
  PATIENCE_MS,
);

test(
  'a Drain that is deleted and created again in the middle is a new order: nobody is told twice at once, and its lanes hold',
  async () => {
    await settle('again', 6);
    objects.create('again', { width: 2 });
    await underWay(2);
    objects.remove('again');
    objects.create('again', { width: 3 });
    await underWay(3);
    await eventually(() => {
      expect(objects.statusOf('again')).toMatchObject({
        phase: 'Draining',
        observedGeneration: 1,
        underWay: 3,
      });
      return true;
    });
    temporal.takes(0);
    temporal.arrive();
    await phase('again', 'Done');
    expect(objects.statusOf('again')).toMatchObject({ moved: 6, stayed: 0 });
    expect(temporal.most()).toBe(3);
    expect(left()).toBe(6);
  },
  PATIENCE_MS,
);

test(
  'two Drains do not mind each other, and of a third that nobody rang for a drain hears before it ends',
  async () => {
    await settle('one', 2);
    const first = temporal.residents;
    await settle('two', 2);
    temporal.residents = [...first, ...temporal.residents];
    objects.create('one', { width: 1 });
    objects.create('two', { width: 1, paused: true });
    await underWay(1);
    await phase('two', 'Paused');
    expect(temporal.underWay()).toEqual(['one-00']);
    objects.remove('two');
    await temporal.until('two', ({ phase: said }) => said !== 'Paused');
    await bridge.stop();
    objects.edit('one', { paused: true });
    temporal.arrive();
    bridge = bridgeTo(temporal);
    await bridge.compare();
    await phase('one', 'Paused');
    expect(objects.statusOf('one').observedGeneration).toBe(2);
  },
  PATIENCE_MS,
);

test(
  'a Drain that stands is carried out although Capps began the drain, and nobody rang',
  async () => {
    const [first = ''] = await settle('unrung', 3);
    await bridge.stop();
    objects.create('unrung', { width: 3 });
    await temporal.requestTurn('unrung', first);
    await underWay(3);
    temporal.takes(0);
    temporal.arrive();
    await phase('unrung', 'Done');
    expect(objects.statusOf('unrung').moved).toBe(3);
    expect(temporal.heard.filter(({ name }) => name === first)).toHaveLength(1);
  },
  PATIENCE_MS,
);

test(
  'a Capp that comes to the site while it is emptied is told to leave before the drain is done, and who stays is named',
  async () => {
    await temporal.settle('late', ['late-comer']);
    await settle('late', 2);
    objects.create('late');
    await underWay(2);
    temporal.residents = [
      ...temporal.residents,
      aResident('late-comer'),
      aResident('frozen', { why: 'Paused' }),
    ];
    temporal.takes(0);
    temporal.arrive();
    await phase('late', 'Done');
    expect(objects.statusOf('late')).toMatchObject({
      moved: 3,
      stays: [{ capp: 'apps/frozen', reason: 'Paused' }],
    });
    expect(objects.events).toEqual(['DrainStarted', 'CappsStay']);
  },
  PATIENCE_MS,
);

test(
  'a hub worker that dies in the middle of a drain moves nobody twice, and loses nobody',
  async () => {
    await settle('killed', 5);
    objects.create('killed', { width: 2 });
    await underWay(2);
    await temporal.crash();
    objects.edit('killed', { width: 4 });
    await underWay(4);
    temporal.takes(0);
    temporal.arrive();
    await phase('killed', 'Done');
    expect(objects.statusOf('killed')).toMatchObject({ moved: 5, stayed: 0 });
    expect(left()).toBe(5);
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
    const stay = temporal.residents;
    await bridge.stop();
    await temporal.close();
    temporal = await open('drain-objects-again');
    temporal.residents = stay;
    await temporal.settle(
      'lost',
      stay.map(({ name }) => name),
    );
    temporal.takes(0);
    bridge = bridgeTo(temporal);
    await bridge.compare();
    await phase('lost', 'Done');
    expect(objects.statusOf('lost').stayed).toBe(0);
    expect(await isRunning('over')).toBe(false);
    await expect(temporal.client.workflow.getHandle(turnsWorkflowId('over')).describe()).rejects.toThrow();
  },
  PATIENCE_MS,
);
