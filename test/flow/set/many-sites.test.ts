// A set on a thousand sites with a real Temporal: its history stays flat, its state small, and a rebuild
// changes nothing.
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { eventually } from '../../../testbed/eventually.ts';
import { ring } from '../../../workflows/messages.ts';
import { FLEET_WORKFLOW, fleetWorkflowId, HUB_QUEUE } from '../../../workflows/names.ts';
import type { Fleets } from '../../../workflows/fleet/port.ts';
import { rungFor } from '../../../workflows/types/ring.ts';
import { CONTAINERS } from '../../support/builders/fleet/sets.ts';
import { workflowBundle } from '../../support/flow/bundle.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';
import { setWorld, type SetWorld } from '../../support/testbeds/fleet/set-world.ts';
import { turningSets } from '../../support/testbeds/fleet/turning.ts';

quietLogs();

const SITES = 1000;
const CANARIES = 10;
const CONCURRENT = 250;
const clusters = Array.from({ length: SITES }, (_, index) => `edge-${String(index).padStart(4, '0')}`);
const PATIENCE = { withinMs: 240_000, everyMs: 250 };
const workflowId = fleetWorkflowId({ kind: 'CappSet', namespace: 'apps', name: 'many' });

let temporal: TestWorkflowEnvironment;
let worker: Worker;
let running: Promise<unknown>;
let world: SetWorld;
let rung = false;
/** Turns that were begun. */
let turns = 0;

beforeAll(async () => {
  const address = process.env['FLOW_TEMPORAL_ADDRESS'] ?? '';
  temporal = await TestWorkflowEnvironment.createFromExistingServer({ address, namespace: 'sets' });
  const canary = { name: 'canary', sites: { count: CANARIES } };
  world = setWorld({
    clusters,
    readyAfterMs: 300,
    spec: { strategy: { stages: [canary], maxConcurrent: CONCURRENT } },
    ring: () => void (rung = true),
  });
  const sets = turningSets(world.options);
  worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: 'sets',
    taskQueue: HUB_QUEUE,
    workflowBundle: await workflowBundle(),
    activities: {
      turnFleet: (...asked) => {
        turns += 1;
        return sets.turnFleet(...asked);
      },
    } satisfies Fleets,
  });
  running = worker.run();
}, 300_000);
afterAll(async () => {
  worker.shutdown();
  await running;
  await temporal.teardown();
});

/** Changes within a second are one ring, as the bridge rings. */
async function ringing(): Promise<void> {
  if (!rung) return;
  rung = false;
  await temporal.client.workflow.signalWithStart(FLEET_WORKFLOW, {
    workflowId,
    taskQueue: HUB_QUEUE,
    args: [],
    signal: ring,
    signalArgs: [rungFor('spec')],
  });
}

async function untilReady(revision: (now: string | undefined) => boolean): Promise<void> {
  const timer = setInterval(() => void ringing().catch(() => undefined), 1000);
  try {
    await eventually(async () => {
      const { readySites, revision: now, conditions } = world.set.status ?? {};
      const isReady = conditions?.some(({ type, status }) => type === 'Ready' && status === 'True');
      if (isReady === true && readySites === `${SITES}/${SITES}` && revision(now)) return true;
      throw new Error(`the set says ${readySites}, ${JSON.stringify(conditions)}`);
    }, PATIENCE);
  } finally {
    clearInterval(timer);
  }
}

/**
 * A turn is a task, an activity with its result, and a ring or a timer that leads to the next, with some that
 * are stopped or repeated: so many events at most, whatever the number of sites.
 */
const EVENTS_OF_A_TURN = 16;

const historyLength = async (): Promise<number> =>
  (await temporal.client.workflow.getHandle(workflowId).describe()).historyLength;

/** What was rung for before has been looked at: nothing is written and nothing happens any more. */
async function atRest(): Promise<void> {
  let last = '';
  await eventually(
    async () => {
      const now = JSON.stringify([world.writes, await historyLength()]);
      const isSame = now === last;
      last = now;
      return isSame ? true : undefined;
    },
    { ...PATIENCE, everyMs: 2_000 },
  );
}

test('a thousand sites take a revision in stages, with a history that has no events for each site, and a rebuild changes nothing', async () => {
  rung = true;
  await untilReady(() => true);
  const first = await historyLength();
  expect(first).toBeLessThan(Math.min(SITES, EVENTS_OF_A_TURN * (turns + 1)));
  expect(world.writes.capps).toBe(SITES);
  expect(world.most()).toBeLessThanOrEqual(CONCURRENT);

  const before = world.set.status?.revision;
  const turnsBefore = turns;
  const containers = [{ ...CONTAINERS[0], image: 'new:2' }];
  world.edit({ template: { spec: { configurationSpec: { template: { spec: { containers } } } } } });
  await untilReady((now) => now !== before);
  const more = EVENTS_OF_A_TURN * (turns - turnsBefore + 1);
  expect((await historyLength()) - first).toBeLessThan(Math.min(SITES, more));
  expect(world.writes.capps).toBe(2 * SITES);
  expect(JSON.stringify(world.set.status?.rollout).length).toBeLessThan(10_240);

  await atRest();
  const { capps, status } = world.writes;
  await temporal.client.workflow.getHandle(workflowId).terminate('Temporal has lost it');
  rung = true;
  await ringing();
  await eventually(async () => ((await historyLength()) > 5 ? true : undefined), PATIENCE);
  expect(world.writes).toEqual({ capps, status });
}, 480_000);
