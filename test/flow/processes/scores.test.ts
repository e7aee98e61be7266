// A site's score on a real Temporal: one small run, whether its agent answers or is away.
import { HUB_QUEUE, SCORE_WORKFLOW, scoreScheduleId } from '../../../workflows/names.ts';
import type { ScoreReport } from '../../../workflows/score/workflow.ts';
import { record, storiesOf } from '../../support/flow/flow.ts';
import type { Stage } from '../../support/testbeds/flow.ts';

const story = storiesOf('scores');

async function score(stage: Stage, cluster: string): Promise<{ report: ScoreReport; workflowId: string }> {
  const workflowId = `${scoreScheduleId(cluster)}-${stage.capp.name}`;
  const report = await stage.client.workflow.execute(SCORE_WORKFLOW, {
    workflowId,
    taskQueue: HUB_QUEUE,
    args: [{ cluster, intervalSeconds: 60 }],
  });
  return { report: report as ScoreReport, workflowId };
}

story('what an agent measures is published, in twelve history events', async (stage) => {
  await stage.startHub();
  await stage.startAgent('site-1');
  const { report, workflowId } = await score(stage, 'site-1');
  expect(report).toEqual({ agent: 'Answered', written: ['rcs-score'] });
  expect(stage.world.deeds).toEqual(['measure', 'publishScore']);
  const history = await stage.client.workflow.getHandle(workflowId).fetchHistory();
  expect(history.events).toHaveLength(12);
  await record('a-score', history);
});

story('an agent that is away is a result, and the hub hears of it', async (stage) => {
  await stage.startHub();
  const { report, workflowId } = await score(stage, 'site-2');
  expect(report).toEqual({ agent: 'Silent', written: [] });
  expect(stage.world.deeds).toEqual(['publishScore']);
  await record('a-score-without-an-agent', await stage.client.workflow.getHandle(workflowId).fetchHistory());
});

story('a measure that fails once is taken again', async (stage) => {
  stage.world.fail('measure', 1);
  await stage.startHub();
  await stage.startAgent('site-3');
  expect((await score(stage, 'site-3')).report.agent).toBe('Answered');
});

story('a hub that cannot be written to fails the run, and the next one is another', async (stage) => {
  stage.world.fail('publishScore', 1);
  await stage.startHub();
  await stage.startAgent('site-4');
  await expect(score(stage, 'site-4')).rejects.toThrow('Workflow execution failed');
  expect((await score(stage, 'site-4')).report.agent).toBe('Answered');
});
