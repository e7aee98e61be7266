// An agent that starts says what it has, and only the Capps that look different are looked at. That it polls, Temporal tells.
import { lastPollBy } from '../../../bridge/sites/pollers.ts';
import type { AuditEntry } from '../../../workflows/types/ring.ts';
import { audit, ring } from '../../../workflows/messages.ts';
import { cappWorkflowId, HUB_QUEUE, SITE_WORKFLOW, siteWorkflowId } from '../../../workflows/names.ts';
import { eventually } from '../../../testbed/eventually.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';
import type { Stage } from '../../support/testbeds/flow.ts';

const story = storiesOf('sites');

/** Starts a site's workflow as the bridge does, and says an audit to it as an agent does. */
async function say(stage: Stage, cluster: string, entries: readonly AuditEntry[]): Promise<void> {
  await stage.client.workflow.signalWithStart(SITE_WORKFLOW, {
    workflowId: siteWorkflowId(cluster),
    taskQueue: HUB_QUEUE,
    args: [{ version: 1, cluster, audits: [] }],
    signal: audit,
    signalArgs: [{ entries, after: null, upTo: null }],
  });
}

function entry(stage: Stage, statusHash: string, name = stage.capp.name): AuditEntry {
  return { namespace: 'apps', name, uid: 'uid-1', stamp: 'uid-1/1/hash/one', statusHash };
}

story('an audit rings for a Capp that looks different, and survives one that is gone', async (stage) => {
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.untilReady();
  stage.world.say('Ready', { statusHash: 'other' });
  await say(stage, 'site-1', [entry(stage, 'other'), entry(stage, 'other', 'gone')]);
  await stage.until(({ mirrored }) => mirrored === 'other');
  const handle = stage.client.workflow.getHandle(siteWorkflowId('site-1'));
  await record('an-audit', await handle.fetchHistory());
  await handle.cancel();
  await eventually(async () => ((await handle.describe()).status.name === 'CANCELLED' ? true : undefined));
});

story('an audit leaves alone what the hub has seen', async (stage) => {
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.untilReady();
  await say(stage, 'site-2', [entry(stage, 'known')]);
  await eventually(() => stage.world.deeds.includes('compare') || undefined);
  await stage.client.workflow.getHandle(cappWorkflowId('apps', stage.capp.name)).signal(ring, { causes: ['spec'], minimumVersions: {} });
  await stage.until(({ ringsAnswered }) => ringsAnswered === 2);
  expect(stage.world.deeds).not.toContain('report');
  await stage.client.workflow.getHandle(siteWorkflowId('site-2')).terminate();
});

story('an audit that cannot be compared at once is not lost', async (stage) => {
  stage.world.fail('compare', 2);
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.untilReady();
  stage.world.say('Ready', { statusHash: 'other' });
  await say(stage, 'site-3', [entry(stage, 'other')]);
  await stage.until(({ mirrored }) => mirrored === 'other', 20_000);
  await stage.client.workflow.getHandle(siteWorkflowId('site-3')).terminate();
});

story('Temporal tells when an agent last polled, and knows nothing of one that never did', async (stage) => {
  const lastPoll = lastPollBy(stage.client);
  const before = Date.now();
  await stage.startAgent('site-7');
  const polledAt = await eventually(async () => (await lastPoll('site-7')) ?? undefined);
  // Whole seconds are all that is kept.
  expect(polledAt).toBeGreaterThanOrEqual(before - 1_000);
  expect(polledAt).toBeLessThanOrEqual(Date.now() + 1_000);
  expect(await lastPoll('site-8')).toBeNull();
});

story('a ring about a silent agent that answers after all changes nothing', async (stage) => {
  await stage.startHub();
  await stage.startAgent();
  await stage.ring('spec');
  await stage.untilReady();
  const told = stage.world.published.length;
  const rung = { causes: ['site' as const], minimumVersions: {}, seen: { 'site-1': 1_000 } };
  await stage.client.workflow.getHandle(cappWorkflowId('apps', stage.capp.name)).signal(ring, rung);
  await stage.until(({ ringsAnswered, due, copies }) => ringsAnswered === 2 && due.length === 0 && copies['site-1']?.heard === true);
  const copy = (await stage.state()).copies['site-1'];
  expect([copy?.silentSince, copy?.seenAt, stage.world.published.length]).toEqual([null, undefined, told]);
});
