// What Capps and drains say to each other by way of Temporal's client: a workflow that may not run yet is started, and many are told at once.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { DRAIN_PRIORITY, initialDrain } from '../../workflows/drain-state.ts';
import { leave, permit, petition, settled } from '../../workflows/messages.ts';
import { cappWorkflowId, DRAIN_WORKFLOW, drainWorkflowId, HUB_QUEUE } from '../../workflows/names.ts';
import type { Hub } from '../../workflows/ports.ts';
import type { DrainAnswer } from '../../workflows/residents.ts';

export function hubPetition(client: Pick<Client, 'workflow'>): Pick<Hub, 'petition' | 'answer' | 'settle'> {
  return {
    petition: async (cluster, wish) => {
      await client.workflow.signalWithStart(DRAIN_WORKFLOW, {
        workflowId: drainWorkflowId(cluster),
        taskQueue: HUB_QUEUE,
        args: [initialDrain(cluster)],
        signal: petition,
        signalArgs: [wish],
        staticSummary: `Drain of ${cluster}`,
        priority: DRAIN_PRIORITY,
      });
    },
    settle: async (cluster, news) => {
      try {
        await client.workflow.getHandle(drainWorkflowId(cluster)).signal(settled, news);
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },
    answer: async (cluster, answers) => {
      const told = await Promise.all(answers.map((one) => tell(client, cluster, one)));
      return { gone: answers.filter((_one, index) => told[index] === false).map(({ capp }) => capp) };
    },
  };
}

/** False if no workflow of that name runs. */
async function tell(client: Pick<Client, 'workflow'>, cluster: string, { capp, say }: DrainAnswer): Promise<boolean> {
  const [namespace = '', name = ''] = capp.split('/');
  const handle = client.workflow.getHandle(cappWorkflowId(namespace, name));
  try {
    await (say === 'Leave' ? handle.signal(leave, { cluster }) : handle.signal(permit, { cluster, answer: say }));
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
