// A site's score on a real Temporal: one small run, whether its agent answers or is away.
import { HUB_QUEUE, SCORE_WORKFLOW, scheduleId } from '../../../workflows/names.ts';
import type { ScoreReport } from '../../../workflows/score/workflow.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';
import type { FlowTestbed } from '../../support/testbeds/flow.ts';

const story = storiesOf('scores');

async function score(
  testbed: FlowTestbed,
  cluster: string,
): Promise<{ report: ScoreReport; workflowId: string }> {
  const workflowId = `${scheduleId('score', cluster)}-${testbed.capp.name}`;
  const report = await testbed.client.workflow.execute(SCORE_WORKFLOW, {
    workflowId,
    taskQueue: HUB_QUEUE,
    args: [{ cluster, intervalSeconds: 60 }],
  });
  return { report: report as ScoreReport, workflowId };
}

story('what an agent measures is published, in twelve history events', async (testbed) => {
  await testbed.startHub();
  await testbed.startAgent('site-1');
  const { report, workflowId } = await score(testbed, 'site-1');
  expect(report).toEqual({ agent: 'Answered', written: ['rcs-score'] });
  expect(testbed.world.calls).toEqual(['measure', 'publishScore']);
  const history = await testbed.client.workflow.getHandle(workflowId).fetchHistory();
  expect(history.events).toHaveLength(12);
  await record('a-score', history);
});

story('an agent that is away is a result, and the hub hears of it', async (testbed) => {
  await testbed.startHub();
  const { report, workflowId } = await score(testbed, 'site-2');
  expect(report).toEqual({ agent: 'Silent', written: [] });
  expect(testbed.world.calls).toEqual(['publishScore']);
  await record(
    'a-score-without-an-agent',
    await testbed.client.workflow.getHandle(workflowId).fetchHistory(),
  );
});

story('a measure that fails once is taken again', async (testbed) => {
  testbed.world.fail('measure', 1);
  await testbed.startHub();
  await testbed.startAgent('site-3');
  expect((await score(testbed, 'site-3')).report.agent).toBe('Answered');
});

story('a hub that cannot be written to fails the run, and the next one is another', async (testbed) => {
  testbed.world.fail('publishScore', 1);
  await testbed.startHub();
  await testbed.startAgent('site-4');
  await expect(score(testbed, 'site-4')).rejects.toThrow('Workflow execution failed');
  expect((await score(testbed, 'site-4')).report.agent).toBe('Answered');
});
