// An agent that starts says what it has, and only the Capps that look different are looked at. That it polls,
// Temporal tells.
import { lastPollBy } from '../../../bridge/sites/pollers.ts';
import type { InventoryEntry } from '../../../workflows/types/ring.ts';
import { inventory, ring } from '../../../workflows/messages.ts';
import { cappWorkflowId, HUB_QUEUE, SITE_WORKFLOW, siteWorkflowId } from '../../../workflows/names.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';
import type { FlowTestbed } from '../../support/testbeds/flow.ts';

const story = storiesOf('sites');

/** Starts a site's workflow as the bridge does, and says an inventory to it as an agent does. */
async function say(testbed: FlowTestbed, cluster: string, entries: readonly InventoryEntry[]): Promise<void> {
  await testbed.client.workflow.signalWithStart(SITE_WORKFLOW, {
    workflowId: siteWorkflowId(cluster),
    taskQueue: HUB_QUEUE,
    args: [{ version: 1, cluster, inventories: [] }],
    signal: inventory,
    signalArgs: [{ entries, after: null, upTo: null }],
  });
}

function entry(testbed: FlowTestbed, statusHash: string, name = testbed.capp.name): InventoryEntry {
  return { namespace: 'apps', name, uid: 'uid-1', stamp: 'uid-1/1/hash/one', statusHash };
}

story(
  'an inventory rings for a Capp that looks different, and survives one that is gone',
  async (testbed) => {
    await testbed.startHub();
    await testbed.startAgent();
    await testbed.ring('spec');
    await testbed.untilReady();
    testbed.world.say('Ready', { statusHash: 'other' });
    await say(testbed, 'site-1', [entry(testbed, 'other'), entry(testbed, 'other', 'gone')]);
    await testbed.until(({ mirrored }) => mirrored === 'other');
    const handle = testbed.client.workflow.getHandle(siteWorkflowId('site-1'));
    await record('an-inventory', await handle.fetchHistory());
    await handle.cancel();
    await eventually(async () => ((await handle.describe()).status.name === 'CANCELLED' ? true : undefined));
  },
);

story('an inventory leaves alone what the hub has seen', async (testbed) => {
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  await say(testbed, 'site-2', [entry(testbed, 'known')]);
  await eventually(() => testbed.world.calls.includes('compare') || undefined);
  await testbed.client.workflow
    .getHandle(cappWorkflowId('apps', testbed.capp.name))
    .signal(ring, { causes: ['spec'], minimumVersions: {} });
  await testbed.until(({ ringsAnswered }) => ringsAnswered === 2);
  expect(testbed.world.calls).not.toContain('report');
  await testbed.client.workflow.getHandle(siteWorkflowId('site-2')).terminate();
});

story('an inventory that cannot be compared at once is not lost', async (testbed) => {
  testbed.world.fail('compare', 2);
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  testbed.world.say('Ready', { statusHash: 'other' });
  await say(testbed, 'site-3', [entry(testbed, 'other')]);
  await testbed.until(({ mirrored }) => mirrored === 'other');
  await testbed.client.workflow.getHandle(siteWorkflowId('site-3')).terminate();
});

story(
  'Temporal tells when an agent last polled, and knows nothing of one that never did',
  async (testbed) => {
    const lastPoll = lastPollBy(testbed.client);
    const before = Date.now();
    await testbed.startAgent('site-7');
    const polledAt = await eventually(async () => (await lastPoll('site-7')) ?? undefined);
    // Whole seconds are all that is kept.
    expect(polledAt).toBeGreaterThanOrEqual(before - 1_000);
    expect(polledAt).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(await lastPoll('site-8')).toBeNull();
  },
);

story('a ring about a silent agent that answers after all changes nothing', async (testbed) => {
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  const told = testbed.world.published.length;
  const rung = { causes: ['site' as const], minimumVersions: {}, seen: { 'site-1': 1_000 } };
  await testbed.client.workflow.getHandle(cappWorkflowId('apps', testbed.capp.name)).signal(ring, rung);
  await testbed.until(
    ({ ringsAnswered, due, copies }) =>
      ringsAnswered === 2 && due.length === 0 && copies['site-1']?.heard === true,
  );
  const copy = (await testbed.state()).copies['site-1'];
  expect([copy?.silentSince, copy?.seenAt, testbed.world.published.length]).toEqual([null, undefined, told]);
});
