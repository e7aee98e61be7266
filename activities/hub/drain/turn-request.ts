// Carries messages between Capps and drains through Temporal's client, and starts a drain that does not run.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { DRAIN_PRIORITY } from '../../../workflows/drain/state.ts';
import { requestTurn, settled } from '../../../workflows/messages.ts';
import { HUB_QUEUE, TURNS_WORKFLOW, turnsWorkflowId } from '../../../workflows/names.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import type { Settled, TurnRequest } from '../../../workflows/types/turns.ts';
import { hubAnswer, inTime } from './answer.ts';

export function hubTurnRequests(client: Client): Pick<Hub, 'requestTurn' | 'answer' | 'settle'> {
  return {
    ...hubAnswer(client),
    requestTurn: (cluster, request) => inTime(client, () => ask(client, cluster, request)),
    settle: (cluster, news) => inTime(client, () => tell(client, cluster, news)),
  };
}

/** Signals the drain of a cluster, and starts it if it does not run. */
async function ask(client: Client, cluster: string, request: TurnRequest): Promise<void> {
  await client.workflow.signalWithStart(TURNS_WORKFLOW, {
    workflowId: turnsWorkflowId(cluster),
    taskQueue: HUB_QUEUE,
    args: [{ cluster }],
    signal: requestTurn.name,
    signalArgs: [request],
    staticSummary: `Turns to leave ${cluster}`,
    priority: DRAIN_PRIORITY,
  });
}

/** A drain that has ended needs no message. */
async function tell(client: Client, cluster: string, news: Settled): Promise<void> {
  try {
    await client.workflow.getHandle(turnsWorkflowId(cluster)).signal(settled, news);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
