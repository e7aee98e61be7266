// The storm of a seed in real time, with workflows that run on a real Temporal.
import { setImmediate as whenIdle, setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { agentQueue, cappWorkflowId, HUB_QUEUE } from '../../../../workflows/names.ts';
import { random } from '../../builders/random.ts';
import { workflowBundle } from '../../flow/bundle.ts';
import { Clockwork } from '../engine/clockwork.ts';
import { LIVES } from '../engine/temporal.ts';
import { calm } from '../world/calm.ts';
import { order } from '../world/drains.ts';
import { FAULTS } from '../world/faults.ts';
import { NAMESPACE, SITES } from '../world/names.ts';
import { storm } from '../world/storm.ts';
import { createCapp } from '../world/capps.ts';
import { World } from '../world/world.ts';
import { LiveTemporal } from './live-temporal.ts';

/** Between two gusts of a storm, and after the last. */
const GUST_MS = 200;
const CALM_MS = 3_000;
const TICK_MS = 2;
/**
 * A worker that is forced to end leaves activities behind, and then Jest does not end. What the hub does may
 * take half a minute.
 */
const END_TIME = '60s';

/**
 * Takes some ten seconds. Gives the history of every run of a workflow, by workflow and run. The seed begins
 * the dice; which throw is whose depends on the machine.
 */
export async function livedThrough(
  seed: number,
  address: string,
  namespace: string,
): Promise<ReadonlyMap<string, History>> {
  // A call that is tried again after the end would find the connection closed.
  const connection = await Connection.connect({ address, interceptors: [] });
  const native = await NativeConnection.connect({ address });
  const client = new Client({ connection, namespace });
  try {
    await live(seed, client, { connection: native, namespace, shutdownForceTime: END_TIME });
    return await historiesOf(client, namespace);
  } finally {
    await native.close();
    await connection.close();
  }
}

async function live(
  seed: number,
  client: Client,
  options: Pick<WorkerOptions, 'connection' | 'namespace' | 'shutdownForceTime'>,
): Promise<void> {
  const clock = new Clockwork(Date.now());
  let temporal: LiveTemporal | undefined;
  const world = new World({
    clock,
    dice: random(seed),
    story: null,
    faults: FAULTS,
    temporal: (around) => (temporal = new LiveTemporal(around, client)),
  });
  const hub = {
    taskQueue: HUB_QUEUE,
    activities: temporal?.hubActivities() ?? {},
    workflowBundle: await workflowBundle(),
  };
  const agents = SITES.map((site) => ({
    taskQueue: agentQueue(site),
    activities: temporal?.agentActivities(site) ?? {},
  }));
  const workers = await Promise.all(
    [hub, ...agents].map((worker) => Worker.create({ ...options, ...worker })),
  );
  const running = workers.map((worker) => worker.run());
  let isOver = false;
  const passing = passTime(clock, () => isOver);
  for (const name of world.capps) createCapp(world, name);
  await storm(world, async (until) => {
    await pause(Math.min(GUST_MS, until - clock.now));
    return true;
  });
  await ask(world);
  calm(world);
  await pause(CALM_MS);
  for (const worker of workers) worker.shutdown();
  await Promise.all(running);
  isOver = true;
  await passing;
  world.endBridge();
}

/** What not every storm brings: Updates, and a drain. */
async function ask(world: World): Promise<void> {
  const { capps, temporal } = world;
  for (const name of capps)
    temporal.update(cappWorkflowId(NAMESPACE, name), 'move', [{ by: 'you' }], () => undefined);
  order(world, SITES[0]);
  await pause(CALM_MS);
}

async function passTime(clock: Clockwork, isOver: () => boolean): Promise<void> {
  while (!isOver()) await (clock.step(Date.now()) ? whenIdle() : pause(TICK_MS));
}

async function historiesOf(client: Client, namespace: string): Promise<ReadonlyMap<string, History>> {
  const histories = new Map<string, History>();
  for await (const { type, workflowId, runId } of client.workflow.list()) {
    const handle = client.workflow.getHandle(workflowId, runId);
    if (Object.hasOwn(LIVES, type))
      histories.set(`${namespace}: ${workflowId}, run ${runId}`, await handle.fetchHistory());
  }
  return histories;
}
