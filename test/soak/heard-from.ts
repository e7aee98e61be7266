// Asks the agent of a site again and again, and says for how long it did not answer.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { agentQueue } from '../../workflows/names.ts';
import { json, outcomeOf } from '../support/testbeds/gateway-calls.ts';

const EVERY_MS = 250;

/** `stop` resolves to the longest time from a question to its answer, in milliseconds. */
export function heardFrom(client: Client, site: string): { stop(): Promise<number> } {
  const over = new AbortController();
  const waits: Promise<number>[] = [];
  const asking = (async () => {
    while (!over.signal.aborted) {
      waits.push(ask(client, site));
      await pause(EVERY_MS);
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await asking;
      return Math.round(Math.max(...(await Promise.all(waits))));
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
  while ((await outcomeOf(client, activityId)) === undefined) await pause(100);
  return performance.now() - begun;
}
