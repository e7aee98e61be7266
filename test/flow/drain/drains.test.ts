// Leaving a cluster in bulk on a real Temporal: never more under way than the lanes hold, and everybody hears
// an answer.
import type { DrainProgress } from '../../../workflows/drain/decide/progress.ts';
import type { DrainStart, Lanes } from '../../../workflows/drain/state.ts';
import { configureNow, drainChanged, pause, resume, stopNow } from '../../../workflows/messages.ts';
import { HUB_QUEUE, TURNS_WORKFLOW, turnsWorkflowId } from '../../../workflows/names.ts';
import { aResident } from '../../support/builders/drain/drains.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { openDrainTestbed, drainBundle, type DrainTestbed } from '../../support/testbeds/drain/drain.ts';
import { drainObjects, type DrainObjects } from '../../support/testbeds/drain/drain-objects.ts';
import { record } from '../../support/flow/flow.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';

quietLogs();

const PATIENCE_MS = 300_000;
let workflowBundle: { readonly code: string };
let objects: DrainObjects;
let drainTestbed: DrainTestbed;

beforeAll(async () => {
  workflowBundle = await drainBundle();
}, 300_000);

beforeEach(async () => {
  objects = drainObjects();
  drainTestbed = await openDrainTestbed({
    objects: objects.activities,
    address: process.env['FLOW_TEMPORAL_ADDRESS'] ?? '',
    namespace: 'drains',
    workflowBundle,
  });
});

afterEach(() => drainTestbed.close());

