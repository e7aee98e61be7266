// Somebody queries a drain all the while: each query may begin a workflow task of its own in the middle of a
// local activity. What is noted of such a drain is replayed all the same.
import { Worker } from '@temporalio/worker';
import { keepDrains } from '../../../bridge/sites/drains.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { turnsWorkflowId } from '../../../workflows/names.ts';
import { aResident } from '../../support/builders/drain/drains.ts';
import { whileQueried } from '../../support/flow/queried.ts';
import { quietLogs } from '../../support/flow/quiet-logs.ts';
import { drainBundle, openDrainTestbed } from '../../support/testbeds/drain/drain.ts';
import { drainObjects } from '../../support/testbeds/drain/drain-objects.ts';

quietLogs();

const DRAINS = 4;

test('a drain that is queried from its beginning to its end has a history that can be replayed', async () => {
  const workflowBundle = await drainBundle();
  const objects = drainObjects();
  const address = process.env['FLOW_TEMPORAL_ADDRESS'] ?? '';
  const temporal = await openDrainTestbed({
    address,
    namespace: 'drain-objects-queried',
    workflowBundle,
    objects: objects.activities,
  });
  const errors: unknown[] = [];
  const bridge = keepDrains(temporal.client, objects.watched, (_cluster, error) => void errors.push(error));
  for (let drain = 1; drain <= DRAINS; drain += 1) {
    const site = `queried-${drain}`;
    temporal.residents = [aResident(site)];
    await temporal.settle(site, [site]);
    temporal.takes(0);
    const handle = temporal.client.workflow.getHandle(turnsWorkflowId(site));
    await whileQueried(handle, async () => {
      objects.create(site, {});
      await eventually(() => (objects.statusOf(site).phase === 'Done' ? true : undefined));
    });
    await Worker.runReplayHistory({ workflowBundle }, await handle.fetchHistory(), turnsWorkflowId(site));
  }
  await bridge.stop();
  await temporal.close();
  expect(errors).toEqual([]);
}, 300_000);
