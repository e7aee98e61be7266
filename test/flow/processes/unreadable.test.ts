// What nobody can read, said to the real workflows of sites, drains and scores on a real Temporal, and given
// to whatever is begun with it: it is as if it had not come, but for being counted.
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { configureNow, progress, requestTurn, stopNow } from '../../../workflows/messages.ts';
import {
  agentQueue,
  HUB_QUEUE,
  SCORE_WORKFLOW,
  SITE_WORKFLOW,
  siteWorkflowId,
  TURNS_WORKFLOW,
  turnsWorkflowId,
} from '../../../workflows/names.ts';
import { storiesOf } from '../../support/flow/flow.ts';
import { failedTasks } from '../../support/flow/lives-on.ts';
import { answerRaw, jsonPayload, UNREADABLE_PAYLOADS, signalRaw } from '../../support/flow/raw-temporal.ts';

const story = storiesOf('unreadable-processes');

story('a site hears no audit that cannot be read, and goes on with those that can', async (testbed) => {
  await testbed.startHub();
  await testbed.startAgent();
  await testbed.ring('spec');
  await testbed.untilReady();
  const workflowId = siteWorkflowId('site-1');
  const handle = await testbed.client.workflow.start(SITE_WORKFLOW, {
    workflowId,
    taskQueue: HUB_QUEUE,
    args: [null],
  });
  for (const payloads of Object.values(UNREADABLE_PAYLOADS))
    await signalRaw(testbed.client, workflowId, 'audit', payloads);
  testbed.world.say('Ready', { statusHash: 'other' });
  const entry = {
    namespace: 'apps',
    name: testbed.capp.name,
    uid: 'uid-1',
    stamp: 'uid-1/1/hash/one',
    statusHash: 'other',
  };
  await handle.signal('audit', { entries: [null, { namespace: '../x' }, entry], after: null, upTo: null });
  await testbed.until(({ mirrored }) => mirrored === 'other');
  expect(failedTasks(await handle.fetchHistory())).toBe(0);
  await handle.terminate();
});

story('a drain hears no message that cannot be read, and says how many there were', async (testbed) => {
  await testbed.startHub();
  const workflowId = turnsWorkflowId('site-1');
  const handle = await testbed.client.workflow.signalWithStart(TURNS_WORKFLOW, {
    workflowId,
    taskQueue: HUB_QUEUE,
    args: [{ cluster: 'site-1' }],
    signal: requestTurn,
    signalArgs: [{ namespace: 'apps', name: 'somebody', to: null, priority: 0 }],
  });
  const poisons = Object.entries(UNREADABLE_PAYLOADS);
  for (const [, payloads] of poisons) {
    for (const signal of ['requestTurn', 'settled'])
      await signalRaw(testbed.client, workflowId, signal, payloads);
  }
  await expect(handle.executeUpdate(configureNow, { args: [null as never] })).rejects.toThrow(
    WorkflowUpdateFailedError,
  );
  expect(await handle.query(progress)).toMatchObject({
    waiting: 0,
    stayed: {},
    unreadable: 2 * poisons.length,
  });
  await handle.executeUpdate(stopNow);
  await handle.result();
  expect(failedTasks(await handle.fetchHistory())).toBe(0);
});

story(
  'what is begun with nothing that can be read ends at once, and says what it should be begun with',
  async (testbed) => {
    await testbed.startHub();
    const begun: readonly [string, string, string][] = [
      [SCORE_WORKFLOW, 'score/site-1/by-hand', '"cluster"'],
      ['plan', 'plan/site-1/by-hand', 'kubectl create'],
      ['drain', 'drain/site-2', 'kubectl create'],
      [TURNS_WORKFLOW, turnsWorkflowId('site-2'), '"cluster"'],
      [SITE_WORKFLOW, 'by-hand', 'site/<cluster>'],
      ['capp', 'by-hand-too', 'capp/<namespace>/<name>'],
    ];
    for (const [type, workflowId, message] of begun) {
      const handle = await testbed.client.workflow.start(type, {
        workflowId,
        taskQueue: HUB_QUEUE,
        args: [null],
      });
      await expect(handle.result()).rejects.toMatchObject({
        cause: { message: expect.stringContaining(message) as string },
      });
    }
  },
);

story('a score is not published of what an agent cannot have measured', async (testbed) => {
  await testbed.startHub();
  const poisons = [
    null,
    [jsonPayload('{}')],
    [jsonPayload('[')],
    [jsonPayload('{"figures":[{"name":"cpuAvailable","value":1e9}]}')],
  ];
  for (const [index, payloads] of poisons.entries()) {
    const order = { cluster: 'site-5', intervalSeconds: 60 };
    const handle = await testbed.client.workflow.start(SCORE_WORKFLOW, {
      workflowId: `score/site-5/${index}`,
      taskQueue: HUB_QUEUE,
      args: [order],
    });
    expect(await answerRaw(testbed.client, agentQueue('site-5'), payloads)).toBe('measure');
    expect(await handle.result()).toMatchObject({ agent: 'Silent' });
  }
});