const names = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(3, '0')}`);
const handleOf = (cluster: string) => drainTestbed.client.workflow.getHandle(turnsWorkflowId(cluster));

/** Lanes for Capps that ask. */
async function begin(start: DrainStart): Promise<void> {
  await drainTestbed.client.workflow.start(TURNS_WORKFLOW, {
    workflowId: turnsWorkflowId(start.cluster),
    taskQueue: HUB_QUEUE,
    args: [start],
  });
}

/** As a person empties a cluster, and the bridge rings. */
async function order(cluster: string, lanes: Partial<Lanes> = {}): Promise<void> {
  objects.create(cluster, lanes);
  await drainTestbed.client.workflow.signalWithStart(TURNS_WORKFLOW, {
    workflowId: turnsWorkflowId(cluster),
    taskQueue: HUB_QUEUE,
    args: [{ cluster }],
    signal: drainChanged,
  });
}

test(
  'more than a hundred that ask at once go in lanes, and all of them go',
  async () => {
    const capps = names(120, 'many');
    await begin({ cluster: 'lanes', width: 20, perTarget: 15, ratePerSecond: 100 });
    await drainTestbed.settle('lanes', capps);
    drainTestbed.takes(null);
    for (let start = 0; start < capps.length; start += 25) {
      const some = capps.slice(start, start + 25);
      await Promise.all(
        some.map((name, index) => drainTestbed.requestTurn('lanes', name, { to: `site-${2 + (index % 2)}` })),
      );
      if (start > 0) continue;
      await eventually(() => (drainTestbed.underWay().length === 20 ? true : undefined));
      drainTestbed.takes(20);
      drainTestbed.arrive();
    }
    const { stayed } = await drainTestbed.until('lanes', ({ moved }) => moved === 120, 2 * PATIENCE_MS);
    expect(stayed).toEqual({});
    expect(drainTestbed.most()).toBe(20);
    expect(drainTestbed.heard.filter(({ what }) => what === 'Go')).toHaveLength(120);
  },
  3 * PATIENCE_MS,
);

test(
  'no more than its share goes to one target, and others pass',
  async () => {
    const capps = names(9, 'share');
    await begin({ cluster: 'targets', perTarget: 3 });
    await drainTestbed.settle('targets', capps);
    drainTestbed.takes(null);
    for (const name of capps)
      await drainTestbed.requestTurn('targets', name, { to: name < 'share-006' ? 'site-2' : 'site-3' });
    await drainTestbed.until('targets', ({ targets }) => targets['site-2'] === 3 && targets['site-3'] === 3);
    await eventually(() => (drainTestbed.underWay().length === 6 ? true : undefined));
    expect(drainTestbed.underWay().filter((name) => name < 'share-006')).toHaveLength(3);
    drainTestbed.takes(0);
    drainTestbed.arrive();
    await drainTestbed.until('targets', ({ moved }) => moved === 9);
    await record('a-drain-with-shares', await handleOf('targets').fetchHistory());
  },
  PATIENCE_MS,
);

test(
  'a pause holds whoever asks, and what is under way goes on; after it the urgent go first',
  async () => {
    const capps = names(6, 'pause');
    await begin({ cluster: 'pause', width: 1 });
    await drainTestbed.settle('pause', capps);
    drainTestbed.takes(null);
    await drainTestbed.requestTurn('pause', 'pause-000');
    await eventually(() => (drainTestbed.underWay().length === 1 ? true : undefined));
    await handleOf('pause').signal(pause);
    for (const name of capps.slice(1))
      await drainTestbed.requestTurn('pause', name, { priority: name === 'pause-004' ? 10 : 0 });
    await eventually(() =>
      drainTestbed.heard.filter(({ what }) => what === 'Wait').length === 5 ? true : undefined,
    );
    drainTestbed.arrive();
    await drainTestbed.until(
      'pause',
      ({ moved, phase, waiting }) => moved === 1 && phase === 'Paused' && waiting === 5,
    );
    drainTestbed.takes(0);
    await handleOf('pause').signal(resume);
    await drainTestbed.until('pause', ({ moved }) => moved === 6);
    const went = drainTestbed.heard.filter(({ what }) => what === 'Go').map(({ name }) => name);
    expect(went).toEqual(['pause-000', 'pause-004', 'pause-001', 'pause-002', 'pause-003', 'pause-005']);
    await record('a-paused-drain', await handleOf('pause').fetchHistory());
  },
  PATIENCE_MS,
);

test(
  'a stop ends it at once: those that wait are told so, those under way arrive, and what was done is the answer',
  async () => {
    const capps = names(8, 'stop');
    await begin({ cluster: 'stop', width: 2 });
    await drainTestbed.settle('stop', capps);
    drainTestbed.takes(null);
    for (const name of capps) await drainTestbed.requestTurn('stop', name);
    await drainTestbed.until('stop', ({ waiting }) => waiting === 6);
    await eventually(() => (drainTestbed.underWay().length === 2 ? true : undefined));
    const answer: DrainProgress = await handleOf('stop').executeUpdate(stopNow);
    expect(answer).toMatchObject({ phase: 'Stopped', waiting: 6, targets: { 'site-2': 2 }, moved: 0 });
    expect(await handleOf('stop').result()).toMatchObject({
      phase: 'Stopped',
      waiting: 6,
      targets: { 'site-2': 2 },
    });
    await eventually(() =>
      drainTestbed.heard.filter(({ what }) => what === 'Wait').length === 6 ? true : undefined,
    );
    expect(drainTestbed.heard.filter(({ what }) => what === 'Go')).toHaveLength(2);
    drainTestbed.arrive();
    await record('a-stopped-drain', await handleOf('stop').fetchHistory());
  },
  PATIENCE_MS,
);

test(
  'a person drains everything: page by page all are told to leave, and it ends by saying who stayed and why',
  async () => {
    const capps = names(45, 'all');
    drainTestbed.residents = [
      ...capps.map((name) => aResident(name)),
      aResident('all-frozen', { why: 'Paused' }),
      aResident('all-gone'),
    ];
    await drainTestbed.settle('all', capps);
    drainTestbed.takes(null);
    await order('all', { width: 30, perTarget: 30, ratePerSecond: 30 });
    await eventually(() => (drainTestbed.underWay().length === 30 ? true : undefined));
    expect(drainTestbed.heard.every(({ what }) => what === 'leave')).toBe(true);
    drainTestbed.takes(0);
    drainTestbed.arrive('Stayed', 'Pinned');
    await drainTestbed.until('all', ({ stayed }) => stayed['Gone'] === 1);
    drainTestbed.residents = drainTestbed.residents.filter(({ name }) => name !== 'all-gone');
    const result = (await handleOf('all').result()) as DrainProgress;
    expect(objects.statusOf('all')).toMatchObject({ phase: 'Done', moved: 15, stayed: 31 });
    expect(result).toMatchObject({
      phase: 'Done',
      moved: 15,
      stayed: { Pinned: 30, Paused: 1 },
      waiting: 0,
      targets: {},
    });
    expect(result.named).toContainEqual({ capp: 'apps/all-frozen', why: 'Paused' });
    expect(drainTestbed.most()).toBe(30);
    await record('a-drain-of-everything', await handleOf('all').fetchHistory());
  },
  PATIENCE_MS,
);

test(
  'a drain that Capps began becomes a person’s, and two drains do not mind each other',
  async () => {
    drainTestbed.residents = names(3, 'both').map((name) => aResident(name));
    await drainTestbed.settle('both', names(3, 'both'));
    await drainTestbed.settle('other', names(3, 'other'));
    drainTestbed.takes(null);
    await drainTestbed.requestTurn('both', 'both-001');
    await drainTestbed.requestTurn('other', 'other-000');
    await eventually(() => (drainTestbed.underWay().length === 2 ? true : undefined));
    await order('both');
    await eventually(() => (drainTestbed.underWay().length === 4 ? true : undefined));
    expect(drainTestbed.heard.filter(({ name }) => name === 'both-001')).toEqual([
      { name: 'both-001', what: 'Go' },
    ]);
    expect(await drainTestbed.view('other')).toMatchObject({ everything: false, targets: { 'site-2': 1 } });
    drainTestbed.arrive();
    expect(await handleOf('both').result()).toMatchObject({ moved: 3, everything: true });
  },
  PATIENCE_MS,
);

test(
  'what cannot be is refused with the remedy, and what can is in force at once',
  async () => {
    await drainTestbed.settle('lanes-wrong', names(4, 'wrong'));
    await begin({ cluster: 'lanes-wrong', width: 1 });
    drainTestbed.takes(null);
    for (const name of names(4, 'wrong')) await drainTestbed.requestTurn('lanes-wrong', name);
    await drainTestbed.until('lanes-wrong', ({ waiting }) => waiting === 3);
    const update = (lanes: object) => handleOf('lanes-wrong').executeUpdate(configureNow, { args: [lanes] });
    await expect(update({ width: 0 })).rejects.toMatchObject({
      cause: { message: expect.stringContaining('"width" must be a whole number') },
    });
    expect(await update({ width: 3 })).toMatchObject({ width: 3, perTarget: 25 });
    await eventually(() => (drainTestbed.underWay().length === 3 ? true : undefined));
    await begin({ cluster: '' });
    await expect(handleOf('').result()).rejects.toMatchObject({
      cause: { message: expect.stringContaining('"cluster" must be the name of a site') },
    });
  },
  PATIENCE_MS,
);
