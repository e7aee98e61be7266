// A Drain object that its drain has not heard of is found all the same, through the bridge and a real
// Temporal: when nobody rang, when a hub worker has died, and after Temporal has lost its data.
import type { WorkflowKeeper } from '../../../bridge/kept/keep.ts';
import { turnsWorkflowId } from '../../../workflows/names.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';
import { drainBundle } from '../../support/testbeds/drain/drain.ts';
import { openKeptDrains, type KeptDrains } from '../../support/testbeds/drain/kept-drains.ts';

quietLogs();

const PATIENCE_MS = 300_000;
let workflowBundle: { readonly code: string };
let bed: KeptDrains;
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

function uses(opened: KeptDrains): void {
  bed = opened;
  ({ objects, temporal, settle, underWay, phase, isRunning, left, errors } = bed);
  bridge = bed.beginBridge();
}

beforeEach(async () => uses(await openKeptDrains('drain-objects-found', workflowBundle)));

afterEach(async () => {
  await bridge.stop();
  await temporal.close();
  expect(errors).toEqual([]);
});

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
    bridge = bed.beginBridge();
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
    const again = await openKeptDrains('drain-objects-again', workflowBundle, bed);
    again.temporal.residents = stay;
    await again.temporal.settle(
      'lost',
      stay.map(({ name }) => name),
    );
    again.temporal.takes(0);
    uses(again);
    await bridge.compare();
    await phase('lost', 'Done');
    expect(objects.statusOf('lost').stayed).toBe(0);
    expect(await isRunning('over')).toBe(false);
    await expect(temporal.client.workflow.getHandle(turnsWorkflowId('over')).describe()).rejects.toThrow();
  },
  PATIENCE_MS,
);
