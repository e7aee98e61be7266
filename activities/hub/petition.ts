// Asks the drain of a cluster for a Capp's turn to leave: the one place where a Capp's workflow reaches another that may not run yet.
import type { Client } from '@temporalio/client';
import { initialDrain } from '../../workflows/drain-state.ts';
import { petition } from '../../workflows/messages.ts';
import { DRAIN_WORKFLOW, drainWorkflowId, HUB_QUEUE } from '../../workflows/names.ts';
import type { Hub } from '../../workflows/ports.ts';

export function hubPetition(client: Pick<Client, 'workflow'>): Pick<Hub, 'petition'> {
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
  };
}
