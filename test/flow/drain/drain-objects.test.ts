// A site is emptied by a Drain object, through the bridge and a real Temporal: begun, paused, widened,
// planned and taken back.
import type { WorkflowKeeper } from '../../../bridge/kept/keep.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { aResident } from '../../support/builders/drain/drains.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';
import { drainBundle } from '../../support/testbeds/drain/drain.ts';
import { openKeptDrains, type KeptDrains } from '../../support/testbeds/drain/kept-drains.ts';

quietLogs();

const PATIENCE_MS = 300_000;
let workflowBundle: { readonly code: string };
let bridge: WorkflowKeeper;
let objects: KeptDrains['objects'];
let temporal: KeptDrains['temporal'];
let settle: KeptDrains['settle'];
let underWay: KeptDrains['underWay'];
let phase: KeptDrains['phase'];
let isRunning: KeptDrains['isRunning'];
let left: KeptDrains['left'];
let errors: KeptDrains['errors'];

beforeAll(async () => {
  workflowBundle = await drainBundle();
}, 300_000);

beforeEach(async () => {
  const bed = await openKeptDrains('drain-objects', workflowBundle);
  ({ objects, temporal, settle, underWay, phase, isRunning, left, errors } = bed);
  bridge = bed.beginBridge();
});

afterEach(async () => {
  await bridge.stop();
  await temporal.close();
  expect(errors).toEqual([]);
});

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

test(
  'a Drain that is deleted stops: who is under way arrives, all others stay where they are',
  async () => {
    await settle('deleted', 5);
    objects.create('deleted', { width: 2 });
    await underWay(2);
    objects.remove('deleted');
    await temporal.until('deleted', ({ everything }) => !everything);
    temporal.arrive();
    await temporal.until('deleted', ({ targets, moved }) => moved === 2 && Object.keys(targets).length === 0);
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
