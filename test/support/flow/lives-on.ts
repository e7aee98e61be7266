// Shows of a Capp's workflow that it lives on after whatever the test has done to it.
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { cappWorkflowId } from '../../../workflows/names.ts';
import { eventually } from '../../../testbed/eventually.ts';
import type { FlowTestbed } from '../testbeds/flow.ts';

/** How many turns of the workflow have failed. */
export function failedTasks({ events }: History): number {
  return (events ?? []).filter(({ workflowTaskFailedEventAttributes: failed }) => (failed ?? null) !== null)
    .length;
}

/** An edit is shipped and a deletion ends, and no turn of the workflow has failed on the way. */
export async function livesOn(testbed: FlowTestbed, site = 'site-1'): Promise<void> {
  const { world, client, capp } = testbed;
  world.edit();
  const generation = world.capp?.generation;
  await testbed.ring('spec');
  await testbed.until(
    ({ copies }) => copies[site]?.generation === generation && copies[site]?.finding?.verdict === 'Ready',
  );
  if (world.capp !== null) world.capp.deleting = true;
  world.works.clear();
  await testbed.ring('meta');
  await eventually(async () => ((await testbed.describe()).status === 'COMPLETED' ? true : undefined));
  const handle = client.workflow.getHandle(cappWorkflowId(capp.namespace, capp.name));
  expect(failedTasks(await handle.fetchHistory())).toBe(0);
}
