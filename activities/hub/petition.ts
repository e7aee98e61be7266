// What a Capp says to the drain of its cluster: that it must leave, which starts a drain if none runs, and what became of that.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { initialDrain } from '../../workflows/drain-state.ts';
import { petition, settled } from '../../workflows/messages.ts';
import { DRAIN_WORKFLOW, drainWorkflowId, HUB_QUEUE } from '../../workflows/names.ts';
import type { Hub } from '../../workflows/ports.ts';

export function hubPetition(client: Pick<Client, 'workflow'>): Pick<Hub, 'petition' | 'settle'> {
  return {
    petition: async (cluster, wish) => {
      await client.workflow.signalWithStart(DRAIN_WORKFLOW, {
        workflowId: drainWorkflowId(cluster),
        taskQueue: HUB_QUEUE,
        args: [initialDrain(cluster)],
        signal: petition,
        signalArgs: [wish],
        staticSummary: `Drain of ${cluster}`,
      });
    },
    settle: async (cluster, news) => {
      try {
        await client.workflow.getHandle(drainWorkflowId(cluster)).signal(settled, news);
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },
  };
}
