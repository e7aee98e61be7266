// Asks the agent of a site again and again, and says for how long it did not answer.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { agentQueue } from '../../workflows/names.ts';
import { json, outcomeOf } from '../support/testbeds/door/gateway-calls.ts';

const EVERY_MS = 250;

/**
 * Asks one question after the other. `stop` resolves to the longest time from a question to its answer, in
 * milliseconds: a question that was asked just before an agent went away waits for the next one.
 */
export function heardFrom(client: Client, site: string): { stop(): Promise<number> } {
  const over = new AbortController();
  const asking = (async () => {
    let longest = 0;
    while (!over.signal.aborted) {
      longest = Math.max(longest, await ask(client, site));
      await pause(EVERY_MS);
    }
    return Math.round(longest);
  })();
  return {
    stop: () => {
      over.abort();
      return asking;
    },
  };
}

/** About a Capp that no site has, so the answer is at hand. What an agent dropped it is asked again soon. */
async function ask(client: Client, site: string): Promise<number> {
  const begun = performance.now();
  const activityId = `heard-${crypto.randomUUID()}`;
  const question = [
    { namespace: 'none', name: 'none', uid: 'none' },
    { stamp: '', known: null, statusHash: null },
  ];
  await client.workflowService.startActivityExecution({
    namespace: 'default',
    requestId: activityId,
    activityId,
    activityType: { name: 'report' },
    taskQueue: { name: agentQueue(site) },
    startToCloseTimeout: { seconds: 2 as never },
    input: { payloads: question.flatMap((one) => json(one).payloads) },
    retryPolicy: { initialInterval: { nanos: 200_000_000 }, backoffCoefficient: 1 },
  });
  // Temporal may be slow to say it beside restarts; then it is asked again, and the time counts.
  const heard = () => outcomeOf(client, activityId).catch(() => undefined);
  while ((await heard()) === undefined) await pause(100);
  return performance.now() - begun;
}
