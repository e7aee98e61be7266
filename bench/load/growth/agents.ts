// Simulated agents: of each cluster, our agent, which calls every Capp Ready, and OCM's work agent.
import { defaultPayloadConverter } from '@temporalio/common';
import { agentQueue } from '../../../workflows/names.ts';
import { MEASURED, READY } from '../simulated-answers.ts';
import type { Testbed } from '../testbed.ts';
import { simulateWorkAgents } from './work-agents.ts';

/** As long as a site takes to make a Capp Ready. */
const TAKES_MS = 1_000;
/** Longer than a long poll of the server. */
const POLL_MS = 90_000;
const PAUSE_MS = 1_000;

export interface SimulatedAgents {
  /** None of our agents asks for activities until `hear`. OCM's agents go on. */
  silence(): Promise<void>;
  hear(): void;
}

/** The end of the benchmark ends them, so all Capps on these clusters must be gone by then. */
export async function simulateAgents(
  testbed: Testbed,
  clusters: readonly string[],
): Promise<SimulatedAgents> {
  await simulateWorkAgents(testbed, new Set(clusters));
  return answerAsAgents(testbed, clusters);
}

/** Our agents alone. The end of the benchmark ends them. */
export function answerAsAgents(testbed: Testbed, clusters: readonly string[]): SimulatedAgents {
  let ending = new AbortController();
  let polling: readonly Promise<void>[] = [];
  const silence = async (): Promise<void> => {
    ending.abort();
    await Promise.all(polling);
  };
  const hear = (): void => {
    ending = new AbortController();
    polling = clusters.map((cluster) => answerFor(testbed, cluster, ending.signal));
  };
  hear();
  testbed.afterwards(silence);
  return { silence, hear };
}

/** Takes one activity of the cluster's queue after the other, and answers each a moment later. */
async function answerFor({ stack }: Testbed, cluster: string, ending: AbortSignal): Promise<void> {
  const { connection, options } = stack.temporal;
  const { namespace } = options;
  const poll = { namespace, taskQueue: { name: agentQueue(cluster) }, identity: cluster };
  const measured = { payloads: [defaultPayloadConverter.toPayload(MEASURED)] };
  const ready = { payloads: [defaultPayloadConverter.toPayload(READY)] };
  while (!ending.aborted) {
    try {
      const { taskToken, activityType } = await connection.withAbortSignal(ending, () =>
        connection.withDeadline(Date.now() + POLL_MS, () =>
          connection.workflowService.pollActivityTaskQueue(poll),
        ),
      );
      if (taskToken.length === 0) continue;
      const result = activityType?.name === 'measure' ? measured : ready;
      const answer = (): unknown =>
        // Nobody waits any more for what has timed out or was cancelled.
        connection.workflowService
          .respondActivityTaskCompleted({ namespace, taskToken, result })
          .catch(() => undefined);
      setTimeout(answer, TAKES_MS);
    } catch {
      // The server is busy or restarts.
      await new Promise((resolve) => void setTimeout(resolve, PAUSE_MS));
    }
  }
}
