// An upgrade while workflows of an earlier version keep CappSets and Bundles: the bridge ends these runs,
// they do nothing more, and each object has its new workflow.
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { keepObjects, type Kept, type KeptKind } from '../../../bridge/fleet/keep.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { EARLIER_FAIL } from '../../../workers/hub/workflow-code.ts';
import type { FleetRef, Turned } from '../../../workflows/fleet/port.ts';
import { fleetWorkflowId, HUB_QUEUE } from '../../../workflows/names.ts';
import { bundleOf, workflowBundle } from '../../support/flow/bundle.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';

quietLogs();

const ROOT = join(import.meta.dirname, '../../..');
const REFS: readonly FleetRef[] = [
  { kind: 'CappSet', namespace: 'apps', name: 'shop' },
  { kind: 'Bundle', namespace: 'apps', name: 'base' },
];
const TURNED: Turned = {
  outcome: 'Turned',
  memory: null,
  isMore: false,
  minimumVersions: {},
  wakeAt: null,
  says: 'It is Ready.',
};

let temporal: TestWorkflowEnvironment;
let folder: string;
const calls: string[] = [];

beforeAll(async () => {
  const address = process.env['FLOW_TEMPORAL_ADDRESS'] ?? '';
  temporal = await TestWorkflowEnvironment.createFromExistingServer({ address, namespace: 'fleet-before' });
  folder = mkdtempSync(join(tmpdir(), 'earlier-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await temporal.teardown();
});

/** A hub worker with these workflows; both versions' activities are counted. */
async function startWorker(workflows: { readonly codePath: string }): Promise<() => Promise<void>> {
  const count = (name: string) => async (ref?: FleetRef) => {
    calls.push(ref === undefined ? name : `${name} ${ref.kind}`);
    return TURNED;
  };
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: 'fleet-before',
    taskQueue: HUB_QUEUE,
    workflowBundle: workflows,
    activities: {
      turnSet: count('turnSet'),
      turnBundle: count('turnBundle'),
      turnFleet: count('turnFleet'),
    },
    workflowFailureErrorTypes: EARLIER_FAIL,
    shutdownForceTime: '100ms',
  });
  const running = worker.run().catch(() => undefined);
  return async () => {
    worker.shutdown();
    await running;
  };
}

function earlierWorkflows(): Promise<{ readonly codePath: string }> {
  const within = join(folder, 'workflows');
  cpSync(join(ROOT, 'test/support/flow/earlier'), within, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return bundleOf(join(within, 'workflows.ts'));
}

const kindOf = ({ kind, namespace, name }: FleetRef): KeptKind => {
  const object: Kept = { metadata: { namespace, name, creationTimestamp: '2026-03-01T12:00:00Z' } };
  return {
    kind,
    list: () => [object],
    get: () => object,
    leftBy: () => new Set(),
    listen: () => () => undefined,
  };
};

const stateOf = async (ref: FleetRef): Promise<string> => {
  const { type, status } = await temporal.client.workflow.getHandle(fleetWorkflowId(ref)).describe();
  return `${type} ${status.name}`;
};

test('the bridge ends runs of earlier types, which do nothing more, and starts what replaces them', async () => {
  const { workflow } = temporal.client;
  const stopEarlier = await startWorker(await earlierWorkflows());
  for (const ref of REFS)
    await workflow.start(ref.kind === 'CappSet' ? 'cappSet' : 'bundle', {
      workflowId: fleetWorkflowId(ref),
      taskQueue: HUB_QUEUE,
      args: [{ namespace: ref.namespace, name: ref.name }],
    });
  await eventually(() => {
    if (calls.length === REFS.length) return true;
    throw new Error(`called: ${calls.join(', ')}`);
  });
  await stopEarlier();

  const stop = await startWorker(await workflowBundle());
  const errors: unknown[] = [];
  const bridge = keepObjects(temporal.client, REFS.map(kindOf), (_id, error) => void errors.push(error));
  await eventually(async () => {
    await bridge.compare();
    const states = await Promise.all(REFS.map(stateOf));
    if (states.every((one) => one === 'fleet RUNNING')) return true;
    throw new Error(`the workflows are ${states.join(', ')}, after ${calls.join(', ')}`);
  });
  await eventually(() => (calls.filter((one) => one.startsWith('turnFleet')).length >= 2 ? true : undefined));
  expect(calls.filter((one) => !one.startsWith('turnFleet')).toSorted()).toEqual(['turnBundle', 'turnSet']);
  expect(new Set(calls)).toContain('turnFleet CappSet');
  expect(new Set(calls)).toContain('turnFleet Bundle');

  await expect(
    workflow.execute('bundle', { workflowId: 'bundle/apps/by-hand', taskQueue: HUB_QUEUE, args: [] }),
  ).rejects.toMatchObject({ cause: { message: expect.stringContaining('start none by hand') as string } });
  await bridge.stop();
  await stop();
  expect(errors).toEqual([]);
});
