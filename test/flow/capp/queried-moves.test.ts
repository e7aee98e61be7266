// Somebody queries a workflow all the while, and a move comes to steps that earlier builds did not take. What
// is noted of it is replayed all the same.
import { Worker } from '@temporalio/worker';
import { eventually } from '../../../testbed/eventually.ts';
import { CAPP_WORKFLOW, cappWorkflowId, HUB_QUEUE } from '../../../workflows/names.ts';
import type { DnsRecord, State } from '../../../workflows/capp/state.ts';
import type { Copy } from '../../../workflows/types/copy.ts';
import { aFinding } from '../../support/builders/states.ts';
import { after, moving } from '../../support/builders/moving.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';
import { workflowBundle } from '../../support/flow/bundle.ts';
import { whileQueried } from '../../support/flow/queried.ts';
import type { FlowTestbed } from '../../support/testbeds/flow.ts';

const story = storiesOf('queried-moves');
/** How long, in milliseconds, the move has yet. */
const LEFT_MS = 2_000;

/** The provider does not bring it to DNS, so users may be led to either site. */
const pending = (): DnsRecord => ({
  cluster: 'site-2',
  isDue: false,
  isThere: true,
  syncedAt: null,
  ttlMs: 0,
  said: { reason: 'RecordPending', message: 'Not yet.' },
  retryAt: Date.now() + 600_000,
  tries: 1,
});

/** Users were sent to site-2. */
function moved(capp: State['capp'], old: Partial<Copy>, confirmation: 'Due' | 'Given'): State {
  const now = Date.now();
  const times = { appliedAt: now - 60_000, deadline: now + 600_000 };
  const copy = { ...times, stamp: `${capp.uid}/1/hash/two`, finding: aFinding(), heardAt: now };
  const move = { since: now - 60_000, deadline: now + LEFT_MS, confirmation };
  const state = moving(move, { ...times, stamp: `${capp.uid}/1/hash/one`, ...old }, copy, { capp });
  return { ...after(state), dns: pending() };
}

/** The workflow goes on with that state, and somebody queries it, until the agent of site-1 was asked. */
async function playFrom(testbed: FlowTestbed, state: State): Promise<void> {
  const { world, client, capp } = testbed;
  const works = Object.entries(state.copies).map(
    ([cluster, { stamp }], index) =>
      [cluster, { stamp: stamp ?? '', incarnation: index, leaving: false }] as const,
  );
  for (const [cluster, work] of works) world.works.set(cluster, work);
  await testbed.startHub();
  for (const [cluster] of works) await testbed.startAgent(cluster);
  const workflowId = cappWorkflowId(capp.namespace, capp.name);
  const handle = await client.workflow.start(CAPP_WORKFLOW, {
    workflowId,
    taskQueue: HUB_QUEUE,
    args: [state],
  });
  await whileQueried(handle, async () => {
    await eventually(() => (world.calls.includes('report') ? true : undefined));
    await testbed.until(({ copies }) => copies['site-1']?.heard !== false);
  });
  await Worker.runReplayHistory(
    { workflowBundle: await workflowBundle() },
    await testbed.history(),
    workflowId,
  );
}

story('the old copy of a move is asked whether users can return', async (testbed) => {
  testbed.world.say('Failed');
  await playFrom(testbed, moved(testbed.capp, { finding: aFinding() }, 'Due'));
});

story('the old copy of a move is asked before it goes', async (testbed) => {
  await playFrom(testbed, moved(testbed.capp, {}, 'Given'));
  await record('a-move-that-asks-first', await testbed.history());
});
