// Carries messages between Capps, drains and orders through Temporal's client, and starts the receiving
// workflow if it does not run.
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { SignalDefinition } from '@temporalio/common';
import { DRAIN_PRIORITY } from '../../../workflows/drain/state.ts';
import {
  configure,
  drained,
  evacuate,
  pause,
  requestTurn,
  resume,
  settled,
  stop,
} from '../../../workflows/messages.ts';
import { drainWorkflowId, HUB_QUEUE, TURNS_WORKFLOW, turnsWorkflowId } from '../../../workflows/names.ts';
import type { Hub } from '../../../workflows/ports/hub.ts';
import { hubAnswer, inTime } from './answer.ts';

const STEERING = { pause, resume, stop } as const;

export function hubTurnRequests(
  client: Client,
): Pick<Hub, 'requestTurn' | 'answer' | 'settle' | 'steer' | 'conclude'> {
  return {
    ...hubAnswer(client),
    requestTurn: (cluster, request) =>
      inTime(client, () => beginWith(client, cluster, { signal: requestTurn.name, word: request })),
    settle: (cluster, news) => inTime(client, () => tell(client, turnsWorkflowId(cluster), settled, [news])),
    conclude: (cluster, account) =>
      inTime(client, () => tell(client, drainWorkflowId(cluster), drained, [account])),
    steer: (cluster, word) =>
      inTime(client, async () => {
        if (word.say === 'evacuate') return beginWith(client, cluster, { signal: evacuate.name, word });
        if (word.say === 'configure') return tell(client, turnsWorkflowId(cluster), configure, [word.lanes]);
        return tell(client, turnsWorkflowId(cluster), STEERING[word.say], []);
      }),
  };
}

/** Signals the drain of a cluster, and starts it if it does not run. */
async function beginWith(
  client: Client,
  cluster: string,
  { signal, word }: { signal: string; word: unknown },
): Promise<void> {
  await client.workflow.signalWithStart(TURNS_WORKFLOW, {
    workflowId: turnsWorkflowId(cluster),
    taskQueue: HUB_QUEUE,
    args: [{ cluster }],
    signal,
    signalArgs: [word],
    staticSummary: `Turns to leave ${cluster}`,
    priority: DRAIN_PRIORITY,
  });
}

/** A workflow that has ended needs no message. */
async function tell<Args extends unknown[]>(
  client: Client,
  id: string,
  signal: SignalDefinition<Args>,
  args: Args,
): Promise<void> {
  try {
    await client.workflow.getHandle(id).signal(signal, ...args);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
